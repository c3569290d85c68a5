package habemus.simulate;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Fault;
import habemus.world.Latency;
import habemus.world.Network;
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
class LinksTest {

    private static final NodeId N1 = new NodeId(1);
    private static final NodeId N2 = new NodeId(2);
    private static final NodeId N3 = new NodeId(3);
    private static final World WORLD = World.of(Topology.complete(3));
    private static final Fault.Cut BOTH_WAYS = new Fault.Cut(NodeSet.of(N1), NodeSet.of(N2), true);
    private static final Fault.Cut ONE_WAY = new Fault.Cut(NodeSet.of(N1), NodeSet.of(N2), false);

    private static Links links(World world) {
        return new Links(world, new SplittableRandom(3));
    }

    private static Links links(Network network, Latency latency) {
        return links(WORLD.over(network).taking(latency));
    }

    static List<Latency> random() {
        return List.of(
                new Latency.Uniform(Duration.ZERO, ofMillis(50)),
                new Latency.Exponential(ofMillis(20)),
                new Latency.LogNormal(ofMillis(20), 2),
                new Latency.PerLink(new Latency.Exponential(ofMillis(20)), List.of()));
    }

    private static long[] arrivals(Links links) {
        return LongStream.range(0, 1_000)
                .map(i -> links.arrival(i * 1_000, 1, 2))
                .toArray();
    }

    @ParameterizedTest
    @MethodSource("random")
    void in_order_no_message_overtakes_another_on_its_link(Latency latency) {
        assertThat(arrivals(links(Network.FIFO, latency))).isSorted();
    }

    @ParameterizedTest
    @MethodSource("random")
    void in_a_bag_messages_overtake_each_other(Latency latency) {
        var arrivals = arrivals(links(Network.BAG, latency));
        assertThat(IntStream.range(1, arrivals.length).filter(i -> arrivals[i] < arrivals[i - 1]))
                .hasSizeGreaterThan(100);
    }

    @Test
    void the_order_of_one_link_does_not_hold_up_another() {
        var latency = new Latency.PerLink(
                new Latency.Fixed(ofMillis(1)),
                List.of(new Latency.PerLink.Link(N1, N2, new Latency.Fixed(ofMillis(100)))));
        var links = links(Network.FIFO, latency);
        assertThat(links.arrival(0, 1, 2)).isEqualTo(100_000);
        assertThat(links.arrival(0, 2, 1)).isEqualTo(1_000);
        assertThat(links.arrival(0, 1, 3)).isEqualTo(1_000);
        assertThat(links.arrival(0, 3, 2)).isEqualTo(1_000);
    }

    @Test
    void keeps_the_order_of_very_many_links() {
        int nodes = 60;
        var world = World.of(Topology.complete(nodes)).taking(new Latency.Exponential(ofMillis(20)));
        var links = links(world);
        var last = new long[nodes + 1][nodes + 1];
        for (int round = 0; round < 5; round++) {
            for (int from = 1; from <= nodes; from++) {
                for (int to = 1; to <= nodes; to++) {
                    long arrival = links.arrival(round * 1_000L, from, to);
                    assertThat(arrival).isGreaterThanOrEqualTo(last[from][to]);
                    last[from][to] = arrival;
                }
            }
        }
    }

    @Test
    void a_message_takes_as_long_as_its_latency_says() {
        var uniform = links(Network.BAG, new Latency.Uniform(ofMillis(3), ofMillis(5)));
        var times = LongStream.generate(() -> uniform.delay(1, 2)).limit(20_000).summaryStatistics();
        assertThat(times.getMin()).isBetween(3_000L, 3_001L);
        assertThat(times.getMax()).isBetween(4_999L, 5_000L);
        assertThat(times.getAverage()).isCloseTo(4_000, within(20.0));
        assertThat(links(Network.FIFO, new Latency.Fixed(ofMillis(7))).delay(1, 2))
                .isEqualTo(7_000);
    }

    @Test
    void a_message_may_take_hours() {
        var links = links(Network.BAG, new Latency.Uniform(Duration.ZERO, Duration.ofHours(10)));
        assertThat(LongStream.generate(() -> links.delay(1, 2)).limit(10_000).average())
                .hasValueCloseTo(5 * 3.6e9, within(3e8));
    }

    @Test
    void loses_and_doubles_as_many_as_it_says() {
        var links = links(WORLD.over(new Network(false, 0.2, 0.05)));
        assertThat(share(links::loses)).isCloseTo(0.2, within(0.01));
        assertThat(share(links::duplicates)).isCloseTo(0.05, within(0.01));
    }

