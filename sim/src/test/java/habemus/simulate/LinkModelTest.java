package habemus.simulate;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Fault;
import habemus.world.LatencyModel;
import habemus.world.NetworkModel;
import habemus.world.SeededRandom;
import habemus.world.Topology;
import habemus.world.World;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Times in microseconds. */
class LinkModelTest {

    private static final NodeId N1 = new NodeId(1);
    private static final NodeId N2 = new NodeId(2);
    private static final NodeId N3 = new NodeId(3);
    private static final World WORLD = World.of(Topology.complete(3));
    private static final Fault.Cut BOTH_WAYS = new Fault.Cut(NodeSet.of(N1), NodeSet.of(N2), true);
    private static final Fault.Cut ONE_WAY = new Fault.Cut(NodeSet.of(N1), NodeSet.of(N2), false);

    private static LinkModel links(World world) {
        return new LinkModel(world, new SeededRandom(3));
    }

    private static LinkModel links(NetworkModel networkModel, LatencyModel latencyModel) {
        return links(WORLD.withNetwork(networkModel).withLatency(latencyModel));
    }

    static List<LatencyModel> random() {
        return List.of(
                new LatencyModel.Uniform(Duration.ZERO, ofMillis(50)),
                new LatencyModel.Exponential(ofMillis(20)),
                new LatencyModel.LogNormal(ofMillis(20), 2),
                new LatencyModel.PerLink(new LatencyModel.Exponential(ofMillis(20)), List.of()));
    }

    private static long[] arrivals(LinkModel linkModel) {
        return LongStream.range(0, 1_000)
                .map(i -> linkModel.arrival(i * 1_000, 1, 2))
                .toArray();
    }

    @ParameterizedTest
    @MethodSource("random")
    void a_fifo_link_delivers_messages_in_order(LatencyModel latencyModel) {
        assertThat(arrivals(links(NetworkModel.FIFO, latencyModel))).isSorted();
    }

    @ParameterizedTest
    @MethodSource("random")
    void a_bag_network_reorders_messages(LatencyModel latencyModel) {
        var arrivals = arrivals(links(NetworkModel.BAG, latencyModel));
        assertThat(IntStream.range(1, arrivals.length).filter(i -> arrivals[i] < arrivals[i - 1]))
                .hasSizeGreaterThan(100);
    }

    @Test
    void a_fifo_link_does_not_delay_other_links() {
        var latency = new LatencyModel.PerLink(
                new LatencyModel.Fixed(ofMillis(1)),
                List.of(new LatencyModel.PerLink.Link(N1, N2, new LatencyModel.Fixed(ofMillis(100)))));
        var linkModel = links(NetworkModel.FIFO, latency);
        assertThat(linkModel.arrival(0, 1, 2)).isEqualTo(100_000);
        assertThat(linkModel.arrival(0, 2, 1)).isEqualTo(1_000);
        assertThat(linkModel.arrival(0, 1, 3)).isEqualTo(1_000);
        assertThat(linkModel.arrival(0, 3, 2)).isEqualTo(1_000);
    }

    @Test
    void many_links_are_fifo_at_the_same_time() {
        int nodes = 60;
        var world = World.of(Topology.complete(nodes)).withLatency(new LatencyModel.Exponential(ofMillis(20)));
        var linkModel = links(world);
        var last = new long[nodes + 1][nodes + 1];
        for (int round = 0; round < 5; round++) {
            for (int from = 1; from <= nodes; from++) {
                for (int to = 1; to <= nodes; to++) {
                    long arrival = linkModel.arrival(round * 1_000L, from, to);
                    assertThat(arrival).isGreaterThanOrEqualTo(last[from][to]);
                    last[from][to] = arrival;
                }
            }
        }
    }

    @Test
    void delays_follow_the_latency_model() {
        var uniform = links(NetworkModel.BAG, new LatencyModel.Uniform(ofMillis(3), ofMillis(5)));
        var times = LongStream.generate(() -> uniform.delay(1, 2)).limit(20_000).summaryStatistics();
        assertThat(times.getMin()).isBetween(3_000L, 3_001L);
        assertThat(times.getMax()).isBetween(4_999L, 5_000L);
        assertThat(times.getAverage()).isCloseTo(4_000, within(20.0));
        assertThat(links(NetworkModel.FIFO, new LatencyModel.Fixed(ofMillis(7))).delay(1, 2))
                .isEqualTo(7_000);
    }

    @Test
    void a_delay_may_be_hours() {
        var linkModel = links(NetworkModel.BAG, new LatencyModel.Uniform(Duration.ZERO, Duration.ofHours(10)));
        assertThat(LongStream.generate(() -> linkModel.delay(1, 2))
                        .limit(10_000)
                        .average())
                .hasValueCloseTo(5 * 3.6e9, within(3e8));
    }

    @Test
    void loss_and_duplication_have_their_probabilities() {
        var linkModel = links(WORLD.withNetwork(new NetworkModel(false, 0.2, 0.05)));
        assertThat(share(linkModel::drawLoss)).isCloseTo(0.2, within(0.01));
        assertThat(share(linkModel::drawDuplication)).isCloseTo(0.05, within(0.01));
    }

