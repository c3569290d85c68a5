package habemus.world;

/** What an algorithm is for. */
public enum Problem {
    /** Only one of us at a time. */
    MUTEX,
    /** One of us decides. */
    ELECTION;

    @Override
    public String toString() {
        return this == MUTEX ? "mutex" : "election";
    }
}
