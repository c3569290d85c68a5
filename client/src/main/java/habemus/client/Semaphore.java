package habemus.client;

import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import java.util.List;

/** A semaphore. It acquires one permit; use {@link #permits} for several. */
public final class Semaphore extends Acquirer {

    private final String name;
    private final int size;

    Semaphore(SessionDriver driver, String name, int size) {
        super(driver, List.of(ResourceShare.permits(name, 1, size)));
        this.name = name;
        this.size = size;
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
        return new Acquirer(driver(), List.of(ResourceShare.permits(name, permits, size)));
    }

    /**
     * Reads holders, waiters and history.
     *
     * @return the status as the answering node knows it
     * @throws InterruptedException if the thread is interrupted
     * @throws ServiceUnavailableException if no node answers in time
     */
    public LockStatus describe() throws InterruptedException {
        return PendingQueries.describe(driver(), ResourceName.semaphore(name));
    }
}
