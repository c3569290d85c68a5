package habemus.lab.quorum;

import java.util.stream.IntStream;
import org.apache.commons.numbers.combinatorics.LogBinomialCoefficient;

/** The probability that many of some independent events occur, each with the same probability. */
record BinomialTail(int events, double probability) {

    private static final double LN_10 = Math.log(10);

    /**
     * The logarithm of the probability that at least so many events occur. The terms are all positive and added as
     * logarithms, so the result neither underflows nor loses precision.
     */
    double log10AtLeast(int least) {
        var terms = IntStream.rangeClosed(least, events)
                .mapToDouble(this::logExactly)
                .toArray();
        double largest = IntStream.range(0, terms.length)
                .mapToDouble(i -> terms[i])
                .max()
                .orElse(Double.NEGATIVE_INFINITY);
        if (largest == Double.NEGATIVE_INFINITY) {
            return largest;
        }
        double sum = 0;
        for (double term : terms) {
            sum += Math.exp(term - largest);
        }
        return Math.min(0, (largest + Math.log(sum)) / LN_10);
    }

    private double logExactly(int count) {
        return LogBinomialCoefficient.value(events, count)
                + times(count, Math.log(probability))
                + times(events - count, Math.log1p(-probability));
    }

    /** Zero times minus infinity is zero here. */
    private static double times(int count, double log) {
        return count == 0 ? 0 : count * log;
    }
}
