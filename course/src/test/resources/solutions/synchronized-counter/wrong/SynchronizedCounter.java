import habemus.course.exercise.UpDownCounter;

/** Locks, but not always the same object. */
public class SynchronizedCounter implements UpDownCounter {

    private final Object up = new Object();
    private final Object down = new Object();
    private int value;

    @Override
    public int increment() {
        synchronized (up) {
            return ++value;
        }
    }

    @Override
    public int decrement() {
        synchronized (down) {
            return --value;
        }
    }

    @Override
    public synchronized int value() {
        return value;
    }
}
