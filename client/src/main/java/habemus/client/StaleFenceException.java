package habemus.client;

/**
 * A write came too late: somebody was granted the lock after the writer, and has been here. Do not write. The writer
 * has lost its lock, whether it knows or not.
 */
public final class StaleFenceException extends HabemusException {

    private static final long serialVersionUID = 1;

    /** Of the late writer. */
    private final long fence;

    /** The largest before. */
    private final long seen;

    StaleFenceException(String name, long fence, long seen) {
        super("fence " + fence + " of " + name + " is too old: " + seen + " has been here");
        this.fence = fence;
        this.seen = seen;
    }

    /** {@return the fence of the late writer} */
    public long fence() {
        return fence;
    }

    /** {@return the largest fence that was here before} */
    public long largestSeen() {
        return seen;
    }
}
