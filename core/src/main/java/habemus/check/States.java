package habemus.check;

import org.jspecify.annotations.Nullable;

/**
 * Every state that was met, in the order of meeting; and an open table of hashes to find it again. Half of a hash is
 * kept beside the number, so that another state is rarely mistaken for it, and never for long: what is found is
 * compared number by number. If states are compacted, it is the other half of the hash that is compared, and a state
 * is forgotten once it was expanded.
 */
final class States {

    private static final int AHEAD = 16;
    private static final long HIGH = 0xFFFF_FFFF_0000_0000L;

    private final Rows vectors;
    private final Rows parents = new Rows(1);
    private final @Nullable Rows marks; // the low halves of the hashes; null where the states themselves are kept
    private long[] slots = new long[1 << 13]; // high half of the hash, and one more than the number
    private final long[] ahead = new long[AHEAD];
    private int old; // so many are of earlier levels, or of the one that is being expanded
    private boolean back;

    /** @param width how many numbers a state has */
    States(int width, boolean compact) {
        vectors = new Rows(width);
        marks = compact ? new Rows(1) : null;
    }

    int size() {
        return parents.size();
    }

    long bytes() {
        return 8L * slots.length + vectors.bytes() + parents.bytes() + (marks == null ? 0 : marks.bytes());
    }

    void read(int number, int[] into) {
        vectors.read(number, into);
    }

    /** From which state it was met first. */
    int parent(int number) {
        return parents.get(number, 0);
    }

    /** The states before this one were expanded. */
    void expanded(int number) {
        if (marks != null) {
            vectors.release(number);
        }
    }

    /** The number of a state; negative if it was not met. */
    int find(int[] state, long hash) {
        int i = place(hash);
        for (long slot = slots[i]; slot != 0; slot = slots[i]) {
            if (isSame(slot, state, 0, hash)) {
                return (int) slot - 1;
            }
            i = after(i);
        }
        return -1;
    }

    /** What is here now was not met by expanding what comes next. */
    void beginLevel() {
        old = size();
    }

    /** Whether a step has led from one level to the same or an earlier one. Without any there is no cycle. */
    boolean hasBackEdge() {
        return back;
    }

    /** Those of the batch that are new. Looks ahead, so that the waits for memory, most of the work, overlap. */
    void addAll(Batch batch) {
        for (int from = 0; from < batch.size(); from += AHEAD) {
            if (size() + AHEAD > slots.length / 3 * 2) {
                grow();
            }
            int to = Math.min(batch.size(), from + AHEAD);
            for (int i = from; i < to; i++) {
                ahead[i - from] = slots[place(batch.hash(i))];
            }
            for (int i = from; i < to; i++) {
                add(batch, i, ahead[i - from]);
            }
        }
    }

    /** @param seen what was in its slot a moment ago; a slot that is taken never changes */
    private void add(Batch batch, int which, long seen) {
        long hash = batch.hash(which);
        int i = place(hash);
        for (long slot = seen != 0 ? seen : slots[i]; slot != 0; slot = slots[i]) {
            if (isSame(slot, batch.rows(), batch.at(which), hash)) {
                back |= (int) slot <= old;
                return;
            }
            i = after(i);
        }
        slots[i] = hash & HIGH | size() + 1;
        vectors.add(batch.rows(), batch.at(which));
        parents.add(batch.rows(), batch.parentAt(which));
        if (marks != null) {
            marks.add((int) hash);
        }
    }

    private boolean isSame(long slot, int[] rows, int at, long hash) {
        if (((slot ^ hash) & HIGH) != 0) {
            return false;
        }
        int number = (int) slot - 1;
        return marks == null ? vectors.isSame(number, rows, at) : marks.get(number, 0) == (int) hash;
    }

    /** Those with larger hashes stand further behind, however many slots there are. */
    private int place(long hash) {
        return (int) ((hash >>> 32) * slots.length >>> 32);
    }

    private int after(int place) {
        return place + 1 < slots.length ? place + 1 : 0;
    }

    private void grow() {
        var old = slots;
        slots = new long[old.length / 2 * 3];
        for (long slot : old) {
            if (slot != 0) {
                int i = place(slot);
                while (slots[i] != 0) {
                    i = after(i);
                }
                slots[i] = slot;
            }
        }
    }
}
