package habemus.lab.compare;

import habemus.lab.table.TextTable;
import java.util.Arrays;
import org.apache.commons.statistics.interval.NormalConfidenceInterval;

/**
 * The mean of several measurements.
 *
 * @param margin half the width of the confidence interval; zero if all measurements are equal
 */
public record SampleMean(double value, double margin) {

    /** The confidence level of the margin. */
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

    boolean isWithinMargin(double expected) {
        return Math.abs(value - expected) <= margin;
    }

    @Override
    public String toString() {
        return margin == 0
                ? TextTable.formatNumber(value)
                : TextTable.formatNumber(value) + " ± " + TextTable.formatNumber(margin);
    }
}
