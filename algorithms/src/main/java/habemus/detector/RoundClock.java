package habemus.detector;

import java.time.Duration;

/** Durations counted in periods of one timer, which is the only clock of a failure detector. */
public final class RoundClock {

    private RoundClock() {}

    /** @throws IllegalArgumentException if the period is shorter than a millisecond */
    public static void requireValidPeriod(Duration period) {
        if (period.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException(
                    "the period between heartbeats must be at least 1 ms, was " + period.toNanos() / 1e6 + " ms");
        }
    }

    /** The number of periods that cover this time, rounded up. */
    public static int periodsIn(Duration time, Duration period) {
        long periods = (time.plus(period).toNanos() - 1) / period.toNanos();
        return (int) Math.min(periods, Integer.MAX_VALUE / 2);
    }
}
