package habemus.client;

import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A semaphore. It acquires one permit; use {@link #permits} for several. */
public final class Semaphore implements Acquirable {

    private final SessionDriver driver;
    private final String name;
    private final int size;
    private final Acquirer acquirer;

    Semaphore(SessionDriver driver, String name, int size) {
        this.driver = driver;
        this.name = name;
        this.size = size;
        acquirer = new Acquirer(driver, List.of(ResourceShare.permits(name, 1, size)));
    }

    /** {@return the name of the semaphore} */
    public String name() {
        return name;
    }

    /** {@return the total number of permits} */
    public int size() {
        return size;
    }

    /**
     * Returns several permits that are acquired together.
     *
     * @param permits from one to the size
     * @return to be acquired, all or none
     * @throws IllegalArgumentException if permits is not from one to the size
     */
    public Acquirable permits(int permits) {
        return new Acquirer(driver, List.of(ResourceShare.permits(name, permits, size)));
    }

    @Override
    public Grant acquire() throws InterruptedException {
        return acquirer.acquire();
    }

    @Override
    public Grant acquire(Duration timeout) throws InterruptedException {
        return acquirer.acquire(timeout);
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
     * Reads holders, waiters and history.
     *
     * @return the status as the answering node knows it
     * @throws InterruptedException if the thread is interrupted
     * @throws ServiceUnavailableException if no node answers in time
     */
    public LockStatus describe() throws InterruptedException {
        return PendingQueries.describe(driver, ResourceName.semaphore(name));
    }
}
