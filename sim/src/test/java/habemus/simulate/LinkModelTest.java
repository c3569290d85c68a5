package habemus.simulate;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Fault;
import habemus.world.LatencyModel;
import habemus.world.NetworkModel;
import habemus.world.Topology;
import habemus.world.World;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
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
        return new LinkModel(world, new SplittableRandom(3));
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
    void in_order_no_message_overtakes_another_on_its_link(LatencyModel latencyModel) {
        assertThat(arrivals(links(NetworkModel.FIFO, latencyModel))).isSorted();
    }

    @ParameterizedTest
    @MethodSource("random")
    void in_a_bag_messages_overtake_each_other(LatencyModel latencyModel) {
        var arrivals = arrivals(links(NetworkModel.BAG, latencyModel));
        assertThat(IntStream.range(1, arrivals.length).filter(i -> arrivals[i] < arrivals[i - 1]))
                .hasSizeGreaterThan(100);
    }

    @Test
    void the_order_of_one_link_does_not_hold_up_another() {
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
    void keeps_the_order_of_very_many_links() {
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
    void a_message_takes_as_long_as_its_latency_says() {
        var uniform = links(NetworkModel.BAG, new LatencyModel.Uniform(ofMillis(3), ofMillis(5)));
        var times = LongStream.generate(() -> uniform.delay(1, 2)).limit(20_000).summaryStatistics();
        assertThat(times.getMin()).isBetween(3_000L, 3_001L);
        assertThat(times.getMax()).isBetween(4_999L, 5_000L);
        assertThat(times.getAverage()).isCloseTo(4_000, within(20.0));
        assertThat(links(NetworkModel.FIFO, new LatencyModel.Fixed(ofMillis(7))).delay(1, 2))
                .isEqualTo(7_000);
    }

    @Test
    void a_message_may_take_hours() {
        var linkModel = links(NetworkModel.BAG, new LatencyModel.Uniform(Duration.ZERO, Duration.ofHours(10)));
        assertThat(LongStream.generate(() -> linkModel.delay(1, 2))
                        .limit(10_000)
                        .average())
                .hasValueCloseTo(5 * 3.6e9, within(3e8));
    }

    @Test
    void loses_and_doubles_as_many_as_it_says() {
        var linkModel = links(WORLD.withNetwork(new NetworkModel(false, 0.2, 0.05)));
        assertThat(share(linkModel::drawLoss)).isCloseTo(0.2, within(0.01));
        assertThat(share(linkModel::drawDuplication)).isCloseTo(0.05, within(0.01));
    }

    @Test
    void loses_and_doubles_nothing_or_everything() {
        var kind = links(WORLD);
        assertThat(share(kind::drawLoss)).isZero();
        assertThat(share(kind::drawDuplication)).isZero();
        var cruel = links(WORLD.withNetwork(new NetworkModel(true, 1, 1)));
        assertThat(share(cruel::drawLoss)).isEqualTo(1);
        assertThat(share(cruel::drawDuplication)).isEqualTo(1);
    }

    private interface Toss {
        boolean toss();
    }

    private static double share(Toss toss) {
        return IntStream.range(0, 20_000).filter(i -> toss.toss()).count() / 20_000.0;
    }

    @Test
    void is_cut_between_the_sides_both_ways() {
        var linkModel = links(WORLD);
        linkModel.cut(BOTH_WAYS);
        assertThat(linkModel.isCut(N1, N2)).isTrue();
        assertThat(linkModel.isCut(N2, N1)).isTrue();
        assertThat(linkModel.isCut(N1, N3)).isFalse();
        assertThat(linkModel.isCut(N3, N2)).isFalse();
    }

    @Test
    void is_cut_one_way_only_if_so_told() {
        var linkModel = links(WORLD);
        linkModel.cut(ONE_WAY);
        assertThat(linkModel.isCut(N1, N2)).isTrue();
        assertThat(linkModel.isCut(N2, N1)).isFalse();
    }

    @Test
    void the_same_side_is_not_cut() {
        var linkModel = links(WORLD);
        linkModel.cut(new Fault.Cut(NodeSet.of(N1, N2), NodeSet.of(N3), true));
        assertThat(linkModel.isCut(N1, N2)).isFalse();
        assertThat(linkModel.isCut(N2, N3)).isTrue();
        assertThat(linkModel.isCut(N3, N1)).isTrue();
    }

    @Test
    void mending_one_cut_leaves_the_others() {
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
    void a_slow_link_takes_so_many_times_longer_one_way_until_it_is_back_to_normal() {
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
    void in_order_nothing_overtakes_a_message_that_was_slow() {
        var slow = new Fault.Slow(N1, N2, 10);
        var linkModel = links(slow(slow));
        linkModel.setSlowdown(slow);
        assertThat(linkModel.arrival(0, 1, 2)).isEqualTo(20_000);
        linkModel.setSlowdown(new Fault.Slow(N1, N2, 1));
        assertThat(linkModel.arrival(1_000, 1, 2)).isEqualTo(20_000);
        assertThat(linkModel.arrival(19_000, 1, 2)).isEqualTo(21_000);
    }

    @Test
    void healed_nothing_is_cut_slow_lost_or_doubled() {
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
    void healed_messages_still_keep_their_order_or_lack_of_it() {
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
