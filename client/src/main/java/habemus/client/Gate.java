package habemus.client;

import habemus.fenced.Want;
import habemus.fenced.Wish;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** How to be let in: the same for everything that can be wanted. */
final class Gate implements Acquirable {

    private final Driver driver;
    private final List<Want> wants;

    Gate(Driver driver, List<Want> wants) {
        this.driver = driver;
        this.wants = wants;
    }

    Driver driver() {
        return driver;
    }

    private Acquisition ask(boolean patient) {
        var asked = new Acquisition(driver, new Wish.Acquire(wants, patient, 0));
        driver.post(() -> driver.ask(asked));
        return asked;
    }

    @Override
    public Grant acquire() throws InterruptedException {
        var asked = ask(true);
        try {
            return granted(Waits.get(asked.outcome()));
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
                throw new LockTimeout(asked.what() + " was held by others, or promised to them, for " + said(most));
            }
            throw unreachable(driver, most);
        }));
    }

    @Override
    public Attempt tryAcquire() throws InterruptedException {
        var asked = ask(false);
        var most = driver.patience();
        return await(asked, most, wasInLine -> new Attempt.NoQuorum(silence(driver, most)));
    }

    private interface Otherwise {
        Attempt then(boolean wasInLine);
    }

    private static Attempt await(Acquisition asked, Duration most, Otherwise otherwise) throws InterruptedException {
        try {
            return asked.outcome().get(nanos(most), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            forsake(asked);
            throw e;
        } catch (TimeoutException late) {
            boolean wasInLine = asked.isInLine();
            return takeBack(asked) ? otherwise.then(wasInLine) : Waits.get(asked.outcome());
        } catch (ExecutionException e) {
            throw Waits.unwrapped(e);
        }
    }

    /** {@return whether nothing had come of it} */
    private static boolean takeBack(Acquisition asked) {
        boolean first = asked.outcome().completeExceptionally(new CancellationException());
        if (first) {
            asked.takeBack();
        }
        return first;
    }

    /** Nobody will see what had come of it either. */
    private static void forsake(Acquisition asked) {
        if (!takeBack(asked)) {
            var unused = asked.outcome().thenAccept(attempt -> {
                if (attempt instanceof Attempt.Granted(var grant)) {
                    grant.giveUp();
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
                        (attempt, failure) -> {
                            if (failure != null) {
                                future.completeExceptionally(failure);
                            } else if (!future.complete(granted(attempt))) {
                                granted(attempt).giveUp();
                            }
                        },
                        Habemus.VIRTUAL);
        var unusedToo = future.whenComplete((grant, failure) -> {
            if (failure != null) {
                takeBack(asked);
            }
        });
        return future;
    }

    private static Grant granted(Attempt attempt) {
        return ((Attempt.Granted) attempt).grant(); // who waits gets nothing else
    }

    static Unreachable unreachable(Driver driver, Duration most) {
        return new Unreachable(silence(driver, most));
    }

    private static String silence(Driver driver, Duration most) {
        var troubles = driver.troubles();
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
