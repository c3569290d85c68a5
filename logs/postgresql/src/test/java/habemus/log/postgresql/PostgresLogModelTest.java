package habemus.log.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.log.postgresql.SimulatedDatabase.Defect;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The log above simulated tables: lost answers, late transactions, pauses, slow readers, lost transactions. */
class PostgresLogModelTest {

    private static final int SEEDS = 30;

    @Test
    void whatever_is_lost_or_late_the_nodes_agree_and_nothing_acknowledged_is_lost() {
        for (long seed = 0; seed < SEEDS; seed++) {
            assertThat(SimulatedWorld.run(seed, false, Set.of()))
                    .as("seed " + seed)
                    .isEmpty();
        }
    }

    @Test
    void after_a_failover_that_lost_entries_nodes_that_have_seen_them_stop() {
        for (long seed = 0; seed < SEEDS; seed++) {
            assertThat(SimulatedWorld.run(seed, true, Set.of()))
                    .as("seed " + seed)
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Defect.class)
    void a_rule_that_is_left_out_is_noticed(Defect defect) {
        boolean failsOver = defect == Defect.CHAIN_IS_CONSTANT;
        for (long seed = 0; seed < SEEDS; seed++) {
            if (!SimulatedWorld.run(seed, failsOver, Set.of(defect)).isEmpty()) {
                return;
            }
        }
        assertThat(defect).as("no violation in " + SEEDS + " seeds").isNull();
    }
}
