package habemus.check.store;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A hash map from non-negative longs to non-negative ints. Any thread may read at any time; only one thread at a time
 * may write.
 */
public final class LongIntMap {

    public static final int ABSENT = -1;

    private static final class Table {
        final AtomicLongArray keys; // key + 1, so that zero is an empty slot
        final int[] values;

        Table(int length) {
            keys = new AtomicLongArray(length);
            values = new int[length];
        }
    }

    private volatile Table table = new Table(1 << 10);
    private int size;

    long bytes() {
        return 12L * table.values.length;
    }

    public int get(long key) {
        var now = table;
        for (int i = slot(key, now.values.length); ; i = nextSlot(i, now.values.length)) {
            long found = now.keys.getAcquire(i);
            if (found == key + 1) {
                return now.values[i];
            }
            if (found == 0) {
                return ABSENT;
            }
        }
    }

    /** @param key a key that is not in the map */
    public int put(long key, int value) {
        var now = table;
        if (++size > now.values.length / 4 * 3) {
            var larger = new Table(now.values.length / 2 * 3);
            for (int i = 0; i < now.values.length; i++) {
                if (now.keys.getPlain(i) != 0) {
                    put(larger, now.keys.getPlain(i), now.values[i]);
                }
            }
            put(larger, key + 1, value);
            table = larger;
        } else {
            put(now, key + 1, value);
        }
        return value;
    }

    private static void put(Table table, long keyPlusOne, int value) {
        int i = slot(keyPlusOne - 1, table.values.length);
        while (table.keys.getPlain(i) != 0) {
            i = nextSlot(i, table.values.length);
        }
        table.values[i] = value; // visible to every thread that sees the key
        table.keys.setRelease(i, keyPlusOne);
    }

    private static int slot(long key, int length) {
        long mixed = (key ^ key >>> 32) * 0x9E37_79B9_7F4A_7C15L;
        mixed = (mixed ^ mixed >>> 32) * 0xBF58_476D_1CE4_E5B9L;
        return (int) ((mixed >>> 32) * length >>> 32);
    }

    private static int nextSlot(int slot, int length) {
        return slot + 1 < length ? slot + 1 : 0;
    }
}
