package habemus.fenced;

/** What is locked: a lock, a semaphore or an election of this name. Equal names of different kinds are strangers. */
public record Name(Kind kind, String text) implements Comparable<Name> {

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

    public static Name lock(String text) {
        return new Name(Kind.LOCK, text);
    }

    public static Name semaphore(String text) {
        return new Name(Kind.SEMAPHORE, text);
    }

    public static Name election(String text) {
        return new Name(Kind.ELECTION, text);
    }

    @Override
    public int compareTo(Name other) {
        int byText = text.compareTo(other.text);
        return byText != 0 ? byText : kind.compareTo(other.kind);
    }

    /** The same in every JVM, as an enum's is not. */
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
