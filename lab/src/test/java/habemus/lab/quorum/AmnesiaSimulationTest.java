package habemus.lab.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AmnesiaSimulationTest {

    @ParameterizedTest
    @CsvSource({"3, 2, 1e-4", "3, 2, 0.4", "7, 4, 0.01", "5, 4, 1e-6", "12, 9, 1e-4", "3, 3, 1e-3"})
    void the_confidence_interval_contains_the_computed_probability(int coordinators, int quorum, double restart) {
        var probability = new AmnesiaProbability(coordinators, quorum, restart);
        var estimate = new AmnesiaSimulation(probability).run(400, 1, done -> {});
        assertThat(estimate.contains(probability.violationProbability()))
                .as("%s of %s", estimate, probability.violationProbability())
                .isTrue();
        assertThat(estimate.violatedRuns()).isBetween(1, 400);
    }

    @Test
    void a_quorum_without_restarts_is_never_violated() {
        var never = new AmnesiaSimulation(new AmnesiaProbability(5, 4, 0)).run(50, 1, done -> {});
        assertThat(never.probability()).isZero();
    }
}
