package habemus.lab.timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import habemus.world.Latency;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The best timeout, and what becomes of it. */
class TradeoffTest {

    private static final Delays EXPONENTIAL = Delays.of(new Latency.Exponential(Duration.ofMillis(10)));

    /** Where a little more waiting costs as much as it saves: e = C · exp(-t/m) / m. */
    @Test
    void of_exponential_delays_it_is_known() {
        var best = new Tradeoff(EXPONENTIAL, 2, 1_000).best();
        double known = 10 * Math.log(1_000 / (2.0 * 10));
        assertThat(best.millis()).isCloseTo(known, within(0.05));
        assertThat(best.cost()).isCloseTo(2 * known + 20, within(1e-3));
    }

    @Test
    void no_other_timeout_costs_less() {
        var delays = Delays.of(new Latency.LogNormal(Duration.ofMillis(20), 0.6));
        var tradeoff = new Tradeoff(delays, 1, 500);
        var best = tradeoff.best();
        for (double millis = 0; millis < 1_000; millis += 0.25) {
            assertThat(tradeoff.at(millis).cost()).isGreaterThanOrEqualTo(best.cost() - 1e-3);
        }
    }

    @Test
    void it_does_not_pay_to_wait_for_what_costs_little() {
        assertThat(new Tradeoff(EXPONENTIAL, 100, 1).best().millis()).isZero();
    }

    @Test
    void of_measured_delays_it_is_one_of_them() {
        var measured = new Delays.Measured(5, 1, 1, 1, 1, 1, 1, 1, 1, 90);
        assertThat(new Tradeoff(measured, 1, 10).best().millis()).isEqualTo(1);
        assertThat(new Tradeoff(measured, 1, 100).best().millis()).isEqualTo(5);
        assertThat(new Tradeoff(measured, 1, 10_000).best().millis()).isEqualTo(90);
        assertThat(measured.later(1)).isEqualTo(0.2);
        assertThat(measured.later(0.9)).isEqualTo(1);
        assertThat(measured.quantile(0.9)).isEqualTo(5);
    }

    @Test
    void delays_are_drawn_as_likely_as_they_are() {
        for (var latency : new Latency[] {
            new Latency.Uniform(Duration.ofMillis(1), Duration.ofMillis(5)),
            new Latency.Exponential(Duration.ofMillis(10)),
            new Latency.LogNormal(Duration.ofMillis(20), 0.6)
        }) {
            var delays = Delays.of(latency);
            var chance = new SplittableRandom(1);
            double limit = delays.quantile(0.9);
            long later = chance.ints(10_000)
                    .filter(any -> delays.draw(chance) > limit)
                    .count();
            assertThat(later / 10_000.0).isCloseTo(delays.later(limit), within(0.01));
        }
    }

    @Test
    void the_coordinator_is_mistaken_as_often_as_answers_are_late() {
        var best = new Tradeoff(EXPONENTIAL, 1, 200).best();
        var seen = new LeaseTrials(EXPONENTIAL, best.millis()).run(3_000, 1, done -> {});
        assertThat(best.later()).isBetween(seen.low(), seen.high());
        assertThat(seen.recovery()).isCloseTo(best.millis(), within(0.1));
    }

    @Test
    void nothing_is_free() {
        assertThatThrownBy(() -> new Tradeoff(EXPONENTIAL, 0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LeaseTrials(EXPONENTIAL, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
