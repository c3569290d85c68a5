package habemus.course.servers;

/** The reply to a request, as a line of text. */
public sealed interface LockReply {

    /** What a server without room replies, before it has read the request. */
    String BUSY = "busy";

    /** The client holds the lock. */
    record Granted(long fence) implements LockReply {
        @Override
        public String line() {
            return "granted " + fence;
        }
    }

    /**
     * The client is in the queue of the lock, and asks again later.
     *
     * @param position 1 for the next holder
     */
    record Waiting(int position) implements LockReply {
        @Override
        public String line() {
            return "waiting " + position;
        }
    }

    record Released() implements LockReply {
        @Override
        public String line() {
            return "released";
        }
    }

    /** The coordinator did nothing. */
    record Rejected(String reason) implements LockReply {
        @Override
        public String line() {
            return "rejected " + reason;
        }
    }

    String line();
}
