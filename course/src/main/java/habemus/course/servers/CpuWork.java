package habemus.course.servers;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An amount of computation that takes a given CPU time on an idle processor. It is calibrated once and then fixed: on a
 * busy machine it takes longer, and is not less work.
 */
final class CpuWork {

    private static final int CALIBRATION_STEPS = 100_000;
    private static final int CALIBRATION_ROUNDS = 60;
    private static final AtomicLong RESULT = new AtomicLong(); // keeps the compiler from removing the work

    private final long steps;

    CpuWork(Duration time) {
        steps = time.isZero() ? 0 : Math.max(1, Math.round(time.toNanos() / nanosPerStep()));
    }

    /** The best of many rounds: disturbances only make rounds slower. */
    private static double nanosPerStep() {
        double best = Double.MAX_VALUE;
        for (int i = 0; i < CALIBRATION_ROUNDS; i++) {
            long before = System.nanoTime();
            compute(CALIBRATION_STEPS);
            best = Math.min(best, (double) (System.nanoTime() - before) / CALIBRATION_STEPS);
        }
        return best;
    }

    void run() {
        if (steps > 0) {
            compute(steps);
        }
    }

    private static void compute(long count) {
        long x = count;
        for (long i = 0; i < count; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        RESULT.lazySet(x);
    }
}
