package habemus.client;

import habemus.lockservice.Operation;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.name.NameRule;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Implements {@link Acquirable} for any combination of resources. Locks and semaphores extend it. */
class Acquirer implements Acquirable {

    private final SessionDriver driver;
    private final List<ResourceShare> shares;

    Acquirer(SessionDriver driver, List<ResourceShare> shares) {
        shares.forEach(share ->
                NameRule.require(share.name().kind() + " name", share.name().text()));
        this.driver = driver;
        this.shares = shares;
    }

    final SessionDriver driver() {
        return driver;
    }

    private AcquireRequest submit(boolean waitInQueue) {
        var request = new AcquireRequest(driver, new Operation.Acquire(shares, waitInQueue, 0));
        driver.post(() -> driver.submit(request));
        return request;
    }

    @Override
    public Grant acquire() throws InterruptedException {
        driver.checkMayWait();
        var request = submit(true);
        try {
            return granted(Futures.await(request.outcome()));
        } catch (InterruptedException e) {
            abandon(request);
            throw e;
        }
    }

    @Override
    public Grant acquire(Duration timeout) throws InterruptedException {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException(
                    "timeout must be positive, was " + timeout + "\nhint: use tryAcquire to not wait");
        }
        driver.checkMayWait();
        var request = submit(true);
        return granted(await(request, timeout, wasQueued -> {
            if (wasQueued) {
                throw new LockTimeoutException("could not acquire " + request.resourceNames() + " within "
                        + format(timeout) + "\nhint: habemus locks shows holders and waiters");
            }
            throw unavailable(driver, timeout);
        }));
    }

    @Override
    public AcquireResult tryAcquire() throws InterruptedException {
        driver.checkMayWait();
        var request = submit(false);
        var timeout = driver.requestTimeout();
        return await(request, timeout, wasQueued -> new AcquireResult.NoQuorum(describeTimeout(driver, timeout)));
    }

    private interface TimeoutHandler {
        AcquireResult handle(boolean wasQueued);
    }

    private static AcquireResult await(AcquireRequest request, Duration timeout, TimeoutHandler onTimeout)
            throws InterruptedException {
        try {
            return request.outcome().get(nanos(timeout), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            abandon(request);
            throw e;
        } catch (TimeoutException e) {
            boolean wasQueued = request.isQueued();
            return cancel(request) ? onTimeout.handle(wasQueued) : Futures.await(request.outcome());
        } catch (ExecutionException e) {
            throw Futures.unwrap(e);
        }
    }

    /** {@return whether the request had no result yet} */
    private static boolean cancel(AcquireRequest request) {
        boolean first = request.outcome().completeExceptionally(new CancellationException());
        if (first) {
            request.cancel();
        }
        return first;
    }

    /** Cancels the request, or releases its grant if it was granted already. */
    private static void abandon(AcquireRequest request) {
        if (!cancel(request)) {
            var unused = request.outcome().thenAccept(Acquirer::release);
        }
    }

    @Override
    public CompletableFuture<Grant> acquireAsync() {
        return async(submit(true), Acquirer::granted);
    }

    @Override
    public CompletableFuture<AcquireResult> tryAcquireAsync() {
        var request = submit(false);
        var timeout = driver.requestTimeout();
        if (!request.outcome().isDone()) {
            var timer = driver.postAfter(timeout, () -> {
                if (request.outcome().complete(new AcquireResult.NoQuorum(describeTimeout(driver, timeout)))) {
                    request.cancel();
                }
            });
            var unused = request.outcome().whenComplete((result, failure) -> timer.cancel());
        }
        return async(request, result -> result);
    }

    /** Completes on another thread than the driver's, because dependent stages may block. */
    private <T> CompletableFuture<T> async(AcquireRequest request, Function<AcquireResult, T> resultOf) {
        var future = new CompletableFuture<T>();
        var unused = request.outcome()
                .whenCompleteAsync(
                        (result, failure) -> {
                            if (failure != null) {
                                future.completeExceptionally(failure);
                            } else if (!future.complete(resultOf.apply(result))) {
                                release(result);
                            }
                        },
                        driver.callbackExecutor());
        var unusedEither = future.whenComplete((result, failure) -> {
            if (failure != null) {
                cancel(request);
            }
        });
        return future;
    }

    private static void release(AcquireResult result) {
        if (result instanceof AcquireResult.Granted(var grant)) {
            grant.releaseInBackground();
        }
    }

    private static Grant granted(AcquireResult result) {
        return ((AcquireResult.Granted) result).grant(); // a request that waits has no other result
    }

    static ServiceUnavailableException unavailable(SessionDriver driver, Duration timeout) {
        return new ServiceUnavailableException(describeTimeout(driver, timeout));
    }

    private static String describeTimeout(SessionDriver driver, Duration timeout) {
        var failures = driver.describeFailures();
        return "no answer from the service within " + format(timeout)
                + (failures.isEmpty() ? "\nhint: check that a majority of the nodes is up" : " (" + failures + ")");
    }

    private static String format(Duration time) {
        return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }

    private static long nanos(Duration time) {
        return time.compareTo(Duration.ofDays(365)) > 0 ? Long.MAX_VALUE : time.toNanos();
    }
}
