package habemus.client;

import habemus.lockservice.ResourceShare;

/** A lock, a shared lock or some permits of a semaphore, as part of a {@link MultiLock}. */
public final class LockShare {

    private final ResourceShare share;

    private LockShare(ResourceShare share) {
        this.share = share;
    }

    /**
     * Asks for a lock exclusively.
     *
     * @param lock name of the lock
     * @return the share of the only holder
     */
    public static LockShare exclusive(String lock) {
        return new LockShare(ResourceShare.exclusive(lock));
    }

    /**
     * Asks for the read side of a {@link ReadWriteLock}.
     *
     * @param lock name of the lock
     * @return the share of one reader
     */
    public static LockShare shared(String lock) {
        return new LockShare(ResourceShare.shared(lock));
    }

    /**
     * Asks for permits of a semaphore.
     *
     * @param semaphore name of the semaphore
     * @param permits from one to the size
     * @param size total number of permits; equal for all clients that use the semaphore
     * @return so many permits
     * @throws IllegalArgumentException if permits is not from one to the size
     */
    public static LockShare permits(String semaphore, int permits, int size) {
        return new LockShare(ResourceShare.permits(semaphore, permits, size));
    }

    ResourceShare toResourceShare() {
        return share;
    }

    /** {@code lock orders} */
    @Override
    public String toString() {
        return share.name().toString();
    }
}
