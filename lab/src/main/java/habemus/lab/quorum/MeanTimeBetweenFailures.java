package habemus.lab.quorum;

import java.time.Duration;

/**
 * The failures of a coordinator: independent of each other, at a constant rate.
 *
 * @param time the mean time between two failures, above zero
 */
public record MeanTimeBetweenFailures(Duration time) {

    public MeanTimeBetweenFailures {
        if (time.isZero() || time.isNegative()) {
            throw new IllegalArgumentException("mean time between failures must be above zero, was " + time);
        }
    }

    /** The probability of a failure within this time: {@code 1 - e^(-within/time)}. */
    public double failureProbability(Duration within) {
        return -Math.expm1(-seconds(within) / seconds(time));
    }

    /** The probability of being down, if a failure takes this time to repair: {@code repair/(time + repair)}. */
    public double downProbability(Duration repair) {
        return seconds(repair) / (seconds(time) + seconds(repair));
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1e3;
    }
}
