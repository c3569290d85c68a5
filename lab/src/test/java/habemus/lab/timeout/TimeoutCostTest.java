package habemus.lab.timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import habemus.world.LatencyModel;
import habemus.world.SeededRandom;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TimeoutCostTest {

    private static final DelayDistribution EXPONENTIAL =
            DelayDistribution.of(new LatencyModel.Exponential(Duration.ofMillis(10)));

    /** At the optimum a little more waiting costs as much as it saves: e = C · exp(-t/m) / m. */
    @Test
    void the_best_timeout_for_exponential_delays_matches_the_formula() {
        var best = new TimeoutCost(EXPONENTIAL, 2, 1_000).best();
        double known = 10 * Math.log(1_000 / (2.0 * 10));
        assertThat(best.millis()).isCloseTo(known, within(0.05));
        assertThat(best.cost()).isCloseTo(2 * known + 20, within(1e-3));
    }

    @Test
    void no_other_timeout_is_cheaper_than_the_best() {
        var delays = DelayDistribution.of(new LatencyModel.LogNormal(Duration.ofMillis(20), 0.6));
        var cost = new TimeoutCost(delays, 1, 500);
        var best = cost.best();
        for (double millis = 0; millis < 1_000; millis += 0.25) {
            assertThat(cost.evaluate(millis).cost()).isGreaterThanOrEqualTo(best.cost() - 1e-3);
        }
    }

    @Test
    void the_best_timeout_is_zero_if_mistakes_are_cheap() {
        assertThat(new TimeoutCost(EXPONENTIAL, 100, 1).best().millis()).isZero();
    }

    @Test
    void the_best_timeout_for_measured_delays_is_one_of_them() {
        var empirical = new DelayDistribution.Empirical(5, 1, 1, 1, 1, 1, 1, 1, 1, 90);
        assertThat(new TimeoutCost(empirical, 1, 10).best().millis()).isEqualTo(1);
        assertThat(new TimeoutCost(empirical, 1, 100).best().millis()).isEqualTo(5);
        assertThat(new TimeoutCost(empirical, 1, 10_000).best().millis()).isEqualTo(90);
        assertThat(empirical.tailProbability(1)).isEqualTo(0.2);
        assertThat(empirical.tailProbability(0.9)).isEqualTo(1);
        assertThat(empirical.quantile(0.9)).isEqualTo(5);
    }

    @Test
    void sampled_delays_follow_the_distribution() {
        for (var latencyModel : new LatencyModel[] {
            new LatencyModel.Uniform(Duration.ofMillis(1), Duration.ofMillis(5)),
            new LatencyModel.Exponential(Duration.ofMillis(10)),
            new LatencyModel.LogNormal(Duration.ofMillis(20), 0.6)
        }) {
            var delays = DelayDistribution.of(latencyModel);
            var random = new SeededRandom(1);
            double limit = delays.quantile(0.9);
            long later = IntStream.range(0, 10_000)
                    .filter(any -> delays.sample(random) > limit)
                    .count();
            assertThat(later / 10_000.0).isCloseTo(delays.tailProbability(limit), within(0.01));
        }
    }

    @Test
    void the_coordinator_grants_twice_as_often_as_replies_are_late() {
        var best = new TimeoutCost(EXPONENTIAL, 1, 200).best();
        var result = new LeaseSimulation(EXPONENTIAL, best.millis()).run(3_000, 1, done -> {});
        assertThat(best.lateProbability()).isBetween(result.low(), result.high());
        assertThat(result.recoveryMillis()).isCloseTo(best.millis(), within(0.1));
    }

    @Test
    void costs_and_leases_of_zero_are_rejected() {
        assertThatThrownBy(() -> new TimeoutCost(EXPONENTIAL, 0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LeaseSimulation(EXPONENTIAL, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
