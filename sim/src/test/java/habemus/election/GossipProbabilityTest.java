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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The probability that an election in a large group succeeds, and its cost: computed and measured. */
@Tag("slow")
class GossipProbabilityTest {

    private static final int RELAYS = 12;
    private static final int FANOUT = 2;
    private static final int ROUNDS = 6;
    private static final List<NodeId> INITIATORS =
            Stream.of(7, 50, 93).map(NodeId::new).toList();
    private static final double Z = 2.576; // 99 % confidence
    private static final List<Sample> SAMPLES = List.of(
            sample(100, 0, ROUNDS, 2_000),
            sample(1_000, 0, ROUNDS, 300),
            sample(10_000, 0, ROUNDS, 30),
            sample(100_000, 0, ROUNDS, 10),
            sample(100, 0.1, ROUNDS, 2_000),
            sample(100, 0, 4, 2_000),
            sample(100, 0.1, 4, 2_000));

    private record Sample(int nodes, double loss, int rounds, List<RunResult> runResults) {
        /** Whether there are never two leaders at a time, and every initiator gets to know the leader. */
        private static boolean isSuccess(RunResult runResult) {
            return runResult.verdicts().get(Property.UNIQUENESS) == Verdict.HOLDS
                    && INITIATORS.stream()
                            .allMatch(initiator -> runResult.announcements().stream()
                                    .anyMatch(leaderAnnouncement ->
                                            leaderAnnouncement.node().equals(initiator)));
        }

        double rate() {
            return (double) runResults.stream().filter(Sample::isSuccess).count() / runResults.size();
        }

        /** A bound of the Wilson interval: the lower one for side -1, the upper one for side 1. */
        double bound(int side) {
            double m = runResults.size();
            double p = rate();
            double centre = p + Z * Z / (2 * m);
            return (centre + side * Z * Math.sqrt(p * (1 - p) / m + Z * Z / (4 * m * m))) / (1 + Z * Z / m);
        }

        double messages() {
            return runResults.stream().mapToLong(RunResult::messages).average().orElseThrow();
        }

        /** Half of the confidence interval of the mean. */
        double margin() {
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
                    margin());
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

    /** The expected success rate over the number k of relays, which has a binomial distribution. */
    private static double expected(Sample sample) {
        int nodes = sample.nodes;
        double share = (double) RELAYS / nodes;
        double probability = Math.pow(1 - share, nodes); // no node passes the filter: the best is the only relay
        double sum = probability;
        for (int k = 1; k <= Math.min(nodes, 10 * RELAYS); k++) {
            probability *= (nodes - k + 1.0) / k * share / (1 - share);
            sum += probability * Math.clamp(1 - (k - 1) * uninformed(k, sample), 0, 1) * notified(k, sample.loss);
        }
        return sum;
    }

    /** The probability that one of k relays does not know the best relay after all rounds. */
    private static double uninformed(int k, Sample sample) {
        double uninformed = 1 - 1.0 / k;
        for (int round = 0; round < sample.rounds && k > 1; round++) {
            uninformed *= Math.pow(1 - (1 - sample.loss) / (k - 1), FANOUT * k * (1 - uninformed));
        }
        return uninformed;
    }

    /** The probability that every initiator gets the result from at least one relay, which takes three messages. */
    private static double notified(int k, double loss) {
        return Math.pow(1 - Math.pow(1 - Math.pow(1 - loss, 3), k), INITIATORS.size());
    }

    @Test
    void the_success_rate_is_at_least_the_computed_one_and_the_page_shows_both() throws IOException {
        for (var sample : SAMPLES) {
            assertThat(expected(sample)).as(sample.row()).isLessThan(sample.bound(1));
        }
        compareWithPage(SAMPLES);
    }

    @Test
    void with_enough_rounds_the_computed_success_rate_is_close_to_the_measured_one() {
        SAMPLES.stream()
                .filter(sample -> sample.rounds == ROUNDS)
                .forEach(
                        sample -> assertThat(expected(sample)).as(sample.row()).isGreaterThan(sample.bound(-1) - 0.01));
    }

    @Test
    void the_number_of_messages_does_not_depend_on_the_number_of_nodes() {
        var lossless = SAMPLES.stream()
                .filter(sample -> sample.loss == 0 && sample.rounds == ROUNDS)
                .toList();
        for (var sample : lossless) {
            for (var other : lossless) {
                assertThat(Math.abs(sample.messages() - other.messages()))
                        .isLessThanOrEqualTo(sample.margin() + other.margin());
            }
        }
    }

    private static void compareWithPage(List<Sample> samples) throws IOException {
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
