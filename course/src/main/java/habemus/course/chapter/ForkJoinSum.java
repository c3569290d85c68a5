package habemus.course.chapter;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;

/** The sum of an array: a task forks one half, computes the other, and joins. */
final class ForkJoinSum implements Demonstration {

    private static final int LENGTH = 1 << 20;
    private static final int LEAF_LENGTH = 1 << 12;
    private static final long EXPECTED_SUM = (long) LENGTH * (LENGTH + 1) / 2;
    private static final int EXPECTED_TASKS = 2 * LENGTH / LEAF_LENGTH - 1;
    private static final int WORKERS = 4;
    private static final int DEADLOCK_TIMEOUT_MILLIS = 200;

    private final AtomicInteger tasks = new AtomicInteger();

    /** The sum of the numbers from one index to another. */
    private final class Sum extends RecursiveTask<Long> {
        private static final long serialVersionUID = 1;

        private final transient long[] numbers;
        private final int from;
        private final int to;

        Sum(long[] numbers, int from, int to) {
            this.numbers = numbers;
            this.from = from;
            this.to = to;
        }

        @Override
        protected Long compute() {
            tasks.incrementAndGet();
            if (to - from <= LEAF_LENGTH) {
                long sum = 0;
                for (int i = from; i < to; i++) {
                    sum += numbers[i];
                }
                return sum;
            }
            int middle = (from + to) / 2;
            var left = new Sum(numbers, from, middle);
            left.fork();
            long right = new Sum(numbers, middle, to).compute();
            return left.join() + right;
        }
    }

    @Override
    public String name() {
        return "fork-join";
    }

    @Override
    public String claim() {
        return "Tasks fork and join; a worker without work steals a task.";
    }

    @Override
    public List<Observation> run() throws InterruptedException {
        var numbers = LongStream.rangeClosed(1, LENGTH).toArray();
        return List.of(sum(numbers), oneWorker(numbers), poolDeadlock(), steal());
    }

    private Observation sum(long[] numbers) {
        tasks.set(0);
        try (var pool = new ForkJoinPool(WORKERS)) {
            long sum = pool.invoke(new Sum(numbers, 0, LENGTH));
            return Observation.of(
                    "forked halves add up to the sum of the array",
                    "sum " + sum + " by " + tasks + " tasks on " + WORKERS + " workers, " + pool.getStealCount()
                            + " stolen",
                    sum == EXPECTED_SUM && tasks.get() == EXPECTED_TASKS);
        }
    }

    private Observation oneWorker(long[] numbers) {
        tasks.set(0);
        try (var pool = new ForkJoinPool(1)) {
            long sum = pool.invoke(new Sum(numbers, 0, LENGTH));
            return Observation.of(
                    "join runs waiting tasks instead of blocking: one worker is enough",
                    "sum " + sum + " by " + tasks + " tasks on 1 worker",
                    sum == EXPECTED_SUM);
        }
    }

    /** A task of a pool with one thread submits another one and waits for it. */
    private static Observation poolDeadlock() throws InterruptedException {
        var pool = Executors.newSingleThreadExecutor();
        try {
            pool.submit(() -> subtask(pool)).get(DEADLOCK_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
            return Observation.of("a fixed pool deadlocks if its tasks wait for their subtasks", "it ended", false);
        } catch (TimeoutException deadlock) {
            return Observation.of(
                    "a fixed pool deadlocks if its tasks wait for their subtasks",
                    "1 thread waits for a task in its own queue",
                    true);
        } catch (ExecutionException failed) {
            throw new IllegalStateException(failed);
        } finally {
            pool.shutdownNow();
        }
    }

    private static int subtask(ExecutorService pool) throws InterruptedException, ExecutionException {
        return pool.submit(() -> 42).get();
    }

    /** The parent forks a task and never joins it, so that only another worker can run it. */
    private static Observation steal() {
        var thief = new AtomicReference<Thread>();
        try (var pool = new ForkJoinPool(2)) {
            var parent = pool.submit(() -> {
                var child = ForkJoinTask.adapt(() -> thief.set(Thread.currentThread()))
                        .fork();
                while (!child.isDone()) {
                    Thread.onSpinWait();
                }
                return Thread.currentThread();
            });
            boolean stolen = !parent.join().equals(thief.get());
            return Observation.of(
                    "an idle worker steals a task from the deque of a busy one",
                    stolen ? "forked by one worker, run by another" : "run by its owner",
                    stolen);
        }
    }
}
