package habemus.check;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * How to look, and when to give up.
 *
 * @param bytes of everything that is kept, about: see {@link Report#bytes}
 * @param depth how many steps to look ahead
 * @param atViolation whether the first violation ends the search; else it goes on until it can tell of all
 * @param order whether of several orders of steps that commute one is enough
 * @param symmetry whether of several states that differ only in who is who one is enough
 * @param compact whether hashes of 64 bits stand for states that were expanded, which takes less memory: see
 *     {@link Report#mistaken}
 * @param watch is told how far the search is
 */
public record Effort(
        long states,
        long bytes,
        Duration time,
        int depth,
        boolean atViolation,
        int threads,
        boolean order,
        boolean symmetry,
        boolean compact,
        Watch watch) {

    /** Somebody who looks on, and may have seen enough. */
    public interface Watch {

        /** Told several times a second; tells whether to go on. */
        boolean goOn(Sofar sofar);
    }

    /**
     * How far a search is.
     *
     * @param frontier how many of the states were not expanded yet
     * @param bytes what everything takes, about
     * @param expected how many states there will be, about; empty if no end is in sight
     */
    public record Sofar(long states, long transitions, long frontier, int depth, long bytes, OptionalLong expected) {}

    public Effort {
        if (threads < 1) {
            throw new IllegalArgumentException("somebody has to do it");
        }
    }

    /** Half of the memory that the JVM may have, and no other limit: every state, exactly, on one thread. */
    public static Effort ample() {
        long bytes = Runtime.getRuntime().maxMemory() / 2;
        var day = Duration.ofDays(1);
        int any = Integer.MAX_VALUE;
        return new Effort(any, bytes, day, any, false, 1, false, false, false, sofar -> true);
    }

    public Effort states(long most) {
        return new Effort(most, bytes, time, depth, atViolation, threads, order, symmetry, compact, watch);
    }

    public Effort bytes(long most) {
        return new Effort(states, most, time, depth, atViolation, threads, order, symmetry, compact, watch);
    }

    public Effort time(Duration most) {
        return new Effort(states, bytes, most, depth, atViolation, threads, order, symmetry, compact, watch);
    }

    public Effort depth(int most) {
        return new Effort(states, bytes, time, most, atViolation, threads, order, symmetry, compact, watch);
    }

    public Effort stoppingAtViolation() {
        return new Effort(states, bytes, time, depth, true, threads, order, symmetry, compact, watch);
    }

    public Effort threads(int next) {
        return new Effort(states, bytes, time, depth, atViolation, next, order, symmetry, compact, watch);
    }

    /** Of several orders of steps that commute, one is enough. */
    public Effort reducingOrder() {
        return new Effort(states, bytes, time, depth, atViolation, threads, true, symmetry, compact, watch);
    }

    /** Of several states that differ only in who is who, one is enough. */
    public Effort reducingSymmetry() {
        return new Effort(states, bytes, time, depth, atViolation, threads, order, true, compact, watch);
    }

    /** Hashes stand for states. */
    public Effort compacting() {
        return new Effort(states, bytes, time, depth, atViolation, threads, order, symmetry, true, watch);
    }

    public Effort watchedBy(Watch next) {
        return new Effort(states, bytes, time, depth, atViolation, threads, order, symmetry, compact, next);
    }
}
