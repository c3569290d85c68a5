import habemus.course.exercise.CounterTask;
import java.util.concurrent.atomic.AtomicInteger;

public class SharedCounter implements CounterTask {

    private final AtomicInteger value = new AtomicInteger();

    @Override
    public void increment() {
        value.incrementAndGet();
    }

    @Override
    public int value() {
        return value.get();
    }

    @Override
    public int smallest(int threads, int rounds) {
        return threads == 1 ? rounds : Math.min(2, rounds);
    }

    @Override
    public int largest(int threads, int rounds) {
        return threads * rounds;
    }
}
