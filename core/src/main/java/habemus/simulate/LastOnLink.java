package habemus.simulate;

/** When the last message on each link arrives: an open hash table of longs, since a ring has a million links. */
final class LastOnLink {

    private long[] links = new long[1 << 8]; // plus one, so that zero is a free slot
    private long[] times = new long[1 << 8];
    private int size;

    /** The arrival of a message that may be there at {@code time} but must not overtake those before it. */
    long queue(long link, long time) {
        int i = slot(link);
        if (links[i] == 0) {
            links[i] = link + 1;
            times[i] = time;
            if (++size * 2 > links.length) {
                grow();
            }
            return time;
        }
        times[i] = Math.max(times[i], time);
        return times[i];
    }

    private int slot(long link) {
        int mask = links.length - 1;
        int i = (int) (link * 0x9E3779B97F4A7C15L >>> 32) & mask;
        while (links[i] != 0 && links[i] != link + 1) {
            i = i + 1 & mask;
        }
        return i;
    }

    private void grow() {
        var oldLinks = links;
        var oldTimes = times;
        links = new long[oldLinks.length * 2];
        times = new long[oldLinks.length * 2];
        for (int j = 0; j < oldLinks.length; j++) {
            if (oldLinks[j] != 0) {
                int i = slot(oldLinks[j] - 1);
                links[i] = oldLinks[j];
                times[i] = oldTimes[j];
            }
        }
    }
}
