package habemus.lockservice;

/** Names a lock, a semaphore or an election. Resources of different kinds may have the same text. */
public record ResourceName(Kind kind, String text) implements Comparable<ResourceName> {

    public enum Kind {
        LOCK("lock"),
        SEMAPHORE("semaphore"),
        ELECTION("election");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    public static ResourceName lock(String text) {
        return new ResourceName(Kind.LOCK, text);
    }

    public static ResourceName semaphore(String text) {
        return new ResourceName(Kind.SEMAPHORE, text);
    }

    public static ResourceName election(String text) {
        return new ResourceName(Kind.ELECTION, text);
    }

    @Override
    public int compareTo(ResourceName other) {
        int byText = text.compareTo(other.text);
        return byText != 0 ? byText : kind.compareTo(other.kind);
    }

    /** Equal in every JVM, unlike the hash code of an enum, so that trees have the same shape on every node. */
    @Override
    public int hashCode() {
        return 31 * text.hashCode() + kind.ordinal();
    }

    /** {@code lock orders} */
    @Override
    public String toString() {
        return kind + " " + text;
    }
}
