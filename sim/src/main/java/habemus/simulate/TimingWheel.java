package habemus.simulate;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is to happen when: a timing wheel of two levels, of one microsecond and of 4096, and whole turns beyond. Adding
 * and taking cost the same whatever is planned; of two things at the same time, the one that was added first comes
 * first.
 *
 * <p>A thing is an index into parallel arrays, and a slot of the wheel a chain of them. The index that was given back
 * last is used next: a thousand things under way stay within the processor's first cache.
 */
final class TimingWheel {

    private static final int BITS = 12;
    private static final int SLOTS = 1 << BITS;
    private static final int MASK = SLOTS - 1;
    private static final int NONE = -1;

    /** The slots of one level: where each chain begins and ends, and which are not empty. */
    private static final class Level {
        final int[] heads = new int[SLOTS];
        final int[] tails = new int[SLOTS];
        final long[] used = new long[SLOTS / Long.SIZE];

        Level() {
            Arrays.fill(heads, NONE);
        }

        /** The first slot from this one on that is not empty. */
        int first(int from) {
            if (from >= SLOTS) {
                return NONE;
            }
            int word = from >> 6;
            long bits = used[word] & -1L << from;
            while (bits == 0) {
                if (++word == used.length) {
                    return NONE;
                }
                bits = used[word];
            }
            return (word << 6) + Long.numberOfTrailingZeros(bits);
        }

        void empty(int slot) {
            heads[slot] = NONE;
            used[slot >> 6] &= ~(1L << slot);
        }
    }

    private long[] times = new long[1 << 10];
    private long[] events = new long[1 << 10];
    private @Nullable Object[] payloads = new Object[1 << 10];
    private int[] nexts = new int[1 << 10]; // in the chain of a slot, or of free indexes
    private int free = NONE;
    private int fresh; // from here on no index was ever used

    private final Level near = new Level();
    private final Level far = new Level();
    private final TreeMap<Long, int[]> beyond = new TreeMap<>(); // head and tail of whole turns
    private long now;
    private long scheduled;
    private long event;
    private @Nullable Object payload;

    long now() {
        return now;
    }

    /** What {@link #advance} has moved to. */
    long event() {
        return event;
    }

    @Nullable
    Object payload() {
        return payload;
    }

    /** @param time now or later */
    void schedule(long time, long event, @Nullable Object payload) {
        scheduled++;
        int index = allocate();
        times[index] = time;
        events[index] = event;
        payloads[index] = payload;
        insert(index, time);
    }

    private int allocate() {
        if (free != NONE) {
            int index = free;
            free = nexts[index];
            return index;
        }
        if (fresh == nexts.length) {
            times = Arrays.copyOf(times, 2 * fresh);
            events = Arrays.copyOf(events, 2 * fresh);
            payloads = Arrays.copyOf(payloads, 2 * fresh);
            nexts = Arrays.copyOf(nexts, 2 * fresh);
        }
        return fresh++;
    }

    private void insert(int index, long time) {
        nexts[index] = NONE;
        if (time >> BITS == now >> BITS) {
            append(near, (int) time & MASK, index);
        } else if (time >> 2 * BITS == now >> 2 * BITS) {
            append(far, (int) (time >> BITS) & MASK, index);
        } else {
            postpone(index, time >> 2 * BITS);
        }
    }

    private void postpone(int index, long turn) {
        var chain = beyond.computeIfAbsent(turn, key -> new int[] {index, NONE});
        if (chain[1] != NONE) {
            nexts[chain[1]] = index;
        }
        chain[1] = index;
    }

    private void append(Level level, int slot, int index) {
        if (level.heads[slot] == NONE) {
            level.heads[slot] = index;
            level.used[slot >> 6] |= 1L << slot;
        } else {
            nexts[level.tails[slot]] = index;
        }
        level.tails[slot] = index;
    }

    /** Moves to the next thing, which {@link #event} and {@link #payload} then tell; false if nothing is left. */
    boolean advance() {
        if (scheduled == 0) {
            return false;
        }
        scheduled--;
        int slot = near.first((int) now & MASK);
        while (slot == NONE) {
            refill();
            slot = near.first((int) now & MASK);
        }
        now = now & ~(long) MASK | slot;
        int index = near.heads[slot];
        event = events[index];
        payload = payloads[index];
        payloads[index] = null;
        if (nexts[index] == NONE) {
            near.empty(slot);
        } else {
            near.heads[slot] = nexts[index];
        }
        nexts[index] = free;
        free = index;
        return true;
    }

    /** The near level is empty: fills it from the far one, or that from beyond. */
    private void refill() {
        int slot = far.first(((int) (now >> BITS) & MASK) + 1);
        if (slot != NONE) {
            now = (now >> 2 * BITS << BITS | slot) << BITS;
            int chain = far.heads[slot];
            far.empty(slot);
            insertAll(chain);
        } else {
            Map.Entry<Long, int[]> turn = beyond.pollFirstEntry();
            now = turn.getKey() << 2 * BITS;
            insertAll(turn.getValue()[0]);
        }
    }

    private void insertAll(int chain) {
        int index = chain;
        while (index != NONE) {
            int after = nexts[index];
            insert(index, times[index]);
            index = after;
        }
    }
}
