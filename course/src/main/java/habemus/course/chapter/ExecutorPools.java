package habemus.course.chapter;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** An executor runs tasks on the threads of a pool: first the core threads, then the queue, then further threads. */
final class ExecutorPools implements Demonstration {

    private static final int CORE_SIZE = 2;
    private static final int MAXIMUM_SIZE = 4;
    private static final int QUEUE_CAPACITY = 3;
    private static final int BLOCKED_TASKS = 1_000;

    @Override
    public String name() {
        return "executors";
    }

    @Override
    public String claim() {
        return "A pool uses its core threads, then its queue, then further threads, and then rejects.";
    }

    @Override
    public List<Observation> run() throws InterruptedException {
        var rows = new ArrayList<Observation>();
        rows.addAll(boundedQueue());
        rows.add(unboundedQueue());
        rows.add(callerRuns());
        rows.add(reuse());
        rows.add(virtualThreads());
        rows.add(shutdown());
        return rows;
    }

    private static List<Observation> boundedQueue() {
        var release = new CountDownLatch(1);
        var pool = pool(new ArrayBlockingQueue<>(QUEUE_CAPACITY));
        try (pool) {
            submit(pool, CORE_SIZE, release);
            var core = sizes(pool);
            submit(pool, QUEUE_CAPACITY, release);
            var queued = sizes(pool);
            submit(pool, MAXIMUM_SIZE - CORE_SIZE, release);
            var maximum = sizes(pool);
            boolean rejected = isRejected(pool, release);
            release.countDown();
            return List.of(
                    sizeRow("each of the first tasks gets a thread, up to the core size", core, "2 threads, 0 queued"),
                    sizeRow("further tasks wait in the queue", queued, "2 threads, 3 queued"),
                    sizeRow("a full queue lets the pool grow to its maximum", maximum, "4 threads, 3 queued"),
                    Observation.of(
                            "then the pool rejects the next task",
                            rejected ? "RejectedExecutionException" : "accepted",
                            rejected));
        }
    }

    private static Observation unboundedQueue() {
        var release = new CountDownLatch(1);
        var pool = pool(new LinkedBlockingQueue<>());
        try (pool) {
            submit(pool, 100, release);
            var sizes = sizes(pool);
            release.countDown();
            return sizeRow(
                    "with an unbounded queue the maximum is never used: waiting tasks pile up",
                    sizes,
                    "2 threads, 98 queued");
        }
    }

    private static Observation callerRuns() {
        var release = new CountDownLatch(1);
        var pool = pool(new ArrayBlockingQueue<>(QUEUE_CAPACITY));
        try (pool) {
            pool.setRejectedExecutionHandler(new ThreadPoolExecutor.CallerRunsPolicy());
            submit(pool, MAXIMUM_SIZE + QUEUE_CAPACITY, release);
            var ranIn = new AtomicReference<Thread>();
            pool.execute(() -> ranIn.set(Thread.currentThread()));
            release.countDown();
            boolean here = Thread.currentThread().equals(ranIn.get());
            return Observation.of(
                    "caller-runs slows the submitter down instead of rejecting",
                    here ? "ran in the submitting thread" : "ran elsewhere",
                    here);
        }
    }

    private static Observation reuse() throws InterruptedException {
        try (var pool = Executors.newFixedThreadPool(CORE_SIZE)) {
            var threads = ConcurrentHashMap.<Thread>newKeySet();
            var done = new CountDownLatch(100);
            for (int i = 0; i < 100; i++) {
                pool.execute(() -> {
                    threads.add(Thread.currentThread());
                    done.countDown();
                });
            }
            done.await();
            return Observation.of(
                    "a fixed pool reuses its threads",
                    "100 tasks on " + threads.size() + (threads.size() == 1 ? " thread" : " threads"),
                    threads.size() <= CORE_SIZE);
        }
    }

    private static Observation virtualThreads() throws InterruptedException {
        var allBlock = new CountDownLatch(BLOCKED_TASKS);
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < BLOCKED_TASKS; i++) {
                executor.execute(() -> {
                    allBlock.countDown();
                    Latches.await(allBlock);
                });
            }
            boolean together = allBlock.await(10, TimeUnit.SECONDS);
            return Observation.of(
                    "a virtual thread per task needs no pool: all tasks block at the same time",
                    BLOCKED_TASKS - allBlock.getCount() + " of " + BLOCKED_TASKS + " tasks wait for each other",
                    together);
        }
    }

    private static Observation shutdown() throws InterruptedException {
        var release = new CountDownLatch(1);
        var pool = Executors.newFixedThreadPool(CORE_SIZE);
        submit(pool, 5, release);
        var neverStarted = pool.shutdownNow();
        boolean ended = pool.awaitTermination(10, TimeUnit.SECONDS);
        return Observation.of(
                "shutdownNow interrupts running tasks and returns those that never started",
                neverStarted.size() + " of 5 tasks returned, pool " + (ended ? "ended" : "still runs"),
                ended && neverStarted.size() == 3);
    }

    private static ThreadPoolExecutor pool(BlockingQueue<Runnable> queue) {
        return new ThreadPoolExecutor(CORE_SIZE, MAXIMUM_SIZE, 1, TimeUnit.SECONDS, queue);
    }

    private static void submit(Executor pool, int tasks, CountDownLatch release) {
        for (int i = 0; i < tasks; i++) {
            pool.execute(() -> Latches.await(release));
        }
    }

    private static boolean isRejected(ThreadPoolExecutor pool, CountDownLatch release) {
        try {
            submit(pool, 1, release);
            return false;
        } catch (RejectedExecutionException full) {
            return true;
        }
    }

    private static String sizes(ThreadPoolExecutor pool) {
        return pool.getPoolSize() + " threads, " + pool.getQueue().size() + " queued";
    }

    private static Observation sizeRow(String claim, String observed, String expected) {
        return Observation.of(claim, observed, observed.equals(expected));
    }
}
