package habemus.harness.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;

/** What a seed draws. */
class FaultPlanTest {

    @Test
    void a_seed_draws_the_same_plan_again() {
        assertThat(FaultPlan.draw(7)).isEqualTo(FaultPlan.draw(7)).isNotEqualTo(FaultPlan.draw(8));
    }

    @Test
    void all_kinds_of_faults_and_both_sizes_are_drawn() {
        var kinds = EnumSet.noneOf(ServiceFault.class);
        var sizes = new java.util.TreeSet<Integer>();
        for (long seed = 1; seed <= 100; seed++) {
            var plan = FaultPlan.draw(seed);
            plan.faults().forEach(fault -> kinds.add(fault.kind()));
            sizes.add(plan.nodes());
        }
        assertThat(kinds).containsExactly(ServiceFault.values());
        assertThat(sizes).containsExactly(3, 5);
    }

    @Test
    void every_fault_ends_before_the_cluster_is_healed() {
        for (long seed = 1; seed <= 100; seed++) {
            assertThat(FaultPlan.draw(seed).faults())
                    .allMatch(fault ->
                            fault.atNanos() < fault.untilNanos() && fault.untilNanos() <= FaultPlan.HEALED_NANOS);
        }
    }

    @Test
    void two_runs_of_a_plan_are_equal() {
        var first = SimulatedRun.of(FaultPlan.draw(5));
        var second = SimulatedRun.withTrace(FaultPlan.draw(5));
        assertThat(second.hash()).isEqualTo(first.hash());
        assertThat(second.events()).isEqualTo(first.events());
    }
}
