package habemus.web.platform.java.util.concurrent.atomic;

/** The methods of the JDK's class that the checker calls, for one thread. */
public class AtomicLongArray {

    private final long[] values;

    public AtomicLongArray(int length) {
        values = new long[length];
    }

    public final int length() {
        return values.length;
    }

    public final long getAcquire(int index) {
        return values[index];
    }

    public final long getPlain(int index) {
        return values[index];
    }

    public final void setRelease(int index, long value) {
        values[index] = value;
    }
}
