package habemus.protocol;

/**
 * An entry of a replicated log. Its index is its position in the log, from 1 on.
 *
 * @param term the term of the leader that appended it
 */
public record LogEntry(long term, Content content) {

    @WireTags({Command.class, NoOp.class, Members.class})
    public sealed interface Content {}

    /** What the application proposed. Only the application interprets the bytes. */
    public record Command(ByteString bytes) implements Content {
        @Override
        public String toString() {
            return bytes.toString();
        }
    }

    /** Appended by a new leader, so that it can commit an entry of its own term. */
    public record NoOp() implements Content {
        @Override
        public String toString() {
            return "-";
        }
    }

    /** A change of the members. A node uses it from the moment it is in its log. */
    public record Members(Configuration configuration) implements Content {
        @Override
        public String toString() {
            return configuration.toString();
        }
    }

    @Override
    public String toString() {
        return term + ":" + content;
    }
}
