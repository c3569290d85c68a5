package habemus.cli;

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
 * @param enough ends it before its time
 */
record Soak(int nodes, Duration time, long seed, Path folder, CountDownLatch enough, Progress progress) {

    private static final Duration LOOKING = Duration.ofMillis(250); // between two looks

    /**
     * How it went.
     *
     * @param faults that have struck nodes
     * @param troubles that are nobody's fault but ours
     */
    record Course(double seconds, Map<Strikes.Kind, Integer> faults, List<String> troubles) {}

    /** What is run. */
    interface Kind {

        SoakReport run(Soak soak) throws InterruptedException;
    }

    SoakReport run(Kind kind) {
        try {
            return kind.run(this);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw Refusal.cannot("it was interrupted", "let it run to its end");
        } finally {
            progress.clear();
        }
    }

    /** How many nodes are struck at once, at most. */
    int minority() {
        return (nodes - 1) / 2;
    }

    Path data() {
        return folder.resolve("data");
    }

    /**
     * Lets faults strike, and shows how far it is.
     *
     * @param begun when all of it began
     * @param end when to return
     * @throws Refusal if it is ended before
     */
    void watch(long begun, long end, Supplier<String> done) throws InterruptedException {
        while (System.nanoTime() - end < 0) {
            progress.show(done.get(), (System.nanoTime() - begun) / 1_000_000_000, time.toSeconds());
            if (enough.await(LOOKING.toMillis(), TimeUnit.MILLISECONDS)) {
                throw Refusal.cannot(
                        "it was ended before its time, and nothing is judged",
                        "give fewer --minutes; what was recorded with --record DIR is there");
            }
        }
    }
}
