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
}
