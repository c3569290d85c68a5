package habemus.check.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * From a long that is not negative to an int that is not negative. Anybody may look something up at any time; whoever
 * puts something in must keep others from doing so meanwhile.
 */
public final class LongIntMap {

    public static final int ABSENT = -1;

    private static final VarHandle KEYS = MethodHandles.arrayElementVarHandle(long[].class);

    private static final class Table {
        final long[] keys; // one too high, so that zero is an empty place
        final int[] values;

        Table(int length) {
            keys = new long[length];
            values = new int[length];
        }
    }

    private volatile Table table = new Table(1 << 10);
    private int size;

    long bytes() {
        return 12L * table.keys.length;
    }

    public int get(long key) {
        var now = table;
        for (int i = slot(key, now.keys.length); ; i = nextSlot(i, now.keys.length)) {
            long found = (long) KEYS.getAcquire(now.keys, i);
            if (found == key + 1) {
                return now.values[i];
            }
            if (found == 0) {
                return ABSENT;
            }
        }
    }

    /** @param key one that is not there yet */
    public int put(long key, int value) {
        var now = table;
        if (++size > now.keys.length / 4 * 3) {
            var larger = new Table(now.keys.length / 2 * 3);
            for (int i = 0; i < now.keys.length; i++) {
                if (now.keys[i] != 0) {
                    put(larger, now.keys[i], now.values[i]);
                }
            }
            put(larger, key + 1, value);
            table = larger;
        } else {
            put(now, key + 1, value);
        }
        return value;
    }

    private static void put(Table table, long raised, int value) {
        int i = slot(raised - 1, table.keys.length);
        while (table.keys[i] != 0) {
            i = nextSlot(i, table.keys.length);
        }
        table.values[i] = value; // seen by everybody who sees the key
        KEYS.setRelease(table.keys, i, raised);
    }

    private static int slot(long key, int length) {
        long mixed = (key ^ key >>> 32) * 0x9E37_79B9_7F4A_7C15L;
        mixed = (mixed ^ mixed >>> 32) * 0xBF58_476D_1CE4_E5B9L;
        return (int) ((mixed >>> 32) * length >>> 32);
    }

    private static int nextSlot(int place, int length) {
        return place + 1 < length ? place + 1 : 0;
    }
}
