package habemus.harness.soak;

import habemus.harness.HarnessException;
import habemus.harness.ProgressListener;
import habemus.harness.faults.RandomFaults;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Runs real processes under random faults for a long time. The {@link Target} decides what the processes run.
 *
 * @param folder for everything that is recorded; a folder within it holds the data of the nodes
 * @param stopSignal ends the soak early
 */
public record Soak(
        int nodes, Duration duration, long seed, Path folder, CountDownLatch stopSignal, ProgressListener progress) {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(250);

    /**
     * @param faults injected into nodes
     * @param problems of the experiment itself, such as a node that did not restart
     */
    record FaultSummary(double seconds, Map<RandomFaults.Kind, Integer> faults, List<String> problems) {}

    /** The system under test. */
    public interface Target {

        SoakReport run(Soak soak) throws InterruptedException;
    }

    public SoakReport run(Target target) {
        try {
            return target.run(this);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new HarnessException("the soak was interrupted", "let it run to its end");
        } finally {
            progress.clear();
        }
    }

    /** The largest number of nodes that leaves a majority healthy. */
    int maxFaulty() {
        return (nodes - 1) / 2;
    }

    Path dataFolder() {
        return folder.resolve("data");
    }

    /**
     * Waits, and shows the progress.
     *
     * @param start of the soak, on {@link System#nanoTime}
     * @param end when to return, on {@link System#nanoTime}
     * @throws HarnessException if the soak is stopped early
     */
    void runUntil(long start, long end, Supplier<String> summary) throws InterruptedException {
        while (System.nanoTime() - end < 0) {
            progress.show(summary.get(), (System.nanoTime() - start) / 1_000_000_000, duration.toSeconds());
            if (stopSignal.await(POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new HarnessException(
                        "the soak was stopped early, and nothing was checked",
                        "use fewer --minutes; --record DIR keeps what was recorded");
            }
        }
    }
}
