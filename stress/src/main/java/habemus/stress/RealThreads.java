package habemus.stress;

import static java.util.stream.Collectors.joining;

import habemus.course.threads.StressReport.ThreadFinding;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Runs a program of threads on the real JVM many times. A program that hangs is a failure, with its cycle of locks. */
final class RealThreads {

    private static final Duration HANGS_AFTER = Duration.ofSeconds(20);
    private static final Duration LOOKS_EVERY = Duration.ofMillis(500);

    private RealThreads() {}

    /** What a thread does. */
    @FunctionalInterface
    interface ThreadBody {
        void run(int thread) throws InterruptedException;
    }

    /** Runs threads with the numbers from 0 on, and waits for all of them. The first failure is thrown. */
    static void together(int threads, ThreadBody body) {
        var failure = new AtomicReference<@Nullable Throwable>();
        var gate = new CountDownLatch(1);
        var started = new ArrayList<Thread>();
        for (int number = 0; number < threads; number++) {
            int thread = number;
            started.add(start("thread " + thread, failure, () -> {
                gate.await();
                body.run(thread);
            }));
        }
        gate.countDown();
        started.forEach(ExerciseOperations::join);
        var thrown = failure.get();
        if (thrown != null) {
            throw new AssertionError(describe(thrown), thrown);
        }
    }

    /** An action that may be interrupted. */
    private interface Action {
        void run() throws InterruptedException;
    }

    private static Thread start(String name, AtomicReference<@Nullable Throwable> failure, Action action) {
        var thread = new Thread(
                () -> {
                    try {
                        action.run();
                    } catch (InterruptedException | RuntimeException | AssertionError thrown) {
                        failure.compareAndSet(null, thrown);
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** @param program takes the number of the run, from 0 on */
    static ThreadFinding repeat(String criterion, int runs, String what, IntConsumer program) {
        for (int run = 0; run < runs; run++) {
            var failed = runOnce(run, program);
            if (failed.isPresent()) {
                return new ThreadFinding(
                        criterion, false, what + ": run " + (run + 1) + ": " + failed.get(), List.of());
            }
        }
        return new ThreadFinding(criterion, true, what + ": " + runs + " runs", List.of());
    }

    /** The runs count only if the exploration found no failing interleaving. */
    static ThreadFinding unless(ThreadFinding explored, ThreadFinding run) {
        return explored.isPassed() || !run.isPassed()
                ? run
                : new ThreadFinding(
                        run.criterion(),
                        false,
                        run.reason() + " without a failure, by luck: the interleaving of '" + explored.criterion()
                                + "' fails",
                        List.of());
    }

    private static Optional<String> runOnce(int run, IntConsumer program) {
        var failure = new AtomicReference<@Nullable Throwable>();
        var runner = start("main", failure, () -> program.accept(run));
        try {
            for (int looks = 1; !runner.join(LOOKS_EVERY); looks++) {
                var cycle = lockCycle();
                if (cycle.isPresent() || LOOKS_EVERY.multipliedBy(looks).compareTo(HANGS_AFTER) > 0) {
                    return Optional.of(cycle.orElse("hangs: every thread waits for a notification that does not come"));
                }
            }
        } catch (InterruptedException stop) {
            throw new IllegalStateException("interrupted", stop);
        }
        return Optional.ofNullable(failure.get()).map(RealThreads::describe);
    }

    private static String describe(Throwable thrown) {
        return thrown instanceof AssertionError ? String.valueOf(thrown.getMessage()) : thrown.toString();
    }

    private static Optional<String> lockCycle() {
        var management = ManagementFactory.getThreadMXBean();
        return Optional.ofNullable(management.findDeadlockedThreads())
                .map(cycle -> "deadlock: "
                        + Arrays.stream(management.getThreadInfo(cycle, true, true))
                                .map(RealThreads::describe)
                                .collect(joining("; ")));
    }

    private static String describe(ThreadInfo info) {
        var line = Arrays.stream(info.getStackTrace())
                .filter(frame -> !frame.getClassName().startsWith("java.")
                        && !frame.getClassName().startsWith("jdk."))
                .findFirst()
                .map(frame -> " at " + frame.getFileName() + ":" + frame.getLineNumber())
                .orElse("");
        return info.getThreadName() + " waits" + line + " for a lock that " + info.getLockOwnerName() + " holds";
    }

    static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise);
        }
    }
}
