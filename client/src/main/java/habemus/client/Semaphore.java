package habemus.client;

import habemus.fenced.Description;
import habemus.fenced.Name;
import habemus.fenced.Want;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** So many at a time. It acquires one permit; several at once by {@link #permits}. */
public final class Semaphore implements Acquirable {

    private final Driver driver;
    private final String name;
    private final int size;
    private final Gate one;

    Semaphore(Driver driver, String name, int size) {
        this.driver = driver;
        this.name = name;
        this.size = size;
        one = new Gate(driver, List.of(Want.permits(name, 1, size)));
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
        return new Gate(driver, List.of(Want.permits(name, permits, size)));
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
    public Attempt tryAcquire() throws InterruptedException {
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
     * @throws Unreachable if no node answers in time
     */
    public Description describe() throws InterruptedException {
        return Sights.describe(driver, Name.semaphore(name));
    }
}
