package habemus.course.threads;

import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;

/**
 * Some threads increment one counter, each of them several times. Whether updates are lost is a matter of chance, so
 * the program runs again until it loses one.
 *
 * @param rounds the increments of each thread
 */
public record CounterRace(ThreadKind kind, int threads, int rounds) {

    private static final int MAX_SPINS = 10_000;

    /**
     * What became of a counter.
     *
     * @param attempts how often the program ran; the values are those of the last run
     */
    public record Result(CounterVariant variant, ThreadKind kind, long increments, long value, int attempts) {

        public long lost() {
            return increments - value;
        }

        /** Whether the value is possible: exact for a cure, otherwise from the smallest possible one on. */
        public boolean isWithin(long smallest) {
            return variant.isCorrect() ? lost() == 0 : value >= smallest && value <= increments;
        }
    }

    /** Runs until an update is lost, at most so often and so long. */
    public Result runUntilLoss(CounterVariant variant, int maxAttempts, Duration maxTime) {
        long start = System.nanoTime();
        for (int attempt = 1; ; attempt++) {
            var result = run(variant, attempt);
            if (result.lost() != 0 || attempt == maxAttempts || System.nanoTime() - start > maxTime.toNanos()) {
                return result;
            }
        }
    }

    private Result run(CounterVariant variant, int attempt) {
        var counter = variant.create();
        var missing = new CountDownLatch(threads);
        var all = new ArrayList<Thread>();
        for (int i = 1; i <= threads; i++) {
            all.add(kind.unstarted("counter-" + i, () -> {
                awaitAll(missing);
                for (int round = 0; round < rounds; round++) {
                    counter.increment();
                    VarHandle.releaseFence(); // or the compiler adds all rounds to n at once, as it may
                }
                counter.finish();
            }));
        }
        all.forEach(Thread::start);
        all.forEach(CounterRace::join);
        return new Result(variant, kind, (long) threads * rounds, counter.value(), attempt);
    }

    /** Spins before it blocks: threads that spin on several processors go on within nanoseconds of each other. */
    private static void awaitAll(CountDownLatch missing) {
        missing.countDown();
        for (int i = 0; i < MAX_SPINS && missing.getCount() > 0; i++) {
            Thread.onSpinWait();
        }
        try {
            missing.await();
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }
}
