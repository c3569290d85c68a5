package habemus.lab.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class QuorumAvailabilityTest {

    @Test
    void all_of_n_are_blocked_as_soon_as_one_is_down() {
        var all = new QuorumAvailability(5, 5, 0.01);
        assertThat(all.toleratedCrashes()).isZero();
        assertThat(Math.pow(10, all.log10Blocked())).isCloseTo(1 - Math.pow(0.99, 5), within(1e-12));
    }

    @Test
    void a_majority_of_three_is_blocked_if_two_or_three_are_down() {
        var majority = new QuorumAvailability(3, 2, 0.1);
        assertThat(majority.toleratedCrashes()).isEqualTo(1);
        assertThat(Math.pow(10, majority.log10Blocked())).isCloseTo(3 * 0.01 * 0.9 + 0.001, within(1e-12));
    }

    @Test
    void coordinators_that_are_never_down_block_nothing() {
        assertThat(new QuorumAvailability(3, 2, 0).log10Blocked()).isEqualTo(Double.NEGATIVE_INFINITY);
    }

    @Test
    void the_probability_of_a_failure_is_exponential_in_the_time() {
        var monthly = new MeanTimeBetweenFailures(Duration.ofDays(30));
        assertThat(monthly.failureProbability(Duration.ofSeconds(2))).isCloseTo(2.0 / (30 * 86_400), within(1e-12));
        assertThat(monthly.failureProbability(Duration.ofDays(30))).isCloseTo(1 - 1 / Math.E, within(1e-12));
    }

    @Test
    void a_coordinator_is_down_for_its_share_of_the_time() {
        assertThat(new MeanTimeBetweenFailures(Duration.ofHours(9)).downProbability(Duration.ofHours(1)))
                .isCloseTo(0.1, within(1e-12));
    }
}
