package habemus.client;

/**
 * A write was rejected because its fence is too old: another client was granted the lock later and has written already.
 * Do not write. The writer has lost its lock, whether it knows or not.
 */
public final class StaleFenceException extends HabemusException {

    private static final long serialVersionUID = 1;

    /** Fence of the rejected writer. */
    private final long fence;

    /** Largest fence before. */
    private final long largestSeen;

    StaleFenceException(String name, long fence, long largestSeen) {
        super("stale fence of " + name + ": " + fence + " (already seen: " + largestSeen + ")");
        this.fence = fence;
        this.largestSeen = largestSeen;
    }

    /** {@return the fence of the rejected writer} */
    public long fence() {
        return fence;
    }

    /** {@return the largest fence that was seen before} */
    public long largestSeen() {
        return largestSeen;
    }
}
