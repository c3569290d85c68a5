package habemus.check;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.check.model.CheckReport;
import habemus.check.model.Scope;
import habemus.election.Bully;
import habemus.election.ChangRoberts;
import habemus.mutex.RicartAgrawala;
import habemus.mutex.RicartAgrawalaByPriority;
import habemus.protocol.NodeId;
import habemus.protocol.Protocol;
import habemus.protocol.Ranking;
import habemus.simulate.Simulation;
import habemus.world.DetectorModel;
import habemus.world.Fault;
import habemus.world.NetworkModel;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.TraceEvent;
import habemus.world.Workload;
import habemus.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A long run with a violation becomes a short one with the same violation. */
class ShrinkerTest {

    private static final World FIVE = World.of(Topology.complete(5));
    private static final RicartAgrawala PUBLISHED = new RicartAgrawala(false, List.of());
    private static final Bully BULLY = new Bully(Ranking.BY_NUMBER, Duration.ofMillis(100), Duration.ofMillis(500));

    @Test
    void many_entries_of_many_nodes_shrink_to_one_of_two_nodes() {
        var busy = FIVE.withWorkload(Workload.once(FIVE.topology().nodes()).withEntries(10));
        var shrinkResult = shrunk(new RicartAgrawalaByPriority(), busy, Property.MUTUAL_EXCLUSION);
        assertThat(shrinkResult.originalSize()).isGreaterThan(300);
        assertThat(shrinkResult.run().schedule().size()).isEqualTo(18);
        assertThat(shrinkResult.isShortest()).isTrue();
        assertThat(shrinkResult.run().trace().getLast())
                .isEqualTo(new TraceEvent.Violated(18, Property.MUTUAL_EXCLUSION));
    }

    @Test
    void many_losses_shrink_to_one() {
        var lossy = FIVE.withNetwork(NetworkModel.FIFO.withLoss(0.2));
        var shrinkResult = shrunk(PUBLISHED, lossy, Property.NO_STARVATION);
        assertThat(shrinkResult.run().schedule().toString())
                .containsOnlyOnce("lost")
                .containsOnlyOnce("request");
        assertThat(shrinkResult.run().schedule().size()).isEqualTo(8);
        assertThat(shrinkResult.run().quiescent()).isTrue();
        assertThat(shrinkResult.isShortest()).isTrue();
    }

    @Test
    void the_duplicate_that_causes_a_protocol_bug_is_kept() {
        var doubling = FIVE.withNetwork(NetworkModel.BAG.withDuplication(0.3));
        var lines = run(PUBLISHED, doubling, 1);
        var shrinkResult = ModelChecker.shrink(PUBLISHED, scope(doubling), lines, CheckReport.PROTOCOL_BUG)
                .orElseThrow();
        assertThat(shrinkResult.run().bug())
                .hasValueSatisfying(bug -> assertThat(bug).contains("cannot happen"));
        assertThat(shrinkResult.run().schedule().toString()).containsOnlyOnce("twice");
        assertThat(shrinkResult.run().schedule().size()).isEqualTo(4);
    }

    @Test
    void the_crash_that_stops_a_ring_is_kept() {
        var ring = World.of(Topology.ring(5))
                .withFaults(List.of(new Fault.PlannedFault(Duration.ofMillis(4), new Fault.Crash(new NodeId(3)))));
        var shrinkResult = shrunk(new ChangRoberts(Ranking.BY_NUMBER), ring, Property.TERMINATION);
        assertThat(shrinkResult.run().schedule().toString()).containsOnlyOnce("crash");
        assertThat(shrinkResult.run().schedule().size()).isEqualTo(3);
    }

    /** A wrong suspicion is enough; no timer has to fire early. */
    @Test
    void timers_wait_for_messages_if_the_violation_allows_it() {
        var mistaken = FIVE.withDetector(new DetectorModel.Oracle(Duration.ofMillis(50)))
                .withFaults(List.of(new Fault.PlannedFault(
                        Duration.ofMillis(300), new Fault.WrongSuspicion(new NodeId(4), new NodeId(5)))));
        var shrinkResult = shrunk(BULLY, mistaken, Property.UNIQUENESS);
        assertThat(shrinkResult.run().schedule().toString())
                .containsOnlyOnce("mistake")
                .doesNotContain("timeout");
    }

    @Test
    void a_run_without_the_violation_is_not_shrunk() {
        var lines = run(PUBLISHED, FIVE, 1);
        assertThat(ModelChecker.shrink(PUBLISHED, scope(FIVE), lines, Property.MUTUAL_EXCLUSION.toString()))
                .isEmpty();
    }

    /** Shrinks the run of the first seed that violates the property. */
    private static ShrinkResult shrunk(Protocol<?, ?> protocol, World world, Property property) {
        for (int seed = 1; seed < 100; seed++) {
            var shrinkResult =
                    ModelChecker.shrink(protocol, scope(world), run(protocol, world, seed), property.toString());
            if (shrinkResult.isPresent()) {
                return shrinkResult.get();
            }
        }
        throw new AssertionError("no seed violates " + property);
    }

    private static List<TraceEvent> run(Protocol<?, ?> protocol, World world, long seed) {
        var lines = new ArrayList<TraceEvent>();
        Simulation.of(protocol, world, seed).withTrace(lines::add).run();
        return lines;
    }

    private static Scope scope(World world) {
        var scope = Scope.of(world.topology());
        return world.network().inOrder() ? scope : scope.withUnorderedLinks();
    }
}
