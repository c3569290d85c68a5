package habemus.client;

import habemus.lockservice.ResourceShare;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Several locks and permits, all or none, in one step: no order of taking them can be wrong, and nobody who waits for
 * some of them holds the others meanwhile.
 */
public final class MultiLock implements Acquirable {

    private final Acquirer acquirer;

    MultiLock(SessionDriver sessionDriver, List<ResourceShare> resourceShares) {
        acquirer = new Acquirer(sessionDriver, resourceShares);
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
}
