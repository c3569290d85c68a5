package habemus.fenced;

/** Somebody was inside. Times are milliseconds since 1970, on the clocks of those who proposed the entries. */
public record Past(Name name, Person person, long fence, long since, long until, How how) {

    public enum How {
        RELEASED("released"),
        CLOSED("closed"),
        EXPIRED("expired"),
        REVOKED("revoked"),
        TRANSFERRED("transferred");

        private final String text;

        How(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
