package habemus.lockservice;

/** Identifies a request: its session, and its number within the session. */
public record RequestId(long session, long number) implements Comparable<RequestId> {

    @Override
    public int compareTo(RequestId other) {
        return session != other.session ? Long.compare(session, other.session) : Long.compare(number, other.number);
    }

    /** {@code 17:3}, the third request of session 17. */
    @Override
    public String toString() {
        return session + ":" + number;
    }

    /** Shapes a {@code PersistentSortedMap}: the Java library does not specify the hash code of a record. */
    @Override
    public int hashCode() {
        return 31 * Long.hashCode(session) + Long.hashCode(number);
    }
}
