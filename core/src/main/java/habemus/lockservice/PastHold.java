package habemus.lockservice;

/**
 * A hold that has ended.
 *
 * @param since when it was granted, in milliseconds since 1970 on the clock of the proposing node
 * @param until when it ended, in milliseconds since 1970 on the clock of the proposing node
 */
public record PastHold(ResourceName name, ClientInfo client, long fence, long since, long until, EndReason endReason) {

    /** Why the hold ended. */
    public enum EndReason {
        RELEASED("released"),
        CLOSED("closed"),
        EXPIRED("expired"),
        REVOKED("revoked"),
        TRANSFERRED("transferred");

        private final String text;

        EndReason(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