    @Test
    void loses_and_doubles_nothing_or_everything() {
        var kind = links(WORLD);
        assertThat(share(kind::loses)).isZero();
        assertThat(share(kind::duplicates)).isZero();
        var cruel = links(WORLD.over(new Network(true, 1, 1)));
        assertThat(share(cruel::loses)).isEqualTo(1);
        assertThat(share(cruel::duplicates)).isEqualTo(1);
    }

    private interface Toss {
        boolean toss();
    }

    private static double share(Toss toss) {
        return IntStream.range(0, 20_000).filter(i -> toss.toss()).count() / 20_000.0;
    }

    @Test
    void is_cut_between_the_sides_both_ways() {
        var links = links(WORLD);
        links.cut(BOTH_WAYS);
        assertThat(links.isCut(N1, N2)).isTrue();
        assertThat(links.isCut(N2, N1)).isTrue();
        assertThat(links.isCut(N1, N3)).isFalse();
        assertThat(links.isCut(N3, N2)).isFalse();
    }

    @Test
    void is_cut_one_way_only_if_so_told() {
        var links = links(WORLD);
        links.cut(ONE_WAY);
        assertThat(links.isCut(N1, N2)).isTrue();
        assertThat(links.isCut(N2, N1)).isFalse();
    }

    @Test
    void the_same_side_is_not_cut() {
        var links = links(WORLD);
        links.cut(new Fault.Cut(NodeSet.of(N1, N2), NodeSet.of(N3), true));
        assertThat(links.isCut(N1, N2)).isFalse();
        assertThat(links.isCut(N2, N3)).isTrue();
        assertThat(links.isCut(N3, N1)).isTrue();
    }

    @Test
    void mending_one_cut_leaves_the_others() {
        var links = links(WORLD);
        links.cut(BOTH_WAYS);
        links.cut(ONE_WAY);
        assertThat(links.mend(BOTH_WAYS)).isTrue();
        assertThat(links.isCut(N1, N2)).isTrue();
        assertThat(links.isCut(N2, N1)).isFalse();
        assertThat(links.mend(BOTH_WAYS)).isFalse();
        assertThat(links.mend(ONE_WAY)).isTrue();
        assertThat(links.isCut(N1, N2)).isFalse();
    }

    private static World slow(Fault.Slow slow) {
        return WORLD.taking(new Latency.Fixed(ofMillis(2))).struckBy(List.of(new Fault.Planned(Duration.ZERO, slow)));
    }

    @Test
    void a_slow_link_takes_so_many_times_longer_one_way_until_it_is_back_to_normal() {
        var slow = new Fault.Slow(N1, N2, 10);
        var links = links(slow(slow).over(Network.BAG));
        links.slow(slow);
        assertThat(links.delay(1, 2)).isEqualTo(20_000);
        assertThat(links.delay(2, 1)).isEqualTo(2_000);
        assertThat(links.delay(1, 3)).isEqualTo(2_000);
        links.slow(new Fault.Slow(N1, N2, 3));
        assertThat(links.delay(1, 2)).isEqualTo(6_000);
        links.slow(new Fault.Slow(N1, N2, 1));
        assertThat(links.delay(1, 2)).isEqualTo(2_000);
    }

    @Test
    void in_order_nothing_overtakes_a_message_that_was_slow() {
        var slow = new Fault.Slow(N1, N2, 10);
        var links = links(slow(slow));
        links.slow(slow);
        assertThat(links.arrival(0, 1, 2)).isEqualTo(20_000);
        links.slow(new Fault.Slow(N1, N2, 1));
        assertThat(links.arrival(1_000, 1, 2)).isEqualTo(20_000);
        assertThat(links.arrival(19_000, 1, 2)).isEqualTo(21_000);
    }

    @Test
    void healed_nothing_is_cut_slow_lost_or_doubled() {
        var slow = new Fault.Slow(N1, N2, 10);
        var links = links(slow(slow).over(new Network(true, 1, 1)));
        links.cut(BOTH_WAYS);
        links.cut(ONE_WAY);
        links.slow(slow);
        assertThat(links.heal()).containsExactly(BOTH_WAYS, ONE_WAY);
        assertThat(links.isCut(N1, N2)).isFalse();
        assertThat(links.delay(1, 2)).isEqualTo(2_000);
        assertThat(share(links::loses)).isZero();
        assertThat(share(links::duplicates)).isZero();
        assertThat(links.heal()).isEmpty();
    }

    @Test
    void healed_messages_still_keep_their_order_or_lack_of_it() {
        var exponential = new Latency.Exponential(ofMillis(20));
        var fifo = links(Network.FIFO, exponential);
        var bag = links(Network.BAG, exponential);
        fifo.heal();
        bag.heal();
        assertThat(arrivals(fifo)).isSorted();
        var unordered = arrivals(bag);
        assertThat(IntStream.range(1, unordered.length).filter(k -> unordered[k] < unordered[k - 1]))
                .hasSizeGreaterThan(100);
    }
}
