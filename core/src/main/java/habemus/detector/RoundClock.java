package habemus.detector;

import java.time.Duration;

/** Times in rounds of one alarm, which is the only clock that a detector has. */
public final class RoundClock {

    private RoundClock() {}

    public static void requireValidPeriod(Duration period) {
        if (period.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("a period between heartbeats is at least a millisecond");
        }
    }

    /** How many periods it takes until this time is over. */
    public static int periodsIn(Duration time, Duration period) {
        long rounds = time.plus(period).minusNanos(1).dividedBy(period);
        return (int) Math.min(rounds, Integer.MAX_VALUE / 2);
    }
}
