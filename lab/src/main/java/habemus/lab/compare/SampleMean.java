package habemus.lab.compare;

import habemus.lab.table.TextTable;
import java.util.Arrays;
import org.apache.commons.statistics.interval.NormalConfidenceInterval;

/**
 * A number that was measured several times.
 *
 * @param margin how far the truth may be from it; zero if it was the same each time
 */
public record SampleMean(double value, double margin) {

    /** How sure it is that the truth is no further off. */
    static final double CONFIDENCE = 0.99;

    static SampleMean of(long[] samples) {
        double mean = Arrays.stream(samples).average().orElseThrow();
        double squares = Arrays.stream(samples)
                .mapToDouble(sample -> (sample - mean) * (sample - mean))
                .sum();
        if (squares == 0) {
            return new SampleMean(mean, 0);
        }
        var interval = NormalConfidenceInterval.MEAN.fromErrorRate(
                mean, squares / (samples.length - 1), samples.length, 1 - CONFIDENCE);
        return new SampleMean(mean, interval.getUpperBound() - mean);
    }

    boolean isWithinMargin(double truth) {
        return Math.abs(value - truth) <= margin;
    }

    @Override
    public String toString() {
        return margin == 0
                ? TextTable.formatNumber(value)
                : TextTable.formatNumber(value) + " ± " + TextTable.formatNumber(margin);
    }
}
