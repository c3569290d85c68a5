package habemus.check.store;

import java.util.Arrays;

/**
 * Rows of ints, all of the same width, in pages: growing copies no rows. Any thread may read a row whose number it
 * knows; only one thread at a time may add rows.
 */
final class IntRowStore {

    private static final int PAGE_BITS = 12;
    private static final int PAGE_ROWS = 1 << PAGE_BITS;
    private static final int[] RELEASED = {};

    private final int width;
    private volatile int[][] pages = new int[16][];
    private int size;
    private int releasedPages;

    IntRowStore(int width) {
        this.width = width;
    }

    int size() {
        return size;
    }

    long bytes() {
        return 4L * pages.length + ((size + PAGE_ROWS - 1) / PAGE_ROWS - releasedPages) * (16 + 4L * PAGE_ROWS * width);
    }

    int get(int row, int column) {
        return pages[row >>> PAGE_BITS][(row & PAGE_ROWS - 1) * width + column];
    }

    void read(int row, int[] into) {
        System.arraycopy(pages[row >>> PAGE_BITS], (row & PAGE_ROWS - 1) * width, into, 0, width);
    }

    boolean isSame(int row, int[] numbers, int at) {
        int[] page = pages[row >>> PAGE_BITS];
        int start = (row & PAGE_ROWS - 1) * width;
        for (int i = 0; i < width; i++) {
            if (page[start + i] != numbers[at + i]) {
                return false;
            }
        }
        return true;
    }

    /** @return the number of the row */
    int add(int... numbers) {
        return add(numbers, 0);
    }

    int add(int[] numbers, int at) {
        if ((size & PAGE_ROWS - 1) == 0) {
            addPage();
        }
        System.arraycopy(numbers, at, pages[size >>> PAGE_BITS], (size & PAGE_ROWS - 1) * width, width);
        return size++;
    }

    private void addPage() {
        var more = size >>> PAGE_BITS < pages.length ? pages : Arrays.copyOf(pages, 2 * pages.length);
        more[size >>> PAGE_BITS] = new int[PAGE_ROWS * width];
        pages = more;
    }

    /** Releases the pages that hold only rows before this one. */
    void release(int row) {
        for (; releasedPages < row >>> PAGE_BITS; releasedPages++) {
            pages[releasedPages] = RELEASED;
        }
    }
}
