package habemus.course.chapter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A future is a result that comes later; completable futures are combined without waiting. */
final class FutureComposition implements Demonstration {

    @Override
    public String name() {
        return "futures";
    }

    @Override
    public String claim() {
        return "A future holds a later result or its exception; stages combine futures without waiting.";
    }

    @Override
    public List<Observation> run() throws InterruptedException {
        var rows = new ArrayList<Observation>();
        try (var pool = Executors.newCachedThreadPool()) {
            rows.add(get(pool));
            rows.add(failure(pool));
            rows.add(combination(pool));
            rows.add(exceptionalCompletion(pool));
            rows.add(timeout());
            rows.add(cancelledTask(pool));
            rows.add(cancelledStage(pool));
        }
        return rows;
    }

    private static Observation get(ExecutorService pool) throws InterruptedException {
        var mayEnd = new CountDownLatch(1);
        var future = pool.submit(() -> {
            mayEnd.await();
            return 42;
        });
        boolean early = future.isDone();
        mayEnd.countDown();
        var result = outcome(future);
        return Observation.of(
                "submit returns a future at once; get waits for its result",
                "done after submit: " + early + ", get: " + result,
                !early && result.equals("42"));
    }

    private static Observation failure(ExecutorService pool) throws InterruptedException {
        var future = pool.submit(() -> {
            throw new IllegalStateException("disk full");
        });
        var result = outcome(future);
        return Observation.of(
                "the exception of a task waits in its future until get throws it",
                result,
                result.equals("ExecutionException of IllegalStateException"));
    }

    private static Observation combination(ExecutorService pool) throws InterruptedException {
        var price = CompletableFuture.supplyAsync(() -> 20, pool);
        var amount = CompletableFuture.supplyAsync(() -> 2, pool);
        var shipping = CompletableFuture.supplyAsync(() -> 2, pool);
        var total = price.thenCombine(amount, (one, times) -> one * times).thenCombine(shipping, Integer::sum);
        var result = outcome(total);
        return Observation.of(
                "thenCombine joins the results of three tasks, and no thread waits for them",
                "20 × 2 + 2 = " + result,
                result.equals("42"));
    }

    private static Observation exceptionalCompletion(ExecutorService pool) throws InterruptedException {
        var skipped = new AtomicInteger();
        var result = outcome(CompletableFuture.<Integer>supplyAsync(
                        () -> {
                            throw new IllegalStateException("disk full");
                        },
                        pool)
                .thenApply(value -> value + skipped.incrementAndGet())
                .thenApply(value -> value + skipped.incrementAndGet())
                .exceptionally(failed -> -1));
        return Observation.of(
                "an exception passes all stages up to the first that handles it",
                skipped + " of 2 stages ran, result " + result,
                skipped.get() == 0 && result.equals("-1"));
    }

    private static Observation timeout() throws InterruptedException {
        var never = new CompletableFuture<Integer>();
        var result = outcome(never.orTimeout(Duration.ofMillis(20).toMillis(), TimeUnit.MILLISECONDS));
        return Observation.of(
                "orTimeout completes a future that no task completes",
                result,
                result.equals("ExecutionException of TimeoutException"));
    }

    private static Observation cancelledTask(ExecutorService pool) throws InterruptedException {
        var started = new CountDownLatch(1);
        var interrupted = new CountDownLatch(1);
        var future = pool.submit(() -> {
            started.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException stop) {
                interrupted.countDown();
            }
        });
        started.await();
        future.cancel(true);
        boolean stopped = interrupted.await(10, TimeUnit.SECONDS);
        return Observation.of(
                "cancel(true) on the future of a pool interrupts its task",
                "task " + (stopped ? "interrupted" : "still runs"),
                stopped && future.isCancelled());
    }

    private static Observation cancelledStage(ExecutorService pool) throws InterruptedException {
        var started = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        var ended = new CountDownLatch(1);
        var future = CompletableFuture.runAsync(
                () -> {
                    started.countDown();
                    Latches.await(mayEnd);
                    ended.countDown();
                },
                pool);
        started.await();
        future.cancel(true);
        boolean stopped = ended.getCount() == 0;
        mayEnd.countDown();
        ended.await();
        return Observation.of(
                "cancel(true) on a CompletableFuture leaves its task running",
                "future cancelled: " + future.isCancelled() + ", task " + (stopped ? "ended" : "still runs"),
                future.isCancelled() && !stopped);
    }

    /** The result as text, or the exception and its cause. */
    private static String outcome(Future<?> future) throws InterruptedException {
        try {
            return String.valueOf(future.get());
        } catch (ExecutionException failed) {
            var cause = failed.getCause();
            return "ExecutionException of "
                    + (cause == null ? "none" : cause.getClass().getSimpleName());
        }
    }
}
