package habemus.election;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.NodeId;
import habemus.simulate.Outcome;
import habemus.simulate.Simulation;
import habemus.world.Network;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.Verdict;
import habemus.world.Workload;
import habemus.world.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How likely an election in a large group succeeds, and what it costs: computed, and measured beside it. */
class GossipOddsTest {

    private static final int RELAYS = 12;
    private static final int FANOUT = 2;
    private static final int ROUNDS = 6;
    private static final List<NodeId> INITIATORS =
            Stream.of(7, 50, 93).map(NodeId::new).toList();
    private static final double Z = 2.576; // 99 of 100

    private record Sample(int nodes, double loss, List<Outcome> outcomes) {
        /** Never two leaders at a time, and whoever asked names the one. */
        private static boolean isSuccess(Outcome outcome) {
            return outcome.verdicts().get(Property.UNIQUENESS) == Verdict.HOLDS
                    && INITIATORS.stream()
                            .allMatch(asker -> outcome.elected().stream()
                                    .anyMatch(elected -> elected.node().equals(asker)));
        }

        double rate() {
            return (double) outcomes.stream().filter(Sample::isSuccess).count() / outcomes.size();
        }

        /** Wilson's interval. */
        double bound(int side) {
            double m = outcomes.size();
            double p = rate();
            double centre = p + Z * Z / (2 * m);
            return (centre + side * Z * Math.sqrt(p * (1 - p) / m + Z * Z / (4 * m * m))) / (1 + Z * Z / m);
        }

        double messages() {
            return outcomes.stream().mapToLong(Outcome::messages).average().orElseThrow();
        }

        /** How far the mean may be off. */
        double spread() {
            double mean = messages();
            double variance = outcomes.stream()
                    .mapToDouble(outcome -> Math.pow(outcome.messages() - mean, 2))
                    .average()
                    .orElseThrow();
            return Z * Math.sqrt(variance / outcomes.size());
        }

        String row() {
            return String.format(
                    Locale.ROOT,
                    "| %d | %s | %d | %.4f | %.4f | %.4f to %.4f | %.0f ± %.0f |",
                    nodes,
                    loss == 0 ? "none" : String.valueOf(loss),
                    outcomes.size(),
                    expected(nodes, loss),
                    rate(),
                    bound(-1),
                    bound(1),
                    messages(),
                    spread());
        }
    }

    private static Sample sample(int nodes, double loss, int seeds) {
        var world = World.of(Topology.complete(nodes))
                .over(Network.FIFO.losing(loss))
                .wanting(Workload.once(INITIATORS));
        return new Sample(
                nodes,
                loss,
                LongStream.rangeClosed(1, seeds)
                        .mapToObj(seed ->
                                Simulation.of(rules((int) seed), world, seed).run())
                        .toList());
    }

    private static GossipLargeGroup rules(int salt) {
        return new GossipLargeGroup(RELAYS, FANOUT, ROUNDS, Duration.ofMillis(20), salt);
    }

    /** Over the number k of relays that the hash lets pass, which is binomial. */
    private static double expected(int nodes, double loss) {
        double share = (double) RELAYS / nodes;
        double some = Math.pow(1 - share, nodes); // that nobody passes: then the best is the only relay
        double sum = some;
        for (int k = 1; k <= Math.min(nodes, 10 * RELAYS); k++) {
            some *= (nodes - k + 1.0) / k * share / (1 - share);
            sum += some * Math.clamp(1 - (k - 1) * ignorant(k, loss), 0, 1) * told(k, loss);
        }
        return sum;
    }

    /** How likely one of k relays has not heard of the best one after all rounds; each who has heard tells others. */
    private static double ignorant(int k, double loss) {
        double ignorant = 1 - 1.0 / k;
        for (int round = 0; round < ROUNDS && k > 1; round++) {
            ignorant *= Math.pow(1 - (1 - loss) / (k - 1), FANOUT * k * (1 - ignorant));
        }
        return ignorant;
    }

    /** How likely everybody who asked is told by one relay at least: three messages in a row arrive. */
    private static double told(int k, double loss) {
        return Math.pow(1 - Math.pow(1 - Math.pow(1 - loss, 3), k), INITIATORS.size());
    }

    @Test
    void what_is_measured_is_what_is_computed_and_the_page_says_so() throws IOException {
        var samples =
                List.of(sample(100, 0, 2_000), sample(1_000, 0, 300), sample(10_000, 0, 30), sample(100, 0.1, 2_000));
        for (var sample : samples) {
            assertThat(expected(sample.nodes, sample.loss))
                    .as(sample.row())
                    .isBetween(sample.bound(-1) - 0.01, sample.bound(1));
        }
        compare(samples);
    }

    /** However many nodes there are, it takes as many messages. */
    @Test
    void the_number_of_messages_does_not_depend_on_the_number_of_nodes() {
        var samples = List.of(sample(100, 0, 300), sample(1_000, 0, 300), sample(10_000, 0, 30));
        for (var one : samples) {
            for (var other : samples) {
                assertThat(Math.abs(one.messages() - other.messages())).isLessThan(one.spread() + other.spread());
            }
        }
    }

    private static void compare(List<Sample> samples) throws IOException {
        var lines = new ArrayList<String>();
        lines.add("| nodes | loss | seeds | success computed | measured | with 99 % | messages |");
        lines.add("|---|---|---|---|---|---|---|");
        samples.forEach(sample -> lines.add(sample.row()));
        var page = root().resolve("docs/algorithms/gossip-large-group.md");
        var text = Files.readString(page);
        var now = "<!-- odds -->\n" + String.join("\n", lines) + "\n<!-- end -->";
        var renewed = Pattern.compile("(?s)<!-- odds -->\n.*?<!-- end -->")
                .matcher(text)
                .replaceFirst(Matcher.quoteReplacement(now));
        if (Boolean.getBoolean("habemus.rewrite")) {
            Files.writeString(page, renewed);
        } else {
            assertThat(text).isEqualTo(renewed);
        }
    }

    private static Path root() {
        return Files.exists(Path.of("docs")) ? Path.of("") : Path.of("..");
    }
}
