import habemus.course.exercise.UpDownCounter;


public class SynchronizedCounter implements UpDownCounter {

    private int value;

    @Override
    public synchronized int increment() {
        value = value + 1;
        return value;
    }

    @Override
    public synchronized int decrement() {
        value = value - 1;
        return value;
    }

    @Override
    public synchronized int value() {
        return value;
    }
}
