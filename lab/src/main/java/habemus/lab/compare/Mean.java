package habemus.lab.compare;

import habemus.lab.table.Table;
import java.util.Arrays;
import org.apache.commons.statistics.interval.NormalConfidenceInterval;

/**
 * A number that was measured several times.
 *
 * @param off how far the truth may be from it; zero if it was the same each time
 */
public record Mean(double value, double off) {

    /** How sure it is that the truth is no further off. */
    static final double CONFIDENCE = 0.99;

    static Mean of(long[] samples) {
        double mean = Arrays.stream(samples).average().orElseThrow();
        double squares = Arrays.stream(samples)
                .mapToDouble(sample -> (sample - mean) * (sample - mean))
                .sum();
        if (squares == 0) {
            return new Mean(mean, 0);
        }
        var interval = NormalConfidenceInterval.MEAN.fromErrorRate(
                mean, squares / (samples.length - 1), samples.length, 1 - CONFIDENCE);
        return new Mean(mean, interval.getUpperBound() - mean);
    }

    boolean mayBe(double truth) {
        return Math.abs(value - truth) <= off;
    }

    @Override
    public String toString() {
        return off == 0 ? Table.number(value) : Table.number(value) + " ± " + Table.number(off);
    }
}
