package habemus.world;

import habemus.protocol.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The distribution of message delays. Delays are drawn in microseconds. */
public sealed interface LatencyModel {

    /** Draws the delay of one message from {@code from} to {@code to}, in microseconds. */
    long draw(int from, int to, SeededRandom random);

    /** The largest possible delay, if there is one. */
    Optional<Duration> longest();

    record Fixed(Duration time) implements LatencyModel {
        public Fixed {
            requireNotNegative(time);
        }

        @Override
        public Optional<Duration> longest() {
            return Optional.of(time);
        }

        @Override
        public long draw(int from, int to, SeededRandom random) {
            return micros(time);
        }
    }

    record Uniform(Duration atLeast, Duration atMost) implements LatencyModel {
        public Uniform {
            requireNotNegative(atLeast);
            if (atMost.compareTo(atLeast) < 0) {
                throw new IllegalArgumentException(
                        "maximum latency must not be below the minimum " + atLeast + ", was " + atMost);
            }
        }

        @Override
        public Optional<Duration> longest() {
            return Optional.of(atMost);
        }

        @Override
        public long draw(int from, int to, SeededRandom random) {
            return micros(atLeast) + random.nextLong(micros(atMost) - micros(atLeast) + 1);
        }
    }

    record Exponential(Duration mean) implements LatencyModel {
        public Exponential {
            requireNotNegative(mean);
        }

        @Override
        public Optional<Duration> longest() {
            return Optional.empty();
        }

        @Override
        public long draw(int from, int to, SeededRandom random) {
            return (long) (-StrictMath.log(1 - random.nextDouble()) * micros(mean));
        }
    }

    /** @param sigma the spread: two of three delays lie between median / e^sigma and median * e^sigma */
    record LogNormal(Duration median, double sigma) implements LatencyModel {
        public LogNormal {
            requireNotNegative(median);
            if (!(sigma >= 0)) {
                throw new IllegalArgumentException("sigma must not be negative, was " + sigma);
            }
        }

        @Override
        public Optional<Duration> longest() {
            return Optional.empty();
        }

        /** Uses the Box-Muller transform, with strict arithmetic so that every machine draws the same delays. */
        @Override
        public long draw(int from, int to, SeededRandom random) {
            double radius = StrictMath.sqrt(-2 * StrictMath.log(1 - random.nextDouble()));
            double normal = radius * StrictMath.cos(2 * Math.PI * random.nextDouble());
            return (long) (StrictMath.exp(sigma * normal) * micros(median));
        }
    }

    /** Some directed links have a latency model of their own; all others use the fallback. */
    record PerLink(LatencyModel fallback, List<Link> links) implements LatencyModel {
        public record Link(NodeId from, NodeId to, LatencyModel latency) {}

        public PerLink {
            links = List.copyOf(links);
        }

        @Override
        public Optional<Duration> longest() {
            var longest = fallback.longest();
            for (Link link : links) {
                longest = longest.flatMap(l -> link.latency.longest().map(m -> m.compareTo(l) > 0 ? m : l));
            }
            return longest;
        }

        @Override
        public long draw(int from, int to, SeededRandom random) {
            for (Link link : links) {
                if (link.from.number() == from && link.to.number() == to) {
                    return link.latency.draw(from, to, random);
                }
            }
            return fallback.draw(from, to, random);
        }
    }

    private static void requireNotNegative(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("latency must not be negative, was " + time);
        }
    }

    private static long micros(Duration time) {
        return Micros.of(time);
    }
}
