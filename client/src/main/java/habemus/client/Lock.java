package habemus.client;

import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import java.util.List;

/** An exclusive lock, or one side of a {@link ReadWriteLock}. */
public final class Lock extends Acquirer {

    private final ResourceShare share;

    Lock(SessionDriver driver, ResourceShare share) {
        super(driver, List.of(share));
        this.share = share;
    }

    /** {@return the name of the lock} */
    public String name() {
        return share.name().text();
    }

    /**
     * Reads holders, waiters and history.
     *
     * @return the status as the answering node knows it
     * @throws InterruptedException if the thread is interrupted
     * @throws ServiceUnavailableException if no node answers in time
     */
    public LockStatus describe() throws InterruptedException {
        return PendingQueries.describe(driver(), share.name());
    }

    /**
     * Returns this lock as a lock of the JDK. The thread that locks it owns it, virtual or not, and it is reentrant.
     * Threads that use the same returned object wait for each other in the JVM, and one of them waits for the service.
     * Keep the object: two returned objects exclude each other, even in the same thread. Conditions are not supported.
     *
     * <p>A lost lock shows as {@link LockLostException}, in {@code unlock} at the latest. Prefer {@link #acquire()}
     * where a fence can be checked.
     *
     * @return a view of this lock
     */
    public java.util.concurrent.locks.Lock asLock() {
        return new JdkLock(this);
    }

    /** {@code lock orders} */
    @Override
    public String toString() {
        return ResourceName.lock(name()).toString();
    }
}