    @Test
    void a_probability_of_zero_never_and_of_one_always_applies() {
        var faultless = links(WORLD);
        assertThat(share(faultless::drawLoss)).isZero();
        assertThat(share(faultless::drawDuplication)).isZero();
        var faulty = links(WORLD.withNetwork(new NetworkModel(true, 1, 1)));
        assertThat(share(faulty::drawLoss)).isEqualTo(1);
        assertThat(share(faulty::drawDuplication)).isEqualTo(1);
    }

    private interface Toss {
        boolean toss();
    }

    private static double share(Toss toss) {
        return IntStream.range(0, 20_000).filter(i -> toss.toss()).count() / 20_000.0;
    }

    @Test
    void a_two_way_cut_separates_the_sides_in_both_directions() {
        var linkModel = links(WORLD);
        linkModel.cut(BOTH_WAYS);
        assertThat(linkModel.isCut(N1, N2)).isTrue();
        assertThat(linkModel.isCut(N2, N1)).isTrue();
        assertThat(linkModel.isCut(N1, N3)).isFalse();
        assertThat(linkModel.isCut(N3, N2)).isFalse();
    }

    @Test
    void a_one_way_cut_separates_the_sides_in_one_direction() {
        var linkModel = links(WORLD);
        linkModel.cut(ONE_WAY);
        assertThat(linkModel.isCut(N1, N2)).isTrue();
        assertThat(linkModel.isCut(N2, N1)).isFalse();
    }

    @Test
    void nodes_on_the_same_side_of_a_cut_are_connected() {
        var linkModel = links(WORLD);
        linkModel.cut(new Fault.Cut(NodeSet.of(N1, N2), NodeSet.of(N3), true));
        assertThat(linkModel.isCut(N1, N2)).isFalse();
        assertThat(linkModel.isCut(N2, N3)).isTrue();
        assertThat(linkModel.isCut(N3, N1)).isTrue();
    }

    @Test
    void healing_one_cut_leaves_the_others() {
        var linkModel = links(WORLD);
        linkModel.cut(BOTH_WAYS);
        linkModel.cut(ONE_WAY);
        assertThat(linkModel.heal(BOTH_WAYS)).isTrue();
        assertThat(linkModel.isCut(N1, N2)).isTrue();
        assertThat(linkModel.isCut(N2, N1)).isFalse();
        assertThat(linkModel.heal(BOTH_WAYS)).isFalse();
        assertThat(linkModel.heal(ONE_WAY)).isTrue();
        assertThat(linkModel.isCut(N1, N2)).isFalse();
    }

    private static World slow(Fault.Slow slow) {
        return WORLD.withLatency(new LatencyModel.Fixed(ofMillis(2)))
                .withFaults(List.of(new Fault.PlannedFault(Duration.ZERO, slow)));
    }

    @Test
    void a_slow_link_multiplies_the_delay_in_one_direction_until_reset() {
        var slow = new Fault.Slow(N1, N2, 10);
        var linkModel = links(slow(slow).withNetwork(NetworkModel.BAG));
        linkModel.setSlowdown(slow);
        assertThat(linkModel.delay(1, 2)).isEqualTo(20_000);
        assertThat(linkModel.delay(2, 1)).isEqualTo(2_000);
        assertThat(linkModel.delay(1, 3)).isEqualTo(2_000);
        linkModel.setSlowdown(new Fault.Slow(N1, N2, 3));
        assertThat(linkModel.delay(1, 2)).isEqualTo(6_000);
        linkModel.setSlowdown(new Fault.Slow(N1, N2, 1));
        assertThat(linkModel.delay(1, 2)).isEqualTo(2_000);
    }

    @Test
    void on_a_fifo_link_no_message_overtakes_a_slow_one() {
        var slow = new Fault.Slow(N1, N2, 10);
        var linkModel = links(slow(slow));
        linkModel.setSlowdown(slow);
        assertThat(linkModel.arrival(0, 1, 2)).isEqualTo(20_000);
        linkModel.setSlowdown(new Fault.Slow(N1, N2, 1));
        assertThat(linkModel.arrival(1_000, 1, 2)).isEqualTo(20_000);
        assertThat(linkModel.arrival(19_000, 1, 2)).isEqualTo(21_000);
    }

    @Test
    void heal_all_ends_cuts_slow_links_loss_and_duplication() {
        var slow = new Fault.Slow(N1, N2, 10);
        var linkModel = links(slow(slow).withNetwork(new NetworkModel(true, 1, 1)));
        linkModel.cut(BOTH_WAYS);
        linkModel.cut(ONE_WAY);
        linkModel.setSlowdown(slow);
        assertThat(linkModel.healAll()).containsExactly(BOTH_WAYS, ONE_WAY);
        assertThat(linkModel.isCut(N1, N2)).isFalse();
        assertThat(linkModel.delay(1, 2)).isEqualTo(2_000);
        assertThat(share(linkModel::drawLoss)).isZero();
        assertThat(share(linkModel::drawDuplication)).isZero();
        assertThat(linkModel.healAll()).isEmpty();
    }

    @Test
    void heal_all_keeps_the_message_order_of_the_network() {
        var exponential = new LatencyModel.Exponential(ofMillis(20));
        var fifo = links(NetworkModel.FIFO, exponential);
        var bag = links(NetworkModel.BAG, exponential);
        fifo.healAll();
        bag.healAll();
        assertThat(arrivals(fifo)).isSorted();
        var unordered = arrivals(bag);
        assertThat(IntStream.range(1, unordered.length).filter(k -> unordered[k] < unordered[k - 1]))
                .hasSizeGreaterThan(100);
    }
}
