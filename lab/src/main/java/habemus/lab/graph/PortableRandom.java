package habemus.lab.graph;

import java.util.Random;

/**
 * The generator that the Javadoc of {@link Random} specifies, to the bit. The class of that name in other Java
 * libraries draws other numbers for a seed.
 */
public final class PortableRandom extends Random {

    private static final long serialVersionUID = 1;
    private static final long MULTIPLIER = 0x5DEECE66DL;
    private static final long MASK = (1L << 48) - 1;

    private long state;

    public PortableRandom(long seed) {
        super(seed);
        state = (seed ^ MULTIPLIER) & MASK;
    }

    @Override
    protected int next(int bits) {
        state = (state * MULTIPLIER + 0xBL) & MASK;
        return (int) (state >>> (48 - bits));
    }

    @Override
    public int nextInt() {
        return next(32);
    }

    @Override
    public int nextInt(int bound) {
        if (bound <= 0) {
            throw new IllegalArgumentException("bound must be positive, was " + bound);
        }
        int bits = next(31);
        int most = bound - 1;
        if ((bound & most) == 0) {
            return (int) ((bound * (long) bits) >> 31);
        }
        int value = bits % bound;
        while (bits - value + most < 0) {
            bits = next(31);
            value = bits % bound;
        }
        return value;
    }

    @Override
    public double nextDouble() {
        return (((long) next(26) << 27) + next(27)) * 0x1.0p-53;
    }
}
