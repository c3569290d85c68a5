package habemus.check.model;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * How to look, and when to give up.
 *
 * @param maxBytes of everything that is kept, about: see {@link CheckReport#bytes}
 * @param maxDepth how many steps to look ahead
 * @param stopAtViolation whether the first violation ends the search; else it goes on until it can tell of all
 * @param orderReduction whether of several orders of steps that commute one is enough
 * @param symmetryReduction whether of several states that differ only in who is who one is enough
 * @param hashCompaction whether hashes of 64 bits stand for states that were expanded, which takes less memory: see
 *     {@link CheckReport#collisionProbability}
 * @param progressListener is told how far the search is
 */
public record CheckOptions(
        long maxStates,
        long maxBytes,
        Duration timeLimit,
        int maxDepth,
        boolean stopAtViolation,
        int threads,
        boolean orderReduction,
        boolean symmetryReduction,
        boolean hashCompaction,
        ProgressListener progressListener) {

    /** Somebody who looks on, and may have seen enough. */
    public interface ProgressListener {

        /** Told several times a second; tells whether to go on. */
        boolean shouldContinue(Progress progress);
    }

    /**
     * How far a search is.
     *
     * @param frontier how many of the states were not expanded yet
     * @param bytes what everything takes, about
     * @param expectedStates how many states there will be, about; empty if no end is in sight
     */
    public record Progress(
            long states, long transitions, long frontier, int depth, long bytes, OptionalLong expectedStates) {}

    public CheckOptions {
        if (threads < 1) {
            throw new IllegalArgumentException("somebody has to do it");
        }
    }

    /** Half of the memory that the JVM may have, and no other limit: every state, exactly, on one thread. */
    public static CheckOptions defaults() {
        long bytes = Runtime.getRuntime().maxMemory() / 2;
        var day = Duration.ofDays(1);
        int any = Integer.MAX_VALUE;
        return new CheckOptions(any, bytes, day, any, false, 1, false, false, false, progress -> true);
    }

    public CheckOptions withMaxStates(long most) {
        return new CheckOptions(
                most,
                maxBytes,
                timeLimit,
                maxDepth,
                stopAtViolation,
                threads,
                orderReduction,
                symmetryReduction,
                hashCompaction,
                progressListener);
    }

    public CheckOptions withMaxBytes(long most) {
        return new CheckOptions(
                maxStates,
                most,
                timeLimit,
                maxDepth,
                stopAtViolation,
                threads,
                orderReduction,
                symmetryReduction,
                hashCompaction,
                progressListener);
    }

    public CheckOptions withTimeLimit(Duration most) {
        return new CheckOptions(
                maxStates,
                maxBytes,
                most,
                maxDepth,
                stopAtViolation,
                threads,
                orderReduction,
                symmetryReduction,
                hashCompaction,
                progressListener);
    }

    public CheckOptions withMaxDepth(int most) {
        return new CheckOptions(
                maxStates,
                maxBytes,
                timeLimit,
                most,
                stopAtViolation,
                threads,
                orderReduction,
                symmetryReduction,
                hashCompaction,
                progressListener);
    }

    public CheckOptions withStopAtViolation() {
        return new CheckOptions(
                maxStates,
                maxBytes,
                timeLimit,
                maxDepth,
                true,
                threads,
                orderReduction,
                symmetryReduction,
                hashCompaction,
                progressListener);
    }

    public CheckOptions withThreads(int next) {
        return new CheckOptions(
                maxStates,
                maxBytes,
                timeLimit,
                maxDepth,
                stopAtViolation,
                next,
                orderReduction,
                symmetryReduction,
                hashCompaction,
                progressListener);
    }

    /** Of several orders of steps that commute, one is enough. */
    public CheckOptions withOrderReduction() {
        return new CheckOptions(
                maxStates,
                maxBytes,
                timeLimit,
                maxDepth,
                stopAtViolation,
                threads,
                true,
                symmetryReduction,
                hashCompaction,
                progressListener);
    }

    /** Of several states that differ only in who is who, one is enough. */
    public CheckOptions withSymmetryReduction() {
        return new CheckOptions(
                maxStates,
                maxBytes,
                timeLimit,
                maxDepth,
                stopAtViolation,
                threads,
                orderReduction,
                true,
                hashCompaction,
                progressListener);
    }

    /** Hashes stand for states. */
    public CheckOptions withHashCompaction() {
        return new CheckOptions(
                maxStates,
                maxBytes,
                timeLimit,
                maxDepth,
                stopAtViolation,
                threads,
                orderReduction,
                symmetryReduction,
                true,
                progressListener);
    }

    public CheckOptions withProgressListener(ProgressListener next) {
        return new CheckOptions(
                maxStates,
                maxBytes,
                timeLimit,
                maxDepth,
                stopAtViolation,
                threads,
                orderReduction,
                symmetryReduction,
                hashCompaction,
                next);
    }
}
