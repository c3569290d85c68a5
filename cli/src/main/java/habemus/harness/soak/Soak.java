package habemus.harness.soak;

import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.ProgressLine;
import habemus.harness.faults.RandomFaults;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Real processes under random faults, for long: what is common to all of it, whatever they run.
 *
 * @param folder for what is recorded; the data of the nodes is in one within it
 * @param stopSignal ends it before its time
 */
public record Soak(
        int nodes, Duration duration, long seed, Path folder, CountDownLatch stopSignal, ProgressLine progressLine) {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(250); // between two looks

    /**
     * How it went.
     *
     * @param faults that have struck nodes
     * @param problems that are nobody's fault but ours
     */
    record FaultSummary(double seconds, Map<RandomFaults.Kind, Integer> faults, List<String> problems) {}

    /** What is run. */
    public interface Target {

        SoakReport run(Soak soak) throws InterruptedException;
    }

    public SoakReport run(Target target) {
        try {
            return target.run(this);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw CommandException.failure("it was interrupted", "let it run to its end");
        } finally {
            progressLine.clear();
        }
    }

    /** How many nodes are struck at once, at most. */
    int maxFaulty() {
        return (nodes - 1) / 2;
    }

    Path dataFolder() {
        return folder.resolve("data");
    }

    /**
     * Lets faults strike, and shows how far it is.
     *
     * @param begun when all of it began
     * @param end when to return
     * @throws CommandException if it is ended before
     */
    void runUntil(long begun, long end, Supplier<String> done) throws InterruptedException {
        while (System.nanoTime() - end < 0) {
            progressLine.show(done.get(), (System.nanoTime() - begun) / 1_000_000_000, duration.toSeconds());
            if (stopSignal.await(POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                throw CommandException.failure(
                        "it was ended before its time, and nothing is judged",
                        "give fewer --minutes; what was recorded with --record DIR is there");
            }
        }
    }
}
