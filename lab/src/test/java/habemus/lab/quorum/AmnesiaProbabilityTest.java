package habemus.lab.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.MathContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AmnesiaProbabilityTest {

    @ParameterizedTest
    @CsvSource({"3, 2, 1e-4", "7, 4, 0.01", "32, 24, 1e-4", "32, 17, 0.3", "9, 9, 0.5", "101, 80, 0.001"})
    void the_probability_equals_the_exact_sum_of_its_terms(int coordinators, int quorum, double restart) {
        var probability = new AmnesiaProbability(coordinators, quorum, restart);
        var exact = exact(probability);
        double relative = exact.subtract(new BigDecimal(probability.violationProbability()))
                .divide(exact, MathContext.DECIMAL64)
                .doubleValue();
        assertThat(relative).isCloseTo(0, within(1e-11));
    }

    private static BigDecimal exact(AmnesiaProbability probability) {
        var p = new BigDecimal(probability.restartProbability());
        var sum = BigDecimal.ZERO;
        for (int k = probability.overlap(); k <= probability.quorum(); k++) {
            var term = BigDecimal.ONE;
            for (int i = 1; i <= k; i++) {
                term = term.multiply(BigDecimal.valueOf(probability.quorum() - k + i))
                        .divide(BigDecimal.valueOf(i), MathContext.DECIMAL128);
            }
            sum = sum.add(term.multiply(p.pow(k, MathContext.DECIMAL128))
                    .multiply(BigDecimal.ONE.subtract(p).pow(probability.quorum() - k, MathContext.DECIMAL128)));
        }
        return sum;
    }

    @Test
    void a_majority_of_three_is_violated_about_twice_as_often_as_a_coordinator_restarts() {
        assertThat(new AmnesiaProbability(3, 2, 1e-4).violationProbability()).isCloseTo(2e-4, within(1e-7));
    }

    @Test
    void a_probability_too_small_for_a_double_has_a_logarithm() {
        assertThat(new AmnesiaProbability(32, 24, 1e-4).violationProbability()).isCloseTo(7.35e-59, within(0.01e-59));
        var tiny = new AmnesiaProbability(200, 200, 1e-4);
        assertThat(tiny.violationProbability()).isZero();
        assertThat(tiny.log10Probability()).isCloseTo(-800, within(1e-9));
    }

    @Test
    void a_restart_probability_of_0_or_1_gives_a_certain_result() {
        assertThat(new AmnesiaProbability(5, 3, 0).violationProbability()).isZero();
        assertThat(new AmnesiaProbability(5, 3, 1).violationProbability()).isEqualTo(1);
    }

    @Test
    void the_smallest_quorum_just_reaches_the_target() {
        assertThat(AmnesiaProbability.smallestQuorum(9, 0.001, 1e-9)).hasValue(7);
        assertThat(new AmnesiaProbability(9, 6, 0.001).violationProbability()).isGreaterThan(1e-9);
        assertThat(new AmnesiaProbability(9, 7, 0.001).violationProbability()).isLessThanOrEqualTo(1e-9);
        assertThat(AmnesiaProbability.smallestQuorum(3, 0.1, 1e-9)).isEmpty();
    }

    @Test
    void half_of_the_coordinators_is_not_a_quorum() {
        assertThatThrownBy(() -> new AmnesiaProbability(4, 2, 0.1))
                .hasMessage("quorum must be more than half of 4 coordinators and at most all, was 2");
        assertThatThrownBy(() -> new AmnesiaProbability(4, 5, 0.1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new AmnesiaProbability(4, 3, 1.1)).isInstanceOf(IllegalArgumentException.class);
    }
}
