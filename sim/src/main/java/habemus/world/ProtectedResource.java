package habemus.world;

/**
 * What the lock is for: something that one node at a time may change. A write carries the fence of its writer's grant;
 * so a fenced resource can refuse a writer whose time is over, even if that one does not know it yet.
 *
 * @param fenced whether it refuses a fence that is older than one it has accepted
 * @param newest the highest fence accepted so far
 * @param stale how many writes it has accepted over those of a newer fence: each has destroyed something
 */
public record ProtectedResource(boolean fenced, long newest, long accepted, long refused, long stale) {

    /** Nobody has written to it. */
    public static ProtectedResource initial(boolean fenced) {
        return new ProtectedResource(fenced, Long.MIN_VALUE, 0, 0, 0);
    }

    public boolean accepts(long fence) {
        return !fenced || fence >= newest;
    }

    /** The same after this write, be it accepted or refused. */
    public ProtectedResource afterWrite(long fence) {
        return accepts(fence)
                ? new ProtectedResource(
                        fenced, Math.max(newest, fence), accepted + 1, refused, stale + (fence < newest ? 1 : 0))
                : new ProtectedResource(fenced, newest, accepted, refused + 1, stale);
    }
}
