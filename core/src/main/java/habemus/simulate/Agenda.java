package habemus.simulate;

import java.util.Arrays;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is to happen when: a timing wheel of two levels, of one microsecond and of 4096, and whole turns beyond. Adding
 * and taking cost the same whatever is planned; of two things at the same time, the one that was added first comes first.
 */
final class Agenda {

    private static final int BITS = 12;
    private static final int SLOTS = 1 << BITS;
    private static final int MASK = SLOTS - 1;
    private static final int KEPT = 1 << 12; // larger slots give their arrays back

    /** The things of one slot, as parallel arrays: no object for each. */
    private static final class Slot {
        long[] times = {};
        long[] whats = {};

        @Nullable
        Object[] loads = {};

        int size;

        void add(long time, long what, @Nullable Object load) {
            if (size == whats.length) {
                int longer = Math.max(8, size * 2);
                times = Arrays.copyOf(times, longer);
                whats = Arrays.copyOf(whats, longer);
                loads = Arrays.copyOf(loads, longer);
            }
            times[size] = time;
            whats[size] = what;
            loads[size++] = load;
        }

        void clear() {
            if (size > KEPT) {
                times = new long[] {};
                whats = new long[] {};
                loads = new Object[] {};
            } else {
                Arrays.fill(loads, 0, size, null);
            }
            size = 0;
        }
    }

    private final Slot[] near = slots();
    private final Slot[] far = slots();
    private final TreeMap<Long, Slot> beyond = new TreeMap<>();
    private final long[] nearUsed = new long[SLOTS / 64];
    private final long[] farUsed = new long[SLOTS / 64];
    private long now;
    private long planned;
    private Slot open = near[0]; // the slot being read, and how far
    private int read;
    private boolean reading;

    private static Slot[] slots() {
        var slots = new Slot[SLOTS];
        Arrays.setAll(slots, i -> new Slot());
        return slots;
    }

    long now() {
        return now;
    }

    /** @param time now or later */
    void add(long time, long what, @Nullable Object load) {
        planned++;
        place(time, what, load);
    }

    private void place(long time, long what, @Nullable Object load) {
        if (time >> BITS == now >> BITS) {
            put(near, nearUsed, (int) time & MASK).add(time, what, load);
        } else if (time >> 2 * BITS == now >> 2 * BITS) {
            put(far, farUsed, (int) (time >> BITS) & MASK).add(time, what, load);
        } else {
            beyond.computeIfAbsent(time >> 2 * BITS, turn -> new Slot()).add(time, what, load);
        }
    }

    private static Slot put(Slot[] level, long[] used, int at) {
        used[at >> 6] |= 1L << at;
        return level[at];
    }

    /** Moves to the next thing, which {@link #what} and {@link #load} then tell; false if nothing is left. */
    boolean next() {
        if (reading && ++read < open.size) {
            planned--;
            return true;
        }
        if (reading) {
            int at = (int) now & MASK;
            open.clear();
            nearUsed[at >> 6] &= ~(1L << at);
            reading = false;
        }
        if (planned == 0) {
            return false;
        }
        int at = first(nearUsed, (int) now & MASK);
        while (at < 0) {
            turn();
            at = first(nearUsed, (int) now & MASK);
        }
        now = now & ~(long) MASK | at;
        open = near[at];
        read = 0;
        reading = true;
        planned--;
        return true;
    }

    /** The near wheel is empty: fills it from the far one, or that from beyond. */
    private void turn() {
        int block = first(farUsed, ((int) (now >> BITS) & MASK) + 1);
        if (block >= 0) {
            now = (now >> 2 * BITS << BITS | block) << BITS;
            farUsed[block >> 6] &= ~(1L << block);
            spread(far[block]);
        } else {
            var turn = beyond.pollFirstEntry();
            now = turn.getKey() << 2 * BITS;
            spread(turn.getValue());
        }
    }

    private void spread(Slot slot) {
        for (int i = 0; i < slot.size; i++) {
            place(slot.times[i], slot.whats[i], slot.loads[i]);
        }
        slot.clear();
    }

    private static int first(long[] used, int from) {
        if (from >= SLOTS) {
            return -1;
        }
        int word = from >> 6;
        long bits = used[word] & -1L << from;
        while (bits == 0) {
            if (++word == used.length) {
                return -1;
            }
            bits = used[word];
        }
        return (word << 6) + Long.numberOfTrailingZeros(bits);
    }

    long what() {
        return open.whats[read];
    }

    @Nullable
    Object load() {
        return open.loads[read];
    }
}
