import habemus.course.exercise.CounterTask;

/** Ten threads increment this counter, each of them twenty times. */
public class SharedCounter implements CounterTask {

    private int value;

    @Override
    public void increment() {
        value = value + 1; // read, add, write: cure it
    }

    @Override
    public int value() {
        return value;
    }

    /** The smallest value with which the counter above can end, before your cure. */
    @Override
    public int smallest(int threads, int rounds) {
        return 0;
    }

    /** The largest one. */
    @Override
    public int largest(int threads, int rounds) {
        return 0;
    }
}
