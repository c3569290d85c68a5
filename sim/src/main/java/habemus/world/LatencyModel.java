package habemus.world;

import habemus.protocol.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** How long messages take. Times are drawn in microseconds. */
public sealed interface LatencyModel {

    /** Draws the time that one message from {@code from} to {@code to} takes. */
    long draw(int from, int to, SplittableRandom chance);

    /** The time that no message exceeds, if there is one. */
    Optional<Duration> longest();

    record Fixed(Duration time) implements LatencyModel {
        public Fixed {
            requirePositive(time);
        }

        @Override
        public Optional<Duration> longest() {
            return Optional.of(time);
        }

        @Override
        public long draw(int from, int to, SplittableRandom chance) {
            return micros(time);
        }
    }

    record Uniform(Duration atLeast, Duration atMost) implements LatencyModel {
        public Uniform {
            requirePositive(atLeast);
            if (atMost.compareTo(atLeast) < 0) {
                throw new IllegalArgumentException("a latency of at least " + atLeast + " is not at most " + atMost);
            }
        }

        @Override
        public Optional<Duration> longest() {
            return Optional.of(atMost);
        }

        @Override
        public long draw(int from, int to, SplittableRandom chance) {
            return chance.nextLong(micros(atLeast), micros(atMost) + 1);
        }
    }

    record Exponential(Duration mean) implements LatencyModel {
        public Exponential {
            requirePositive(mean);
        }

        @Override
        public Optional<Duration> longest() {
            return Optional.empty();
        }

        @Override
        public long draw(int from, int to, SplittableRandom chance) {
            return (long) (-StrictMath.log(1 - chance.nextDouble()) * micros(mean));
        }
    }

    /** @param sigma the spread: of two messages in three neither takes more than e^sigma times the median, nor less */
    record LogNormal(Duration median, double sigma) implements LatencyModel {
        public LogNormal {
            requirePositive(median);
            if (!(sigma >= 0)) {
                throw new IllegalArgumentException("sigma is not negative: " + sigma);
            }
        }

        @Override
        public Optional<Duration> longest() {
            return Optional.empty();
        }

        /** By Box and Muller, with the arithmetic that is the same on every machine. */
        @Override
        public long draw(int from, int to, SplittableRandom chance) {
            double radius = StrictMath.sqrt(-2 * StrictMath.log(1 - chance.nextDouble()));
            double normal = radius * StrictMath.cos(2 * Math.PI * chance.nextDouble());
            return (long) (StrictMath.exp(sigma * normal) * micros(median));
        }
    }

    /** Some links, one way each, have a latency of their own. */
    record PerLink(LatencyModel fallback, List<Link> links) implements LatencyModel {
        public record Link(NodeId from, NodeId to, LatencyModel latencyModel) {}

        public PerLink {
            links = List.copyOf(links);
        }

        @Override
        public Optional<Duration> longest() {
            var longest = fallback.longest();
            for (Link link : links) {
                longest = longest.flatMap(l -> link.latencyModel.longest().map(m -> m.compareTo(l) > 0 ? m : l));
            }
            return longest;
        }

        @Override
        public long draw(int from, int to, SplittableRandom chance) {
            for (Link link : links) {
                if (link.from.number() == from && link.to.number() == to) {
                    return link.latencyModel.draw(from, to, chance);
                }
            }
            return fallback.draw(from, to, chance);
        }
    }

    private static void requirePositive(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("a latency is not negative: " + time);
        }
    }

    private static long micros(Duration time) {
        return Micros.of(time);
    }
}
