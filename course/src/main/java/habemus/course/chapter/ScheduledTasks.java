package habemus.course.chapter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** A fixed rate counts from the planned start of a run, a fixed delay from its end. */
final class ScheduledTasks implements Demonstration {

    private static final Duration PERIOD = Duration.ofMillis(20);
    private static final Duration SLOW_RUN = PERIOD.multipliedBy(5);
    private static final int RUNS = 8;

    /** The beginning and the end of one run, in nanoseconds. */
    private record Run(long start, long end) {}

    /** Schedules a task at a fixed rate, or with a fixed delay. */
    private interface Plan {
        ScheduledFuture<?> start(Runnable task, long first, long next, TimeUnit unit);
    }

    @Override
    public String name() {
        return "scheduled";
    }

    @Override
    public String claim() {
        return "After a slow run a fixed rate catches up; a fixed delay does not.";
    }

    @Override
    public List<Observation> run() throws InterruptedException {
        try (var scheduler = Executors.newScheduledThreadPool(1)) {
            var rate = shortestPause(scheduler::scheduleAtFixedRate);
            var delay = shortestPause(scheduler::scheduleWithFixedDelay);
            return List.of(
                    Observation.of(
                            "at a fixed rate the runs after a slow one follow at once, until they have caught up",
                            text(rate),
                            rate.compareTo(PERIOD) < 0),
                    Observation.of(
                            "with a fixed delay each pause is at least as long as the delay",
                            text(delay),
                            delay.compareTo(PERIOD) >= 0),
                    failure(scheduler));
        }
    }

    /** Of several runs the first is slow. Returns the shortest pause between two runs. */
    private static Duration shortestPause(Plan plan) throws InterruptedException {
        var runs = new ArrayList<Run>();
        var done = new CountDownLatch(RUNS);
        var task = plan.start(
                () -> {
                    long start = System.nanoTime();
                    if (runs.isEmpty()) {
                        sleep(SLOW_RUN);
                    }
                    runs.add(new Run(start, System.nanoTime()));
                    done.countDown();
                },
                0,
                PERIOD.toMillis(),
                TimeUnit.MILLISECONDS);
        done.await();
        task.cancel(false);
        return Duration.ofNanos(IntStream.range(1, RUNS)
                .mapToLong(i -> runs.get(i).start - runs.get(i - 1).end)
                .min()
                .orElseThrow());
    }

    private static Observation failure(ScheduledExecutorService scheduler) throws InterruptedException {
        var runs = new AtomicInteger();
        var task = scheduler.scheduleAtFixedRate(
                () -> {
                    runs.incrementAndGet();
                    throw new IllegalStateException("disk full");
                },
                0,
                1,
                TimeUnit.MILLISECONDS);
        try {
            task.get();
            throw new IllegalStateException("a periodic task has no result");
        } catch (ExecutionException failed) {
            return Observation.of(
                    "an exception ends a periodic task, and only its future tells",
                    runs + " run, then " + failed.getClass().getSimpleName(),
                    runs.get() == 1);
        }
    }

    private static String text(Duration pause) {
        return String.format(
                Locale.ROOT,
                "first run %d ms, then every %d ms: shortest pause %.2f ms",
                SLOW_RUN.toMillis(),
                PERIOD.toMillis(),
                pause.toNanos() / 1e6);
    }

    private static void sleep(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
