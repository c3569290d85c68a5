package habemus.client;

import habemus.lockservice.Operation;
import habemus.lockservice.ResourceShare;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** How to be let in: the same for everything that can be wanted. */
final class Acquirer implements Acquirable {

    private final SessionDriver sessionDriver;
    private final List<ResourceShare> resourceShares;

    Acquirer(SessionDriver sessionDriver, List<ResourceShare> resourceShares) {
        this.sessionDriver = sessionDriver;
        this.resourceShares = resourceShares;
    }

    SessionDriver driver() {
        return sessionDriver;
    }

    private AcquireRequest ask(boolean patient) {
        var asked = new AcquireRequest(sessionDriver, new Operation.Acquire(resourceShares, patient, 0));
        sessionDriver.post(() -> sessionDriver.submit(asked));
        return asked;
    }

    @Override
    public Grant acquire() throws InterruptedException {
        var asked = ask(true);
        try {
            return granted(Futures.await(asked.outcome()));
        } catch (InterruptedException e) {
            forsake(asked);
            throw e;
        }
    }

    @Override
    public Grant acquire(Duration most) throws InterruptedException {
        if (most.isNegative() || most.isZero()) {
            throw new IllegalArgumentException("the time to wait is more than zero; not to wait, use tryAcquire");
        }
        var asked = ask(true);
        return granted(await(asked, most, wasInLine -> {
            if (wasInLine) {
                throw new LockTimeoutException(
                        asked.resourceNames() + " was held by others, or promised to them, for " + said(most));
            }
            throw unavailable(sessionDriver, most);
        }));
    }

    @Override
    public AcquireResult tryAcquire() throws InterruptedException {
        var asked = ask(false);
        var most = sessionDriver.requestTimeout();
        return await(asked, most, wasInLine -> new AcquireResult.NoQuorum(silence(sessionDriver, most)));
    }

    private interface Otherwise {
        AcquireResult then(boolean wasInLine);
    }

    private static AcquireResult await(AcquireRequest asked, Duration most, Otherwise otherwise)
            throws InterruptedException {
        try {
            return asked.outcome().get(nanos(most), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            forsake(asked);
            throw e;
        } catch (TimeoutException late) {
            boolean wasInLine = asked.isQueued();
            return takeBack(asked) ? otherwise.then(wasInLine) : Futures.await(asked.outcome());
        } catch (ExecutionException e) {
            throw Futures.unwrap(e);
        }
    }

    /** {@return whether nothing had come of it} */
    private static boolean takeBack(AcquireRequest asked) {
        boolean first = asked.outcome().completeExceptionally(new CancellationException());
        if (first) {
            asked.cancel();
        }
        return first;
    }

    /** Nobody will see what had come of it either. */
    private static void forsake(AcquireRequest asked) {
        if (!takeBack(asked)) {
            var unused = asked.outcome().thenAccept(acquireResult -> {
                if (acquireResult instanceof AcquireResult.Granted(var grant)) {
                    grant.releaseInBackground();
                }
            });
        }
    }

    @Override
    public CompletableFuture<Grant> acquireAsync() {
        var asked = ask(true);
        var future = new CompletableFuture<Grant>();
        // Not on the driver's thread, since what depends on it may block.
        var unused = asked.outcome()
                .whenCompleteAsync(
                        (acquireResult, failure) -> {
                            if (failure != null) {
                                future.completeExceptionally(failure);
                            } else if (!future.complete(granted(acquireResult))) {
                                granted(acquireResult).releaseInBackground();
                            }
                        },
                        Habemus.CALLBACK_EXECUTOR);
        var unusedToo = future.whenComplete((grant, failure) -> {
            if (failure != null) {
                takeBack(asked);
            }
        });
        return future;
    }

    private static Grant granted(AcquireResult acquireResult) {
        return ((AcquireResult.Granted) acquireResult).grant(); // who waits gets nothing else
    }

    static ServiceUnavailableException unavailable(SessionDriver sessionDriver, Duration most) {
        return new ServiceUnavailableException(silence(sessionDriver, most));
    }

    private static String silence(SessionDriver sessionDriver, Duration most) {
        var troubles = sessionDriver.describeFailures();
        return "no answer of the service within " + said(most)
                + (troubles.isEmpty() ? "; is a majority of its nodes up?" : "; " + troubles);
    }

    private static String said(Duration time) {
        return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }

    private static long nanos(Duration time) {
        return time.compareTo(Duration.ofDays(365)) > 0 ? Long.MAX_VALUE : time.toNanos();
    }
}
