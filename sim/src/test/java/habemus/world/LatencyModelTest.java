package habemus.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import habemus.protocol.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Delays in microseconds, over many draws from one seed. */
class LatencyModelTest {

    private static final int DRAWS = 50_000;
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static long[] draws(LatencyModel latencyModel) {
        return draws(latencyModel, 1, 2);
    }

    private static long[] draws(LatencyModel latencyModel, int from, int to) {
        var random = new SeededRandom(5);
        return LongStream.generate(() -> latencyModel.draw(from, to, random))
                .limit(DRAWS)
                .sorted()
                .toArray();
    }

    private static double mean(long[] times) {
        return LongStream.of(times).average().orElseThrow();
    }

    /** The share of delays below this time. */
    private static double below(long[] sorted, double time) {
        return LongStream.of(sorted).filter(t -> t < time).count() / (double) sorted.length;
    }

    @Test
    void a_fixed_latency_is_always_the_same() {
        assertThat(draws(new LatencyModel.Fixed(Duration.ofMillis(3)))).containsOnly(3_000);
        assertThat(draws(new LatencyModel.Fixed(Duration.ZERO))).containsOnly(0);
    }

    @Test
    void a_uniform_latency_takes_every_time_between_its_bounds_equally_often() {
        var times = draws(new LatencyModel.Uniform(Duration.ofNanos(10_000), Duration.ofNanos(14_000)));
        assertThat(times).containsOnly(10, 11, 12, 13, 14);
        for (int time = 10; time <= 14; time++) {
            assertThat(below(times, time + 1) - below(times, time)).isCloseTo(0.2, within(0.01));
        }
    }

    @Test
    void a_uniform_latency_of_one_time_is_fixed() {
        assertThat(draws(new LatencyModel.Uniform(SECOND, SECOND))).containsOnly(1_000_000);
    }

    @Test
    void a_uniform_latency_may_be_of_hours() {
        var times = draws(new LatencyModel.Uniform(Duration.ZERO, Duration.ofHours(10)));
        assertThat(mean(times)).isCloseTo(5 * 3.6e9, within(2e8));
    }

    @Test
    void an_exponential_latency_has_its_mean_and_its_quantiles() {
        var times = draws(new LatencyModel.Exponential(SECOND));
        assertThat(mean(times)).isCloseTo(1e6, within(2e4));
        assertThat(times[0]).isNotNegative();
        assertThat(below(times, 1e6 * Math.log(2))).isCloseTo(0.5, within(0.01));
        assertThat(below(times, 3e6)).isCloseTo(1 - Math.exp(-3), within(0.01));
    }

    @Test
    void a_log_normal_latency_has_its_median_and_its_spread() {
        var times = draws(new LatencyModel.LogNormal(SECOND, 0.5));
        assertThat(below(times, 1e6)).isCloseTo(0.5, within(0.01));
        assertThat(below(times, 1e6 * Math.exp(0.5))).isCloseTo(0.841, within(0.01));
        assertThat(below(times, 1e6 * Math.exp(-0.5))).isCloseTo(0.159, within(0.01));
        assertThat(below(times, 1e6 * Math.exp(1))).isCloseTo(0.977, within(0.005));
        assertThat(mean(times)).isCloseTo(1e6 * Math.exp(0.125), within(2e4));
    }

    @Test
    void a_log_normal_latency_without_spread_is_its_median() {
        assertThat(draws(new LatencyModel.LogNormal(SECOND, 0))).containsOnly(1_000_000);
    }

    @Test
    void a_link_latency_applies_to_one_direction() {
        var latency = new LatencyModel.PerLink(
                fixed(1),
                List.of(
                        new LatencyModel.PerLink.Link(new NodeId(1), new NodeId(2), fixed(7)),
                        new LatencyModel.PerLink.Link(new NodeId(2), new NodeId(3), fixed(9))));
        assertThat(draws(latency, 1, 2)).containsOnly(7_000);
        assertThat(draws(latency, 2, 3)).containsOnly(9_000);
        assertThat(draws(latency, 2, 1)).containsOnly(1_000);
        assertThat(draws(latency, 1, 3)).containsOnly(1_000);
    }

    @Test
    void the_longest_delay_is_known_if_there_is_a_bound() {
        assertThat(fixed(3).longest()).contains(Duration.ofMillis(3));
        assertThat(new LatencyModel.Uniform(Duration.ZERO, SECOND).longest()).contains(SECOND);
        assertThat(new LatencyModel.Exponential(SECOND).longest()).isEmpty();
        assertThat(new LatencyModel.LogNormal(SECOND, 0.1).longest()).isEmpty();
    }

    @Test
    void the_longest_delay_of_all_links_is_that_of_the_slowest_link() {
        assertThat(perLink(fixed(3), fixed(9)).longest()).contains(Duration.ofMillis(9));
        assertThat(perLink(fixed(3), fixed(2)).longest()).contains(Duration.ofMillis(3));
        assertThat(perLink(fixed(3), new LatencyModel.Exponential(SECOND)).longest())
                .isEmpty();
        assertThat(perLink(new LatencyModel.Exponential(SECOND), fixed(3)).longest())
                .isEmpty();
    }

    private static LatencyModel fixed(int millis) {
        return new LatencyModel.Fixed(Duration.ofMillis(millis));
    }

    private static LatencyModel perLink(LatencyModel elsewhere, LatencyModel own) {
        return new LatencyModel.PerLink(
                elsewhere, List.of(new LatencyModel.PerLink.Link(new NodeId(1), new NodeId(2), own)));
    }

    @Test
    void negative_latencies_and_reversed_bounds_are_rejected() {
        var negative = Duration.ofMillis(-1);
        assertThatThrownBy(() -> new LatencyModel.Fixed(negative)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LatencyModel.Uniform(negative, SECOND))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LatencyModel.Uniform(SECOND, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT1S");
        assertThatThrownBy(() -> new LatencyModel.Exponential(negative)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LatencyModel.LogNormal(negative, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LatencyModel.LogNormal(SECOND, -0.1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LatencyModel.LogNormal(SECOND, Double.NaN))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
