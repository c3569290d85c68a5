package habemus.check.store;

import java.util.Arrays;

/** Successors for the shard that owns them: each with the number of its parent and its hash. */
public final class SuccessorBatch {

    private final int width;
    private int[] rows;
    private long[] hashes = new long[1 << 10];
    private int size;

    public SuccessorBatch(int width) {
        this.width = width;
        rows = new int[hashes.length * (width + 1)];
    }

    public void add(int[] state, int parent, long hash) {
        if (size == hashes.length) {
            hashes = Arrays.copyOf(hashes, 2 * size);
            rows = Arrays.copyOf(rows, 2 * rows.length);
        }
        int at = size * (width + 1);
        System.arraycopy(state, 0, rows, at, width);
        rows[at + width] = parent;
        hashes[size++] = hash;
    }

    int size() {
        return size;
    }

    int[] rows() {
        return rows;
    }

    /** The offset of a state in the rows. */
    int offset(int i) {
        return i * (width + 1);
    }

    /** The offset of the number of its parent in the rows. */
    int parentOffset(int i) {
        return i * (width + 1) + width;
    }

    long hash(int i) {
        return hashes[i];
    }

    public void clear() {
        size = 0;
    }

    public long bytes() {
        return 8L * hashes.length + 4L * rows.length;
    }

    public static long hash(int[] state) {
        long hash = 0;
        for (int number : state) {
            hash = (hash ^ number) * 0x9E37_79B9_7F4A_7C15L;
            hash ^= hash >>> 29;
        }
        return hash * 0xBF58_476D_1CE4_E5B9L;
    }
}
