package habemus.check.store;

import org.jspecify.annotations.Nullable;

/**
 * Every state that was met, in the order of meeting; and an open table of hashes to find it again. Half of a hash is
 * kept beside the number, so that another state is rarely mistaken for it, and never for long: what is found is
 * compared number by number. If states are compacted, it is the other half of the hash that is compared, and a state
 * is forgotten once it was expanded.
 */
public final class VisitedStates {

    private static final int LOOKAHEAD = 16;
    private static final long HIGH_HALF = 0xFFFF_FFFF_0000_0000L;

    private final IntRowStore rows;
    private final IntRowStore parents = new IntRowStore(1);
    private final @Nullable IntRowStore
            lowHashes; // the low halves of the hashes; null where the states themselves are kept
    private long[] slots = new long[1 << 13]; // high half of the hash, and one more than the number
    private final long[] prefetched = new long[LOOKAHEAD];
    private int sizeAtLevelStart; // so many are of earlier levels, or of the one that is being expanded
    private boolean backEdge;

    /** @param width how many numbers a state has */
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

    /** From which state it was met first. */
    public int parent(int number) {
        return parents.get(number, 0);
    }

    /** The states before this one were expanded. */
    public void releaseExpanded(int number) {
        if (lowHashes != null) {
            rows.release(number);
        }
    }

    /** The number of a state; negative if it was not met. */
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

    /** What is here now was not met by expanding what comes next. */
    public void beginLevel() {
        sizeAtLevelStart = size();
    }

    /** Whether a step has led from one level to the same or an earlier one. Without any there is no cycle. */
    public boolean hasBackEdge() {
        return backEdge;
    }

    /** Those of the batch that are new. Looks ahead, so that the waits for memory, most of the work, overlap. */
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

    /** @param seen what was in its slot a moment ago; a slot that is taken never changes */
    private void add(SuccessorBatch successorBatch, int which, long seen) {
        long hash = successorBatch.hash(which);
        int i = slot(hash);
        for (long slot = seen != 0 ? seen : slots[i]; slot != 0; slot = slots[i]) {
            if (isSame(slot, successorBatch.rows(), successorBatch.offset(which), hash)) {
                backEdge |= (int) slot <= sizeAtLevelStart;
                return;
            }
            i = nextSlot(i);
        }
        slots[i] = hash & HIGH_HALF | size() + 1;
        rows.add(successorBatch.rows(), successorBatch.offset(which));
        parents.add(successorBatch.rows(), successorBatch.parentOffset(which));
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

    /** Those with larger hashes stand further behind, however many slots there are. */
    private int slot(long hash) {
        return (int) ((hash >>> 32) * slots.length >>> 32);
    }

    private int nextSlot(int place) {
        return place + 1 < slots.length ? place + 1 : 0;
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
