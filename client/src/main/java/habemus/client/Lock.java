package habemus.client;

import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.ResourceStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One at a time; or, if it is one side of a {@link ReadWriteLock}, as that says. */
public final class Lock implements Acquirable {

    private final Acquirer acquirer;
    private final ResourceShare resourceShare;

    Lock(SessionDriver sessionDriver, ResourceShare resourceShare) {
        acquirer = new Acquirer(sessionDriver, List.of(resourceShare));
        this.resourceShare = resourceShare;
    }

    /** {@return its name} */
    public String name() {
        return resourceShare.resourceName().text();
    }

    @Override
    public Grant acquire() throws InterruptedException {
        return acquirer.acquire();
    }

    @Override
    public Grant acquire(Duration most) throws InterruptedException {
        return acquirer.acquire(most);
    }

    @Override
    public AcquireResult tryAcquire() throws InterruptedException {
        return acquirer.tryAcquire();
    }

    @Override
    public CompletableFuture<Grant> acquireAsync() {
        return acquirer.acquireAsync();
    }

    /**
     * Who holds it, who waits, who was inside before.
     *
     * @return as the answering node knows it
     * @throws InterruptedException if the thread is interrupted
     * @throws ServiceUnavailableException if no node answers in time
     */
    public ResourceStatus describe() throws InterruptedException {
        return PendingQueries.describe(acquirer.driver(), resourceShare.resourceName());
    }

    /**
     * For code that wants a lock of the JDK. It belongs to the thread that locked it, virtual or not, and is reentrant.
     * Threads of this object wait for each other within the JVM, and then together for the service. Keep the object:
     * another one of the same name is another user of the lock, also to the same thread. There are no conditions.
     *
     * <p>A loss shows as {@link LockLostException}, in {@code unlock} at the latest, since there is no grant to ask. Where a
     * fence can be checked, prefer {@link #acquire()}.
     *
     * @return another view of this lock
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
