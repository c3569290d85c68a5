import habemus.course.exercise.CounterTask;

/** Believes that volatile makes an increment atomic. */
public class SharedCounter implements CounterTask {

    private volatile int value;

    @Override
    public void increment() {
        value++;
    }

    @Override
    public int value() {
        return value;
    }

    @Override
    public int smallest(int threads, int rounds) {
        return rounds;
    }

    @Override
    public int largest(int threads, int rounds) {
        return threads * rounds;
    }
}
