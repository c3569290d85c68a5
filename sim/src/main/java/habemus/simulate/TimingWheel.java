package habemus.simulate;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The queue of scheduled events: a hierarchical timing wheel with slots of 1 and of 4096 microseconds, and an overflow
 * map for later turns. Scheduling and advancing take constant time. Events of the same time come in the order in which
 * they were scheduled.
 *
 * <p>An event is an index into parallel arrays; a slot is a linked list of indexes. The index that was freed last is
 * reused first, so that a thousand scheduled events stay in the L1 cache.
 */
final class TimingWheel {

    private static final int BITS = 12;
    private static final int SLOTS = 1 << BITS;
    private static final int MASK = SLOTS - 1;
    private static final int NONE = -1;

    /** The slots of one level: head and tail of each list, and a bit set of the slots in use. */
    private static final class Level {
        final int[] heads = new int[SLOTS];
        final int[] tails = new int[SLOTS];
        final long[] used = new long[SLOTS / Long.SIZE];

        Level() {
            Arrays.fill(heads, NONE);
        }

        /** The first slot at or after {@code from} that is in use. */
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
    private int[] nexts = new int[1 << 10]; // next in the list of a slot, or in the free list
    private int free = NONE;
    private int fresh; // indexes from here on were never used

    private final Level near = new Level();
    private final Level far = new Level();
    private final TreeMap<Long, int[]> overflow = new TreeMap<>(); // head and tail of the list of each later turn
    private long now;
    private long scheduled;
    private long event;
    private @Nullable Object payload;

    long now() {
        return now;
    }

    /** The event that {@link #advance} moved to. */
    long event() {
        return event;
    }

    @Nullable
    Object payload() {
        return payload;
    }

    /** @param time in microseconds, not before {@link #now} */
    void schedule(long time, long event, @Nullable Object payload) {
        scheduled++;
        int index = allocate();
        times[index] = time;
        events[index] = event;
        payloads[index] = payload;
        insert(index, time);
    }

    /** The time of the latest scheduled event that equals this one and has a payload; negative if there is none. */
    long latest(long equalEvent) {
        return latest(equalEvent, -1L);
    }

    /** The time of the latest scheduled message to this node; negative if there is none. */
    long latestMessageTo(int node) {
        return latest(PackedEvent.of(PackedEvent.MESSAGE, node, 0), PackedEvent.KIND_AND_NODE);
    }

    /** Visits all events: for rare inputs only. */
    private long latest(long like, long mask) {
        long latest = -1;
        for (int i = 0; i < fresh; i++) {
            latest = payloads[i] != null && (events[i] & mask) == like ? Math.max(latest, times[i]) : latest;
        }
        return latest;
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
            addToOverflow(index, time >> 2 * BITS);
        }
    }

    private void addToOverflow(int index, long turn) {
        var list = overflow.computeIfAbsent(turn, key -> new int[] {index, NONE});
        if (list[1] != NONE) {
            nexts[list[1]] = index;
        }
        list[1] = index;
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

    /** Moves to the next event, see {@link #event} and {@link #payload}. Returns false if there is none. */
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

    /** Refills the empty near level from the far one, or both levels from the overflow map. */
    private void refill() {
        int slot = far.first(((int) (now >> BITS) & MASK) + 1);
        if (slot != NONE) {
            now = (now >> 2 * BITS << BITS | slot) << BITS;
            int head = far.heads[slot];
            far.empty(slot);
            insertAll(head);
        } else {
            Map.Entry<Long, int[]> turn = overflow.pollFirstEntry();
            now = turn.getKey() << 2 * BITS;
            insertAll(turn.getValue()[0]);
        }
    }

    private void insertAll(int head) {
        int index = head;
        while (index != NONE) {
            int next = nexts[index];
            insert(index, times[index]);
            index = next;
        }
    }
}
