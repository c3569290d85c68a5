import habemus.course.exercise.UpDownCounter;

/** A counter that several threads change and read. Use synchronized. */
public class SynchronizedCounter implements UpDownCounter {

    private int value;

    @Override
    public int increment() {
        value = value + 1;
        return value;
    }

    @Override
    public int decrement() {
        value = value - 1;
        return value;
    }

    @Override
    public int value() {
        return value;
    }
}
