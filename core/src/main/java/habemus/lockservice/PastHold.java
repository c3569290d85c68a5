package habemus.lockservice;

/** Somebody was inside. Times are milliseconds since 1970, on the clocks of those who proposed the entries. */
public record PastHold(
        ResourceName resourceName, ClientInfo client, long fence, long since, long until, EndReason endReason) {

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
