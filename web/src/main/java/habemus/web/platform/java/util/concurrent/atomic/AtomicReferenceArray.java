package habemus.web.platform.java.util.concurrent.atomic;

import org.jspecify.annotations.Nullable;

/** The methods of the JDK's class that the checker calls, for one thread. */
public class AtomicReferenceArray<E> {

    private final @Nullable Object[] values;

    public AtomicReferenceArray(int length) {
        values = new @Nullable Object[length];
    }

    public final int length() {
        return values.length;
    }

    @SuppressWarnings("unchecked")
    public final @Nullable E getAcquire(int index) {
        return (E) values[index];
    }

    public final @Nullable E getPlain(int index) {
        return getAcquire(index);
    }

    public final void setRelease(int index, @Nullable E value) {
        values[index] = value;
    }

    public final void setPlain(int index, @Nullable E value) {
        values[index] = value;
    }
}
