package habemus.client;

import habemus.lockservice.ResourceShare;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Several locks and permits that are acquired together, all or none. So clients need no common lock order, and a
 * waiting request holds none of them.
 */
public final class MultiLock implements Acquirable {

    private final Acquirer acquirer;

    MultiLock(SessionDriver driver, List<ResourceShare> shares) {
        acquirer = new Acquirer(driver, shares);
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
}
