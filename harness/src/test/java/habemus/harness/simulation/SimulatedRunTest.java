package habemus.harness.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole service in virtual time. {@code habemus fuzz service} runs more seeds. */
@Tag("slow")
class SimulatedRunTest {

    private static final int SEEDS = 64;

    @Test
    void no_property_is_violated_in_the_first_seeds() {
        var result = new ServiceFuzzer(FaultPlan::draw).fuzz(1, SEEDS, done -> {});
        assertThat(result.violations())
                .as("violations")
                .extracting(run -> run.plan().seed() + " " + run.violated() + " " + run.detail())
                .isEmpty();
        assertThat(result.seeds()).isEqualTo(SEEDS);
    }

    /** Each found a defect, which is fixed. Later changes of timing may have made them ordinary runs. */
    @ParameterizedTest
    @ValueSource(longs = {8_494, 14_423, 18_830, 34_139, 68_426, 82_756, 99_098, 106_932, 116_131, 131_759, 135_925})
    void no_property_is_violated_in_a_seed_that_found_a_defect(long seed) {
        var run = SimulatedRun.of(FaultPlan.draw(seed));
        assertThat(run.violated()).as(run.detail()).isEmpty();
    }

    @Test
    void the_same_seed_gives_the_same_run() {
        for (long seed = 1; seed <= 5; seed++) {
            var first = SimulatedRun.of(FaultPlan.draw(seed));
            var again = SimulatedRun.withTrace(FaultPlan.draw(seed));
            assertThat(again.hash()).isEqualTo(first.hash());
            assertThat(again.events()).isEqualTo(first.events());
        }
    }

    @Test
    void another_seed_gives_another_run() {
        assertThat(SimulatedRun.of(FaultPlan.draw(1)).hash())
                .isNotEqualTo(SimulatedRun.of(FaultPlan.draw(2)).hash());
    }
}
