package habemus.lab.timeout;

import habemus.world.Latency;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.ContinuousDistribution;
import org.apache.commons.statistics.distribution.ExponentialDistribution;
import org.apache.commons.statistics.distribution.LogNormalDistribution;
import org.apache.commons.statistics.distribution.UniformContinuousDistribution;

/** How long an answer takes, in milliseconds: as theory has it, or as it was measured. */
public sealed interface Delays {

    /** How likely an answer takes longer than this. */
    double later(double millis);

    /** The times among which the best is looked for, rising. */
    double[] candidates();

    /** One of them, by chance. */
    double draw(SplittableRandom chance);

    /** The time that so large a part of all answers takes at most. */
    double quantile(double part);

    /** Named, with its parameters. */
    record Theory(ContinuousDistribution distribution) implements Delays {

        private static final int GRAIN = 20_000;
        private static final double RAREST = 1e-15;

        @Override
        public double later(double millis) {
            return distribution.survivalProbability(millis);
        }

        /** Closer together where answers are rarer: each is a little less likely to be exceeded than the one before. */
        @Override
        public double[] candidates() {
            double decades = Math.log(RAREST);
            var late = IntStream.rangeClosed(0, GRAIN)
                    .mapToDouble(i -> distribution.inverseSurvivalProbability(Math.exp(decades * i / GRAIN)));
            var early = IntStream.range(1, GRAIN)
                    .mapToDouble(i -> distribution.inverseCumulativeProbability((double) i / GRAIN));
            return DoubleStream.concat(DoubleStream.of(0), DoubleStream.concat(late, early))
                    .filter(Double::isFinite)
                    .sorted()
                    .distinct()
                    .toArray();
        }

        @Override
        public double draw(SplittableRandom chance) {
            return distribution.inverseCumulativeProbability(chance.nextDouble());
        }

        @Override
        public double quantile(double part) {
            return distribution.inverseCumulativeProbability(part);
        }
    }

    /** Every time that was measured is as likely as any other. */
    final class Measured implements Delays {

        private final double[] sorted;

        public Measured(double... millis) {
            if (millis.length == 0) {
                throw new IllegalArgumentException("nothing was measured");
            }
            sorted = millis.clone();
            Arrays.sort(sorted);
        }

        public int size() {
            return sorted.length;
        }

        @Override
        public double later(double millis) {
            int from = 0;
            int to = sorted.length; // the first that is later is in between
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
        public double draw(SplittableRandom chance) {
            return sorted[chance.nextInt(sorted.length)];
        }

        @Override
        public double quantile(double part) {
            return sorted[Math.clamp((long) Math.ceil(part * sorted.length) - 1, 0, sorted.length - 1)];
        }
    }

    /** @throws IllegalArgumentException if the links differ */
    static Delays of(Latency latency) {
        ToDoubleFunction<Duration> millis = time -> time.toNanos() / 1e6;
        return switch (latency) {
            case Latency.Fixed(var time) -> new Measured(millis.applyAsDouble(time));
            case Latency.Uniform(var atLeast, var atMost)
            when atLeast.equals(atMost) -> new Measured(millis.applyAsDouble(atLeast));
            case Latency.Uniform(var atLeast, var atMost) ->
                new Theory(
                        UniformContinuousDistribution.of(millis.applyAsDouble(atLeast), millis.applyAsDouble(atMost)));
            case Latency.Exponential(var mean) -> new Theory(ExponentialDistribution.of(millis.applyAsDouble(mean)));
            case Latency.LogNormal(var median, var sigma) ->
                new Theory(LogNormalDistribution.of(Math.log(millis.applyAsDouble(median)), sigma));
            case Latency.PerLink links -> throw new IllegalArgumentException("links differ");
        };
    }
}
