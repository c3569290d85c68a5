package habemus.check.store;

import org.jspecify.annotations.Nullable;

/**
 * The visited states of one shard, in the order of their first visit, with an open-addressing hash table. A slot holds
 * the high half of the hash and the number of the state, so most lookups of other states end without reading them. A
 * match is then compared in full. With hash compaction, the low half of the hash is compared instead, and a state is
 * released once it is expanded.
 */
public final class VisitedStates {

    private static final int LOOKAHEAD = 16;
    private static final long HIGH_HALF = 0xFFFF_FFFF_0000_0000L;

    private final IntRowStore rows;
    private final IntRowStore parents = new IntRowStore(1);
    private final @Nullable IntRowStore lowHashes; // the low halves of the hashes; null without hash compaction
    private long[] slots = new long[1 << 13]; // high half of the hash, and the number + 1
    private final long[] prefetched = new long[LOOKAHEAD];
    private int sizeAtLevelStart; // states of the current and of earlier levels
    private boolean backEdge;

    /** @param width the number of ints of a state */
    public VisitedStates(int width, boolean compact) {
        rows = new IntRowStore(width);
        lowHashes = compact ? new IntRowStore(1) : null;
    }

    public int size() {
        return parents.size();
    }

    public long bytes() {
        return 8L * slots.length + rows.bytes() + parents.bytes() + (lowHashes == null ? 0 : lowHashes.bytes());
    }

    public void read(int number, int[] into) {
        rows.read(number, into);
    }

    /** The state from index it was visited first. */
    public int parent(int number) {
        return parents.get(number, 0);
    }

    /** With hash compaction, releases the states before this one. */
    public void releaseExpanded(int number) {
        if (lowHashes != null) {
            rows.release(number);
        }
    }

    /** The number of a state; negative if it was not visited. */
    public int find(int[] state, long hash) {
        int i = slot(hash);
        for (long slot = slots[i]; slot != 0; slot = slots[i]) {
            if (isSame(slot, state, 0, hash)) {
                return (int) slot - 1;
            }
            i = nextSlot(i);
        }
        return -1;
    }

    /** Marks the start of a level: transitions to the states so far are back edges from now on. */
    public void beginLevel() {
        sizeAtLevelStart = size();
    }

    /** Whether a transition led to the same or an earlier level. If there is none, the graph has no cycle. */
    public boolean hasBackEdge() {
        return backEdge;
    }

    /** Adds the new states of a batch. Reads slots ahead: cache misses are most of the work, and so they overlap. */
    public void addAll(SuccessorBatch successorBatch) {
        for (int from = 0; from < successorBatch.size(); from += LOOKAHEAD) {
            if (size() + LOOKAHEAD > slots.length / 3 * 2) {
                grow();
            }
            int to = Math.min(successorBatch.size(), from + LOOKAHEAD);
            for (int i = from; i < to; i++) {
                prefetched[i - from] = slots[slot(successorBatch.hash(i))];
            }
            for (int i = from; i < to; i++) {
                add(successorBatch, i, prefetched[i - from]);
            }
        }
    }

    /** @param seen the value of its slot a moment ago; an occupied slot never changes */
    private void add(SuccessorBatch successorBatch, int index, long seen) {
        long hash = successorBatch.hash(index);
        int i = slot(hash);
        for (long slot = seen != 0 ? seen : slots[i]; slot != 0; slot = slots[i]) {
            if (isSame(slot, successorBatch.rows(), successorBatch.offset(index), hash)) {
                backEdge |= (int) slot <= sizeAtLevelStart;
                return;
            }
            i = nextSlot(i);
        }
        slots[i] = hash & HIGH_HALF | size() + 1;
        rows.add(successorBatch.rows(), successorBatch.offset(index));
        parents.add(successorBatch.rows(), successorBatch.parentOffset(index));
        if (lowHashes != null) {
            lowHashes.add((int) hash);
        }
    }

    private boolean isSame(long slot, int[] vectors, int offset, long hash) {
        if (((slot ^ hash) & HIGH_HALF) != 0) {
            return false;
        }
        int number = (int) slot - 1;
        return lowHashes == null ? rows.isSame(number, vectors, offset) : lowHashes.get(number, 0) == (int) hash;
    }

    /** Slots are ordered by hash, whatever the size of the table. */
    private int slot(long hash) {
        return (int) ((hash >>> 32) * slots.length >>> 32);
    }

    private int nextSlot(int slot) {
        return slot + 1 < slots.length ? slot + 1 : 0;
    }

    private void grow() {
        var old = slots;
        slots = new long[old.length / 2 * 3];
        for (long slot : old) {
            if (slot != 0) {
                int i = slot(slot);
                while (slots[i] != 0) {
                    i = nextSlot(i);
                }
                slots[i] = slot;
            }
        }
    }
}
