package habemus.world;

/**
 * The resource that the lock protects. A write carries the fence of the writer's grant. So a fenced resource can refuse
 * a writer that has lost the lock and does not know it yet.
 *
 * @param fenced whether the resource refuses fences lower than the highest one it has accepted
 * @param newest the highest fence accepted so far
 * @param stale the number of accepted writes with a lower fence than an earlier write: each overwrote newer data
 */
public record ProtectedResource(boolean fenced, long newest, long accepted, long refused, long stale) {

    /** A resource without writes. */
    public static ProtectedResource initial(boolean fenced) {
        return new ProtectedResource(fenced, Long.MIN_VALUE, 0, 0, 0);
    }

    public boolean accepts(long fence) {
        return !fenced || fence >= newest;
    }

    /** The resource after this write was accepted or refused. */
    public ProtectedResource afterWrite(long fence) {
        return accepts(fence)
                ? new ProtectedResource(
                        fenced, Math.max(newest, fence), accepted + 1, refused, stale + (fence < newest ? 1 : 0))
                : new ProtectedResource(fenced, newest, accepted, refused + 1, stale);
    }
}
