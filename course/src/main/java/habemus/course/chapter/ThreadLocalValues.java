package habemus.course.chapter;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** A thread-local variable has one value for each thread; in a pool it outlives the task that set it. */
final class ThreadLocalValues implements Demonstration {

    private static final int THREADS = 1_000;

    @Override
    public String name() {
        return "thread-local";
    }

    @Override
    public String claim() {
        return "Each thread has its own value; a pooled thread keeps it for the next task.";
    }

    @Override
    public List<Observation> run() throws InterruptedException {
        return List.of(ownValues(), leak(), removed(), inherited(), virtualThreads());
    }

    private static Observation ownValues() throws InterruptedException {
        var user = new ThreadLocal<String>();
        var seen = new AtomicReference<>("");
        user.set("alice");
        Thread.ofPlatform().start(() -> seen.set(String.valueOf(user.get()))).join();
        var here = user.get();
        user.remove();
        return Observation.of(
                "a value is seen by the thread that set it, and by no other",
                "here " + here + ", in another thread " + seen,
                "alice".equals(here) && seen.get().equals("null"));
    }

    private static Observation leak() throws InterruptedException {
        var user = new ThreadLocal<String>();
        try (var pool = Executors.newSingleThreadExecutor()) {
            runTask(pool, () -> user.set("alice"));
            var next = valueInTask(pool, user);
            return Observation.of(
                    "a pooled thread keeps the value for the next task: it leaks",
                    "the next task reads " + next,
                    next.equals("alice"));
        }
    }

    private static Observation removed() throws InterruptedException {
        var user = new ThreadLocal<String>();
        try (var pool = Executors.newSingleThreadExecutor()) {
            runTask(pool, () -> {
                user.set("alice");
                try {
                    user.get();
                } finally {
                    user.remove();
                }
            });
            var next = valueInTask(pool, user);
            return Observation.of(
                    "remove in a finally block cures the leak", "the next task reads " + next, next.equals("null"));
        }
    }

    private static Observation inherited() throws InterruptedException {
        var user = new InheritableThreadLocal<String>();
        user.set("alice");
        try (var pool = Executors.newSingleThreadExecutor()) {
            var first = valueInTask(pool, user);
            user.set("bob");
            var second = valueInTask(pool, user);
            user.remove();
            return Observation.of(
                    "an inherited value is copied when the thread is created, not when a task is submitted",
                    "set alice: the task reads " + first + "; set bob: the next task reads " + second,
                    first.equals("alice") && second.equals("alice"));
        }
    }

    private static Observation virtualThreads() {
        var copies = new AtomicInteger();
        var buffer = ThreadLocal.withInitial(copies::incrementAndGet);
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < THREADS; i++) {
                executor.execute(buffer::get);
            }
        }
        return Observation.of(
                "every virtual thread has a copy of its own: a thread-local is no cache for them",
                copies + " copies for " + THREADS + " threads",
                copies.get() == THREADS);
    }

    private static String valueInTask(ExecutorService pool, ThreadLocal<String> user) throws InterruptedException {
        var seen = new AtomicReference<>("");
        runTask(pool, () -> seen.set(String.valueOf(user.get())));
        return seen.get();
    }

    private static void runTask(ExecutorService pool, Runnable task) throws InterruptedException {
        try {
            pool.submit(task).get();
        } catch (ExecutionException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
