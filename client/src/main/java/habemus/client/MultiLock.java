package habemus.client;

import habemus.fenced.Want;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Several locks and permits, all or none, in one step: no order of taking them can be wrong, and nobody who waits for
 * some of them holds the others meanwhile.
 */
public final class MultiLock implements Acquirable {

    private final Gate gate;

    MultiLock(Driver driver, List<Want> wants) {
        gate = new Gate(driver, wants);
    }

    @Override
    public Grant acquire() throws InterruptedException {
        return gate.acquire();
    }

    @Override
    public Grant acquire(Duration most) throws InterruptedException {
        return gate.acquire(most);
    }

    @Override
    public Attempt tryAcquire() throws InterruptedException {
        return gate.tryAcquire();
    }

    @Override
    public CompletableFuture<Grant> acquireAsync() {
        return gate.acquireAsync();
    }
}
