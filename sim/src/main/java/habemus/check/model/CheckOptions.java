package habemus.check.model;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * How to search, and when to stop.
 *
 * @param hashCompaction whether 64-bit hashes replace the expanded states, which saves memory: see
 *     {@link CheckReport#collisionProbability}
 * @param workers one for each shard
 */
public record CheckOptions(
        Limits limits,
        Reductions reductions,
        boolean hashCompaction,
        Workers workers,
        ProgressListener progressListener) {

    /**
     * When a search stops before it is complete.
     *
     * @param maxBytes the approximate memory of all tables: see {@link CheckReport#bytes}
     * @param maxDepth the most transitions from an initial state
     * @param stop which violations end the search
     */
    public record Limits(long maxStates, long maxBytes, Duration time, int maxDepth, Stop stop) {

        private Limits withMaxStates(long states) {
            return new Limits(states, maxBytes, time, maxDepth, stop);
        }

        private Limits withMaxBytes(long bytes) {
            return new Limits(maxStates, bytes, time, maxDepth, stop);
        }

        private Limits withTime(Duration limit) {
            return new Limits(maxStates, maxBytes, limit, maxDepth, stop);
        }

        private Limits withMaxDepth(int depth) {
            return new Limits(maxStates, maxBytes, time, depth, stop);
        }

        private Limits withStop(Stop next) {
            return new Limits(maxStates, maxBytes, time, maxDepth, next);
        }
    }

    /** Which violations end a search before it has visited all states. */
    public enum Stop {
        NEVER,
        /** Violations of all properties that are checked: no further state changes a verdict. */
        WHEN_DECIDED,
        AT_FIRST_VIOLATION
    }

    /**
     * Which states the search may skip. It proves that a reduction loses nothing, or searches without it.
     *
     * @param order whether one of several orders of commuting transitions is enough
     * @param symmetry whether one of several states that differ only by a permutation of the node ids is enough
     */
    public record Reductions(boolean order, boolean symmetry) {}

    /** Observes a search, and may stop it. */
    public interface ProgressListener {

        /** Called several times a second by the searching thread; false ends the search. */
        boolean shouldContinue(Progress progress);
    }

    /**
     * The progress of a search.
     *
     * @param frontier the number of states that are not expanded yet
     * @param bytes the approximate memory of all tables
     * @param expectedStates a forecast of the total; empty if there is none yet
     */
    public record Progress(
            long states, long transitions, long frontier, int depth, long bytes, OptionalLong expectedStates) {}

    /** An exact search of every state on the calling thread, limited to one day. */
    public static CheckOptions defaults() {
        var limits = new Limits(Integer.MAX_VALUE, Long.MAX_VALUE, Duration.ofDays(1), Integer.MAX_VALUE, Stop.NEVER);
        return new CheckOptions(limits, new Reductions(false, false), false, Workers.CALLER, progress -> true);
    }

    private CheckOptions with(Limits next) {
        return new CheckOptions(next, reductions, hashCompaction, workers, progressListener);
    }

    private CheckOptions with(Reductions next) {
        return new CheckOptions(limits, next, hashCompaction, workers, progressListener);
    }

    public CheckOptions withMaxStates(long states) {
        return with(limits.withMaxStates(states));
    }

    public CheckOptions withMaxBytes(long bytes) {
        return with(limits.withMaxBytes(bytes));
    }

    public CheckOptions withTimeLimit(Duration time) {
        return with(limits.withTime(time));
    }

    public CheckOptions withMaxDepth(int depth) {
        return with(limits.withMaxDepth(depth));
    }

    public CheckOptions withStop(Stop next) {
        return with(limits.withStop(next));
    }

    public CheckOptions withOrderReduction() {
        return with(new Reductions(true, reductions.symmetry));
    }

    public CheckOptions withSymmetryReduction() {
        return with(new Reductions(reductions.order, true));
    }

    public CheckOptions withHashCompaction() {
        return new CheckOptions(limits, reductions, true, workers, progressListener);
    }

    /** @param next the number of threads, at least 1 */
    public CheckOptions withThreads(int next) {
        return new CheckOptions(limits, reductions, hashCompaction, Workers.of(next), progressListener);
    }

    public CheckOptions withProgressListener(ProgressListener next) {
        return new CheckOptions(limits, reductions, hashCompaction, workers, next);
    }
}
