package habemus.check;

import java.util.Arrays;

/**
 * Every state that was met, exactly: its numbers as they are, in pages, in the order of meeting; and an open table of
 * hashes to find it again. Half of a hash is kept beside the number, so that another state is rarely mistaken for it,
 * and never for long: what is found is compared number by number.
 */
final class States {

    static final int ABSENT = -1;

    private static final int PAGE = 1 << 12; // states
    private static final int AHEAD = 16;
    private static final long HIGH = 0xFFFF_FFFF_0000_0000L;

    private final int width;
    private int[][] pages = new int[16][];
    private int size;
    private long[] slots = new long[1 << 12]; // high half of the hash, and one more than the number
    private int shift = Long.SIZE - 12;
    private final long[] ahead = new long[AHEAD];
    private int old; // so many are of earlier levels, or of the one that is being expanded
    private boolean back;

    /** @param width how many numbers a state has */
    States(int width) {
        this.width = width;
    }

    int size() {
        return size;
    }

    long bytes() {
        return 8L * slots.length + 4L * pages.length + (size + PAGE - 1L) / PAGE * (4L * PAGE * (width + 1));
    }

    void read(int number, int[] into) {
        System.arraycopy(pages[number / PAGE], number % PAGE * (width + 1), into, 0, width);
    }

    /** From which state it was met first. */
    int parent(int number) {
        return pages[number / PAGE][number % PAGE * (width + 1) + width];
    }

    /** What is here now was not met by expanding what comes next. */
    void beginLevel() {
        old = size;
    }

    /** Whether a step has led from one level to the same or an earlier one. Without any there is no cycle. */
    boolean hasBackEdge() {
        return back;
    }

    /** The number of a state, or {@link #ABSENT}. */
    int find(int[] state, long hash) {
        long tag = hash & HIGH;
        int i = (int) (hash >>> shift);
        for (long slot = slots[i]; slot != 0; slot = slots[i]) {
            if ((slot & HIGH) == tag && isSame((int) slot - 1, state, 0)) {
                return (int) slot - 1;
            }
            i = i + 1 & slots.length - 1;
        }
        return ABSENT;
    }

    /** Those of the batch that are new. Looks ahead, so that the waits for memory, most of the work, overlap. */
    void addAll(Batch batch) {
        for (int from = 0; from < batch.size(); from += AHEAD) {
            if (size + AHEAD > slots.length / 8 * 5) {
                grow();
            }
            int to = Math.min(batch.size(), from + AHEAD);
            for (int i = from; i < to; i++) {
                ahead[i - from] = slots[(int) (batch.hash(i) >>> shift)];
            }
            for (int i = from; i < to; i++) {
                add(batch.rows(), i * (width + 1), batch.hash(i), ahead[i - from]);
            }
        }
    }

    /** @param seen what was in its slot a moment ago; a slot that is taken never changes */
    private void add(int[] rows, int at, long hash, long seen) {
        long tag = hash & HIGH;
        int i = (int) (hash >>> shift);
        for (long slot = seen != 0 ? seen : slots[i]; slot != 0; slot = slots[i]) {
            if ((slot & HIGH) == tag && isSame((int) slot - 1, rows, at)) {
                back |= (int) slot <= old;
                return;
            }
            i = i + 1 & slots.length - 1;
        }
        slots[i] = tag | size + 1;
        write(rows, at);
    }

    private boolean isSame(int number, int[] rows, int at) {
        int[] page = pages[number / PAGE];
        int start = number % PAGE * (width + 1);
        for (int i = 0; i < width; i++) {
            if (page[start + i] != rows[at + i]) {
                return false;
            }
        }
        return true;
    }

    private void write(int[] rows, int at) {
        int page = size / PAGE;
        if (page == pages.length) {
            pages = Arrays.copyOf(pages, 2 * page);
        }
        if (size % PAGE == 0) {
            pages[page] = new int[PAGE * (width + 1)];
        }
        System.arraycopy(rows, at, pages[page], size % PAGE * (width + 1), width + 1);
        size++;
    }

    private void grow() {
        var old = slots;
        slots = new long[2 * old.length];
        shift--;
        for (long slot : old) {
            if (slot != 0) {
                int i = (int) (slot >>> shift);
                while (slots[i] != 0) {
                    i = i + 1 & slots.length - 1;
                }
                slots[i] = slot;
            }
        }
    }
}
