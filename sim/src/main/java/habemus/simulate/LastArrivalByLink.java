package habemus.simulate;

/**
 * The latest arrival time on each link, which keeps links FIFO. An open-addressing hash table, because a world can have
 * a million links. A link and its time are adjacent, so that a lookup costs one cache miss.
 */
final class LastArrivalByLink {

    private long[] table = new long[1 << 9]; // pairs of link + 1 and time; 0 marks a free slot
    private int size;

    /** The arrival time of a message that would arrive at {@code time} but must not overtake earlier messages. */
    long fifoArrival(long link, long time) {
        int i = slot(link);
        if (table[i] == 0) {
            table[i] = link + 1;
            table[i + 1] = time;
            if (++size * 4 > table.length) {
                grow();
            }
            return time;
        }
        long arrival = Math.max(table[i + 1], time);
        table[i + 1] = arrival;
        return arrival;
    }

    private int slot(long link) {
        int mask = table.length - 2;
        int i = (int) (link * 0x9E3779B97F4A7C15L >>> 32) & mask;
        while (table[i] != 0 && table[i] != link + 1) {
            i = i + 2 & mask;
        }
        return i;
    }

    private void grow() {
        var old = table;
        table = new long[old.length * 2];
        for (int j = 0; j < old.length; j += 2) {
            if (old[j] != 0) {
                int i = slot(old[j] - 1);
                table[i] = old[j];
                table[i + 1] = old[j + 1];
            }
        }
    }
}
