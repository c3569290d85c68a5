package habemus.world;

import java.util.Collections;
import java.util.List;

/**
 * A random generator that draws the same numbers from the same seed everywhere: with every version of Java, and where
 * the classes run as WebAssembly. It is SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
 *
 * <p>Not thread-safe.
 */
public final class SeededRandom {

    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private long state;

    public SeededRandom(long seed) {
        state = seed;
    }

    private long nextState() {
        state += GOLDEN_GAMMA;
        return state;
    }

    /** Any number. */
    public long nextLong() {
        long z = nextState();
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    private int nextInt() {
        long z = nextState();
        z = (z ^ (z >>> 33)) * 0x62A9D9ED799705F5L;
        return (int) (((z ^ (z >>> 28)) * 0xCB24D0A5C88C35B3L) >>> 32);
    }

    public boolean nextBoolean() {
        return nextInt() < 0;
    }

    /** From 0 up to the bound, without it. */
    public int nextInt(int bound) {
        requireBound(bound);
        int last = bound - 1;
        int drawn = nextInt();
        if ((bound & last) == 0) {
            return drawn & last;
        }
        int candidate = drawn >>> 1;
        while (candidate + last - candidate % bound < 0) { // it would make small numbers more likely
            candidate = nextInt() >>> 1;
        }
        return candidate % bound;
    }

    /** From 0 up to the bound, without it. */
    public long nextLong(long bound) {
        requireBound(bound);
        long last = bound - 1;
        long drawn = nextLong();
        if ((bound & last) == 0) {
            return drawn & last;
        }
        long candidate = drawn >>> 1;
        while (candidate + last - candidate % bound < 0) {
            candidate = nextLong() >>> 1;
        }
        return candidate % bound;
    }

    private static void requireBound(long bound) {
        if (bound <= 0) {
            throw new IllegalArgumentException("bound must be positive, was " + bound);
        }
    }

    /** From 0 up to 1, without 1. */
    public double nextDouble() {
        return (nextLong() >>> 11) * 0x1.0p-53;
    }

    /** From 0 up to the bound, without it. */
    public double nextDouble(double bound) {
        return nextDouble(0, bound);
    }

    /** From the origin up to the bound, without it. */
    public double nextDouble(double origin, double bound) {
        double drawn = nextDouble() * (bound - origin) + origin;
        return drawn < bound ? drawn : Math.nextDown(bound);
    }

    /** Every order is as likely as any other. */
    public void shuffle(List<?> list) {
        for (int last = list.size() - 1; last > 0; last--) {
            Collections.swap(list, last, nextInt(last + 1));
        }
    }
}
