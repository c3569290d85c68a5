package habemus.lab.timeout;

import habemus.world.LatencyModel;
import habemus.world.SeededRandom;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.ContinuousDistribution;
import org.apache.commons.statistics.distribution.ExponentialDistribution;
import org.apache.commons.statistics.distribution.LogNormalDistribution;
import org.apache.commons.statistics.distribution.UniformContinuousDistribution;
import org.apache.commons.statistics.interval.BinomialConfidenceInterval;

/** The distribution of reply delays, in milliseconds: a continuous one, or measured delays. */
public sealed interface DelayDistribution {

    /** The probability that a reply takes longer than this. */
    double tailProbability(double millis);

    /** The timeouts among which the best is searched, in rising order. */
    double[] candidates();

    /** A random delay. */
    double sample(SeededRandom random);

    /** The delay that this fraction of all replies does not exceed. */
    double quantile(double fraction);

    /** How many measured delays a fraction needs: so many that at least one of them is expected to be later. */
    static long samplesFor(double fraction) {
        return BigDecimal.ONE
                .divide(BigDecimal.ONE.subtract(BigDecimal.valueOf(fraction)), 0, RoundingMode.CEILING)
                .longValueExact();
    }

    /** A distribution with a formula. */
    record Continuous(ContinuousDistribution distribution) implements DelayDistribution {

        private static final int GRID_POINTS = 20_000;
        private static final double SMALLEST_TAIL = 1e-15;

        @Override
        public double tailProbability(double millis) {
            return distribution.survivalProbability(millis);
        }

        /** Timeouts with evenly spaced tail probabilities, on a logarithmic and on a linear scale. */
        @Override
        public double[] candidates() {
            double decades = Math.log(SMALLEST_TAIL);
            var late = IntStream.rangeClosed(0, GRID_POINTS)
                    .mapToDouble(i -> distribution.inverseSurvivalProbability(Math.exp(decades * i / GRID_POINTS)));
            var early = IntStream.range(1, GRID_POINTS)
                    .mapToDouble(i -> distribution.inverseCumulativeProbability((double) i / GRID_POINTS));
            return DoubleStream.concat(DoubleStream.of(0), DoubleStream.concat(late, early))
                    .filter(Double::isFinite)
                    .sorted()
                    .distinct()
                    .toArray();
        }

        @Override
        public double sample(SeededRandom random) {
            return distribution.inverseCumulativeProbability(random.nextDouble());
        }

        @Override
        public double quantile(double fraction) {
            return distribution.inverseCumulativeProbability(fraction);
        }
    }

    /** Every reply takes the same time. */
    record Constant(double millis) implements DelayDistribution {

        @Override
        public double tailProbability(double limit) {
            return limit < millis ? 1 : 0;
        }

        @Override
        public double[] candidates() {
            return new double[] {0, millis};
        }

        @Override
        public double sample(SeededRandom random) {
            return millis;
        }

        @Override
        public double quantile(double fraction) {
            return millis;
        }
    }

    /** Measured delays, all equally likely. */
    final class Empirical implements DelayDistribution {

        private final double[] sorted;

        public Empirical(double... millis) {
            if (millis.length == 0) {
                throw new IllegalArgumentException("there must be at least one measured delay");
            }
            sorted = millis.clone();
            Arrays.sort(sorted);
        }

        public int size() {
            return sorted.length;
        }

        /** Whether a sample is later than this fraction of all replies: otherwise the quantile is only the largest. */
        public boolean reaches(double fraction) {
            return sorted.length >= samplesFor(fraction);
        }

        /** The upper bound of the tail probability with {@link LeaseSimulation#CONFIDENCE}: there are few samples. */
        public double tailProbabilityAtMost(double millis) {
            int later = (int) Math.round(tailProbability(millis) * sorted.length);
            return BinomialConfidenceInterval.CLOPPER_PEARSON
                    .fromErrorRate(sorted.length, later, 1 - LeaseSimulation.CONFIDENCE)
                    .getUpperBound();
        }

        @Override
        public double tailProbability(double millis) {
            int from = 0;
            int to = sorted.length; // the first later delay is between them
            while (from < to) {
                int middle = (from + to) >>> 1;
                if (sorted[middle] > millis) {
                    to = middle;
                } else {
                    from = middle + 1;
                }
            }
            return (double) (sorted.length - from) / sorted.length;
        }

        @Override
        public double[] candidates() {
            return DoubleStream.concat(DoubleStream.of(0), Arrays.stream(sorted))
                    .distinct()
                    .toArray();
        }

        @Override
        public double sample(SeededRandom random) {
            return sorted[random.nextInt(sorted.length)];
        }

        @Override
        public double quantile(double fraction) {
            return sorted[Math.clamp((long) Math.ceil(fraction * sorted.length) - 1, 0, sorted.length - 1)];
        }
    }

    /** @throws IllegalArgumentException if the latency differs by link */
    static DelayDistribution of(LatencyModel latencyModel) {
        ToDoubleFunction<Duration> millis = time -> time.toNanos() / 1e6;
        return switch (latencyModel) {
            case LatencyModel.Fixed(var time) -> new Constant(millis.applyAsDouble(time));
            case LatencyModel.Uniform(var atLeast, var atMost)
            when atLeast.equals(atMost) -> new Constant(millis.applyAsDouble(atLeast));
            case LatencyModel.Uniform(var atLeast, var atMost) ->
                new Continuous(
                        UniformContinuousDistribution.of(millis.applyAsDouble(atLeast), millis.applyAsDouble(atMost)));
            case LatencyModel.Exponential(var mean) ->
                new Continuous(ExponentialDistribution.of(millis.applyAsDouble(mean)));
            case LatencyModel.LogNormal(var median, var sigma) ->
                new Continuous(LogNormalDistribution.of(Math.log(millis.applyAsDouble(median)), sigma));
            case LatencyModel.PerLink links ->
                throw new IllegalArgumentException("latency must be the same on all links");
        };
    }
}
