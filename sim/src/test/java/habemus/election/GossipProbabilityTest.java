package habemus.election;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.NodeId;
import habemus.simulate.RunResult;
import habemus.simulate.Simulation;
import habemus.world.NetworkModel;
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
class GossipProbabilityTest {

    private static final int RELAYS = 12;
    private static final int FANOUT = 2;
    private static final int ROUNDS = 6;
    private static final List<NodeId> INITIATORS =
            Stream.of(7, 50, 93).map(NodeId::new).toList();
    private static final double Z = 2.576; // 99 of 100
    private static final List<Sample> SAMPLES = List.of(
            sample(100, 0, ROUNDS, 2_000),
            sample(1_000, 0, ROUNDS, 300),
            sample(10_000, 0, ROUNDS, 30),
            sample(100_000, 0, ROUNDS, 10),
            sample(100, 0.1, ROUNDS, 2_000),
            sample(100, 0, 4, 2_000),
            sample(100, 0.1, 4, 2_000));

    private record Sample(int nodes, double loss, int rounds, List<RunResult> runResults) {
        /** Never two leaders at a time, and whoever asked names the one. */
        private static boolean isSuccess(RunResult runResult) {
            return runResult.verdicts().get(Property.UNIQUENESS) == Verdict.HOLDS
                    && INITIATORS.stream()
                            .allMatch(asker -> runResult.announcements().stream()
                                    .anyMatch(leaderAnnouncement ->
                                            leaderAnnouncement.node().equals(asker)));
        }

        double rate() {
            return (double) runResults.stream().filter(Sample::isSuccess).count() / runResults.size();
        }

        /** Wilson's interval. */
        double bound(int side) {
            double m = runResults.size();
            double p = rate();
            double centre = p + Z * Z / (2 * m);
            return (centre + side * Z * Math.sqrt(p * (1 - p) / m + Z * Z / (4 * m * m))) / (1 + Z * Z / m);
        }

        double messages() {
            return runResults.stream().mapToLong(RunResult::messages).average().orElseThrow();
        }

        /** How far the mean may be off. */
        double spread() {
            double mean = messages();
            double variance = runResults.stream()
                    .mapToDouble(runResult -> Math.pow(runResult.messages() - mean, 2))
                    .average()
                    .orElseThrow();
            return Z * Math.sqrt(variance / runResults.size());
        }

        String row() {
            return String.format(
                    Locale.ROOT,
                    "| %d | %s | %d | %d | %.4f | %.4f | %.4f to %.4f | %.0f ± %.0f |",
                    nodes,
                    loss == 0 ? "none" : String.valueOf(loss),
                    rounds,
                    runResults.size(),
                    expected(this),
                    rate(),
                    bound(-1),
                    bound(1),
                    messages(),
                    spread());
        }
    }

    private static Sample sample(int nodes, double loss, int rounds, int seeds) {
        var world = World.of(Topology.complete(nodes))
                .withNetwork(NetworkModel.FIFO.withLoss(loss))
                .withWorkload(Workload.once(INITIATORS));
        return new Sample(
                nodes,
                loss,
                rounds,
                LongStream.rangeClosed(1, seeds)
                        .mapToObj(seed -> Simulation.of(rules(rounds, (int) seed), world, seed)
                                .run())
                        .toList());
    }

    private static GossipLargeGroup rules(int rounds, int salt) {
        return new GossipLargeGroup(RELAYS, FANOUT, rounds, Duration.ofMillis(20), salt);
    }

    /** Over the number k of relays that the hash lets pass, which is binomial. */
    private static double expected(Sample sample) {
        int nodes = sample.nodes;
        double share = (double) RELAYS / nodes;
        double some = Math.pow(1 - share, nodes); // that nobody passes: then the best is the only relay
        double sum = some;
        for (int k = 1; k <= Math.min(nodes, 10 * RELAYS); k++) {
            some *= (nodes - k + 1.0) / k * share / (1 - share);
            sum += some * Math.clamp(1 - (k - 1) * ignorant(k, sample), 0, 1) * told(k, sample.loss);
        }
        return sum;
    }

    /** How likely one of k relays has not heard of the best one after all rounds; each who has heard tells others. */
    private static double ignorant(int k, Sample sample) {
        double ignorant = 1 - 1.0 / k;
        for (int round = 0; round < sample.rounds && k > 1; round++) {
            ignorant *= Math.pow(1 - (1 - sample.loss) / (k - 1), FANOUT * k * (1 - ignorant));
        }
        return ignorant;
    }

    /** How likely everybody who asked is told by one relay at least: three messages in a row arrive. */
    private static double told(int k, double loss) {
        return Math.pow(1 - Math.pow(1 - Math.pow(1 - loss, 3), k), INITIATORS.size());
    }

    @Test
    void it_succeeds_at_least_as_often_as_computed_and_the_page_says_so() throws IOException {
        for (var sample : SAMPLES) {
            assertThat(expected(sample)).as(sample.row()).isLessThan(sample.bound(1));
        }
        compare(SAMPLES);
    }

    @Test
    void with_enough_rounds_what_is_computed_is_hardly_less_than_what_is_measured() {
        SAMPLES.stream()
                .filter(sample -> sample.rounds == ROUNDS)
                .forEach(
                        sample -> assertThat(expected(sample)).as(sample.row()).isGreaterThan(sample.bound(-1) - 0.01));
    }

    /** However many nodes there are, it takes as many messages. */
    @Test
    void the_number_of_messages_does_not_depend_on_the_number_of_nodes() {
        var alike = SAMPLES.stream()
                .filter(sample -> sample.loss == 0 && sample.rounds == ROUNDS)
                .toList();
        for (var one : alike) {
            for (var other : alike) {
                assertThat(Math.abs(one.messages() - other.messages()))
                        .isLessThanOrEqualTo(one.spread() + other.spread());
            }
        }
    }

    private static void compare(List<Sample> samples) throws IOException {
        var lines = new ArrayList<String>();
        lines.add("| nodes | loss | rounds | seeds | success computed | measured | with 99 % | messages |");
        lines.add("|---|---|---|---|---|---|---|---|");
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
