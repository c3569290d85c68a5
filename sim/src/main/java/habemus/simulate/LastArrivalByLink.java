package habemus.simulate;

/**
 * When the last message on each link arrives: an open hash table, since a ring has a million links. A link and its time
 * lie side by side, so that a look costs one cache miss and not two.
 */
final class LastArrivalByLink {

    private long[] table = new long[1 << 9]; // a link plus one, so that zero is free, and its time
    private int size;

    /** The arrival of a message that may be there at {@code time} but must not overtake those before it. */
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
