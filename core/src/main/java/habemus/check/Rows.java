package habemus.check;

import java.util.Arrays;

/**
 * Rows of numbers, all of the same width, in pages, so that what grows is never copied. Anybody who knows of a row may
 * read it at any time; whoever adds one must keep others from doing so meanwhile.
 */
final class Rows {

    private static final int BITS = 12;
    private static final int PAGE = 1 << BITS; // rows
    private static final int[] RELEASED = {};

    private final int width;
    private volatile int[][] pages = new int[16][];
    private int size;
    private int released; // so many pages

    Rows(int width) {
        this.width = width;
    }

    int size() {
        return size;
    }

    long bytes() {
        return 4L * pages.length + ((size + PAGE - 1) / PAGE - released) * (16 + 4L * PAGE * width);
    }

    int get(int row, int column) {
        return pages[row >>> BITS][(row & PAGE - 1) * width + column];
    }

    void read(int row, int[] into) {
        System.arraycopy(pages[row >>> BITS], (row & PAGE - 1) * width, into, 0, width);
    }

    boolean isSame(int row, int[] numbers, int at) {
        int[] page = pages[row >>> BITS];
        int start = (row & PAGE - 1) * width;
        for (int i = 0; i < width; i++) {
            if (page[start + i] != numbers[at + i]) {
                return false;
            }
        }
        return true;
    }

    /** @return which row it is */
    int add(int... numbers) {
        return add(numbers, 0);
    }

    int add(int[] numbers, int at) {
        if ((size & PAGE - 1) == 0) {
            addPage();
        }
        System.arraycopy(numbers, at, pages[size >>> BITS], (size & PAGE - 1) * width, width);
        return size++;
    }

    private void addPage() {
        var more = size >>> BITS < pages.length ? pages : Arrays.copyOf(pages, 2 * pages.length);
        more[size >>> BITS] = new int[PAGE * width];
        pages = more;
    }

    /** Nobody will ever ask for what stands before this row: whole pages of it are given back. */
    void release(int row) {
        for (; released < row >>> BITS; released++) {
            pages[released] = RELEASED;
        }
    }
}
