package habemus.simulate;

import static habemus.simulate.RecordedSimulation.once;
import static habemus.simulate.RecordedSimulation.plainWorld;
import static habemus.simulate.RecordedSimulation.request;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.mutex.RicartAgrawala;
import habemus.mutex.RicartAgrawalaByPriority;
import habemus.protocol.Event;
import habemus.world.CausalityTracker;
import habemus.world.LatencyModel;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.Verdict;
import habemus.world.Workload.Chatter;
import habemus.world.World;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Happened-before order and bypass of grants. */
class FairnessTest {

    private static final RicartAgrawala PUBLISHED = new RicartAgrawala(false, List.of());
    private static final RicartAgrawala CLOCKED = new RicartAgrawala(true, List.of());

    private static World busy(int nodes, Chatter chatter) {
        var world = World.of(Topology.complete(nodes)).withLatency(new LatencyModel.Exponential(ofMillis(5)));
        return world.withWorkload(
                world.workload().withEntries(10).withHoldTime(ofMillis(1)).withChatter(chatter));
    }

    private static Verdict order(RicartAgrawala algorithm, Chatter chatter, long seed) {
        return Simulation.of(algorithm, busy(3, chatter), seed).run().verdicts().get(Property.HAPPENED_BEFORE_ORDER);
    }

    private static long violations(RicartAgrawala algorithm, Chatter chatter) {
        return LongStream.range(0, 100)
                .filter(seed -> order(algorithm, chatter, seed) == Verdict.VIOLATED)
                .count();
    }

    /** A Reply carries no clock, so its receiver may request with a stamp older than the sender's requests. */
    @Test
    void ricart_agrawala_as_published_violates_happened_before_order() {
        assertThat(order(PUBLISHED, Chatter.NONE, 5)).isEqualTo(Verdict.VIOLATED);
        assertThat(violations(PUBLISHED, Chatter.NONE)).isBetween(10L, 50L);
    }

    @Test
    void clocked_replies_restore_happened_before_order() {
        assertThat(order(CLOCKED, Chatter.NONE, 5)).isEqualTo(Verdict.HOLDS);
        assertThat(violations(CLOCKED, Chatter.NONE)).isZero();
    }

    @Test
    void clocked_replies_suffice_if_applications_share_the_fifo_links() {
        assertThat(violations(CLOCKED, Chatter.SHARED_LINKS)).isZero();
    }

    @Test
    void clocked_replies_do_not_suffice_if_applications_use_separate_links() {
        assertThat(violations(CLOCKED, Chatter.SEPARATE_LINKS)).isGreaterThan(20);
    }

    @Test
    void single_requests_are_always_granted_in_happened_before_order() {
        var world = World.of(Topology.complete(4)).withLatency(new LatencyModel.Exponential(ofMillis(5)));
        for (long seed = 0; seed < 50; seed++) {
            assertThat(Simulation.of(PUBLISHED, world, seed).run().verdicts())
                    .containsEntry(Property.HAPPENED_BEFORE_ORDER, Verdict.HOLDS);
        }
    }

    @Test
    void happened_before_order_is_open_above_the_maximum_of_nodes() {
        for (int extra : List.of(0, 1)) {
            var world = World.of(Topology.complete(CausalityTracker.MAX_NODES + extra))
                    .withWorkload(once(1, 2));
            assertThat(Simulation.of(PUBLISHED, world, 1).run().verdicts())
                    .containsEntry(Property.HAPPENED_BEFORE_ORDER, extra == 0 ? Verdict.HOLDS : Verdict.OPEN);
        }
    }

    /** Grants every request of n1 and none of n2. */
    private static final ScriptedProtocol UNFAIR = ScriptedProtocol.mutex(
            (step, event) -> event instanceof Event.Acquire && step.state().is(1)
                    ? step.grant(step.state().steps())
                    : step);

    @Test
    void the_largest_bypass_is_the_number_of_entries_while_a_node_waits() {
        var workload =
                once().withRequests(List.of(request(2, 500), request(1, 0))).withEntries(7);
        var simulation = Simulation.of(UNFAIR, plainWorld(2).withWorkload(workload), 1);
        assertThat(simulation.run().largestBypass()).isEqualTo(6);
        assertThat(simulation.run().verdicts()).containsEntry(Property.BOUNDED_WAITING, Verdict.OPEN);
        assertThat(simulation.withBypassBound(OptionalInt.of(6)).run().verdicts())
                .containsEntry(Property.BOUNDED_WAITING, Verdict.HOLDS);
        assertThat(simulation.withBypassBound(OptionalInt.of(5)).run().verdicts())
                .containsEntry(Property.BOUNDED_WAITING, Verdict.VIOLATED);
    }

    @Test
    void the_bypass_of_ricart_agrawala_is_bounded_and_positive() {
        int largest = 0;
        for (long seed = 0; seed < 100; seed++) {
            var result = Simulation.of(PUBLISHED, busy(4, Chatter.NONE), seed)
                    .withBypassBound(OptionalInt.of(2 * 3))
                    .run();
            assertThat(result.verdicts()).containsEntry(Property.BOUNDED_WAITING, Verdict.HOLDS);
            largest = Math.max(largest, result.largestBypass());
        }
        assertThat(largest).isBetween(3, 6);
    }

    @Test
    void the_priority_variant_violates_mutual_exclusion_with_most_seeds() {
        var broken = LongStream.range(0, 100)
                .filter(seed -> Simulation.of(new RicartAgrawalaByPriority(), busy(3, Chatter.NONE), seed)
                                .run()
                                .verdicts()
                                .get(Property.MUTUAL_EXCLUSION)
                        == Verdict.VIOLATED)
                .count();
        assertThat(broken).isGreaterThan(50);
    }
}
