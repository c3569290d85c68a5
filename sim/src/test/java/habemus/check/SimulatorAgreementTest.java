package habemus.check;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.check.model.CheckReport;
import habemus.check.model.Scope;
import habemus.election.Bully;
import habemus.election.ChangRoberts;
import habemus.mutex.Central;
import habemus.mutex.Lamport;
import habemus.mutex.RicartAgrawala;
import habemus.mutex.RicartAgrawalaByPriority;
import habemus.protocol.NodeId;
import habemus.protocol.Protocol;
import habemus.protocol.Ranking;
import habemus.simulate.Simulation;
import habemus.world.Fault;
import habemus.world.FaultKind;
import habemus.world.NetworkModel;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.Verdict;
import habemus.world.Workload;
import habemus.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** No run of the simulator contradicts a verdict of the model checker. */
class SimulatorAgreementTest {

    private static final int SEEDS = 200;
    private static final OptionalInt BYPASS = OptionalInt.of(4);

    @Test
    void the_simulator_agrees_on_mutexes() {
        var three = Topology.complete(3);
        compare(new RicartAgrawala(false, List.of()), three, NetworkModel.FIFO, 2);
        compare(new RicartAgrawala(true, List.of()), three, NetworkModel.BAG, 1);
        compare(new RicartAgrawalaByPriority(), three, NetworkModel.BAG, 1);
        compare(new Lamport(), three, NetworkModel.FIFO, 1);
    }

    @Test
    void the_simulator_agrees_on_elections() {
        compare(new ChangRoberts(Ranking.BY_NUMBER), Topology.ring(3), NetworkModel.BAG, 1);
        var bully = new Bully(Ranking.BY_NUMBER, Duration.ofMillis(100), Duration.ofMillis(500));
        var scope = Scope.of(Topology.complete(3)).withFault(FaultKind.CRASH, 1).synchronous();
        var checkReport = ModelChecker.check(bully, scope);
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new SplittableRandom(seed);
            var crash = new Fault.PlannedFault(
                    Duration.ofMillis(random.nextInt(400)), new Fault.Crash(new NodeId(1 + random.nextInt(3))));
            var world = timed(World.of(Topology.complete(3)), random).withFaults(List.of(crash));
            assertNoContradiction(checkReport, bully, world, seed);
        }
    }

    @Test
    void the_simulator_agrees_on_pauses() {
        var lease = Duration.ofMillis(100);
        var violated = violatedByPauses(new Central(lease, false));
        assertThat(violated).contains(Property.MUTUAL_EXCLUSION);
        assertThat(violatedByPauses(new Central(Duration.ZERO, false))).isEmpty();
        assertThat(violatedByPauses(new Bully(Ranking.BY_NUMBER, Duration.ofMillis(100), Duration.ofMillis(500))))
                .contains(Property.UNIQUENESS);
    }

    /** The properties that the simulated runs violate. */
    private static Set<Property> violatedByPauses(Protocol<?, ?> protocol) {
        var three = Topology.complete(3);
        var checkReport = ModelChecker.check(
                protocol,
                Scope.of(three)
                        .withFault(FaultKind.PAUSE, 1)
                        .withBypassBound(BYPASS)
                        .synchronous());
        assertThat(checkReport.isComplete()).isTrue();
        var violated = EnumSet.noneOf(Property.class);
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new SplittableRandom(seed);
            var node = new NodeId(1 + random.nextInt(3));
            int begin = random.nextInt(60);
            var faults = List.of(
                    new Fault.PlannedFault(Duration.ofMillis(begin), new Fault.Pause(node)),
                    new Fault.PlannedFault(Duration.ofMillis(begin + random.nextInt(400)), new Fault.Resume(node)));
            violated.addAll(assertNoContradiction(
                    checkReport, protocol, timed(World.of(three), random).withFaults(faults), seed));
        }
        return violated;
    }

    private static void compare(Protocol<?, ?> protocol, Topology topology, NetworkModel networkModel, int entries) {
        var scope = Scope.of(topology).withRequestsPerNode(entries).withBypassBound(BYPASS);
        var checkReport = ModelChecker.check(protocol, networkModel.inOrder() ? scope : scope.withUnorderedLinks());
        assertThat(checkReport.isComplete()).isTrue();
        for (int seed = 0; seed < SEEDS; seed++) {
            var world = timed(World.of(topology).withNetwork(networkModel), new SplittableRandom(seed));
            world = world.withWorkload(world.workload().withEntries(entries).withThinkTime(Duration.ofMillis(5)));
            assertNoContradiction(checkReport, protocol, world, seed);
        }
    }

    private static World timed(World world, SplittableRandom random) {
        var requests = new ArrayList<Workload.Request>();
        world.topology()
                .nodes()
                .forEach(node -> requests.add(new Workload.Request(node, Duration.ofMillis(random.nextInt(20)))));
        return world.withWorkload(world.workload().withRequests(requests));
    }

    /** Returns the properties that the simulated run violates. */
    private static Set<Property> assertNoContradiction(
            CheckReport checkReport, Protocol<?, ?> protocol, World world, long seed) {
        var runResult =
                Simulation.of(protocol, world, seed).withBypassBound(BYPASS).run();
        assertThat(runResult.bug()).isNull();
        var violated = EnumSet.noneOf(Property.class);
        runResult.verdicts().forEach((property, verdict) -> {
            if (verdict == Verdict.VIOLATED) {
                violated.add(property);
                assertThat(checkReport.verdict(property))
                        .as("%s, seed %d", property, seed)
                        .isEqualTo(Verdict.VIOLATED);
            }
        });
        return violated;
    }
}
