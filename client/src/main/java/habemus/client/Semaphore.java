package habemus.client;

import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.ResourceStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** So many at a time. It acquires one permit; several at once by {@link #permits}. */
public final class Semaphore implements Acquirable {

    private final SessionDriver sessionDriver;
    private final String name;
    private final int size;
    private final Acquirer one;

    Semaphore(SessionDriver sessionDriver, String name, int size) {
        this.sessionDriver = sessionDriver;
        this.name = name;
        this.size = size;
        one = new Acquirer(sessionDriver, List.of(ResourceShare.permits(name, 1, size)));
    }

    /** {@return its name} */
    public String name() {
        return name;
    }

    /** {@return how many permits there are} */
    public int size() {
        return size;
    }

    /**
     * Several permits, all or none.
     *
     * @param permits from one to the size
     * @return what acquires so many
     * @throws IllegalArgumentException if there are never so many
     */
    public Acquirable permits(int permits) {
        return new Acquirer(sessionDriver, List.of(ResourceShare.permits(name, permits, size)));
    }

    @Override
    public Grant acquire() throws InterruptedException {
        return one.acquire();
    }

    @Override
    public Grant acquire(Duration most) throws InterruptedException {
        return one.acquire(most);
    }

    @Override
    public AcquireResult tryAcquire() throws InterruptedException {
        return one.tryAcquire();
    }

    @Override
    public CompletableFuture<Grant> acquireAsync() {
        return one.acquireAsync();
    }

    /**
     * Who holds permits, who waits, who had some before.
     *
     * @return as the answering node knows it
     * @throws InterruptedException if the thread is interrupted
     * @throws ServiceUnavailableException if no node answers in time
     */
    public ResourceStatus describe() throws InterruptedException {
        return PendingQueries.describe(sessionDriver, ResourceName.semaphore(name));
    }
}
