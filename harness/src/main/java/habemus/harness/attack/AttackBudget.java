package habemus.harness.attack;

import java.time.Duration;

/**
 * How much an attack does.
 *
 * @param seed of all mutations
 * @param from number of the first mutated frame
 * @param decoderFrames mutated frames in this process
 * @param socketFrames mutated frames over sockets, at all ports together
 * @param connections slow connections at each port
 * @param names of locks that one client acquires
 * @param maxTime after which an attack with mutated frames ends, wherever it is
 * @param flood how long valid frames are sent as fast as the node reads
 * @param isThorough whether the latency of the honest client and the memory of the nodes count: seconds show neither
 */
public record AttackBudget(
        long seed,
        long from,
        long decoderFrames,
        long socketFrames,
        int connections,
        int names,
        Duration maxTime,
        Duration flood,
        boolean isThorough) {

    private static final Duration MAX_TIME = Duration.ofHours(10);

    /** The whole campaign. */
    public static AttackBudget full(long seed) {
        return new AttackBudget(seed, 0, 10_000_000, 2_000_000, 2_000, 300_000, MAX_TIME, Duration.ofSeconds(20), true);
    }

    /** For every build: seconds. */
    public static AttackBudget quick(long seed) {
        return new AttackBudget(seed, 0, 300_000, 6_000, 100, 5_000, MAX_TIME, Duration.ofSeconds(1), false);
    }

    /** The mutated frames from a number on, and no more than so many. */
    public AttackBudget withFrames(long first, long count) {
        return new AttackBudget(seed, first, count, count, connections, names, maxTime, flood, isThorough);
    }

    public AttackBudget withMaxTime(Duration time) {
        return new AttackBudget(seed, from, decoderFrames, socketFrames, connections, names, time, flood, isThorough);
    }

    /** {@return whether an attack that began at this time, on {@link System#nanoTime}, must end} */
    boolean isOver(long startNanos) {
        return System.nanoTime() - startNanos > maxTime.toNanos();
    }

    /** The command that sends these frames again. */
    String replay(String attack, long first, long count) {
        return "habemus attack " + attack + " --seed " + seed + " --from " + first + " --count " + count;
    }
}
