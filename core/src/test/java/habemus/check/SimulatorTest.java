package habemus.check;

import static org.assertj.core.api.Assertions.assertThat;

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
import habemus.world.Hazard;
import habemus.world.Network;
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

/** What the checker says of all runs, no run of the simulator contradicts. */
class SimulatorTest {

    private static final int SEEDS = 200;
    private static final OptionalInt BYPASS = OptionalInt.of(4);

    @Test
    void agrees_on_mutexes() {
        var three = Topology.complete(3);
        compare(new RicartAgrawala(false, List.of()), three, Network.FIFO, 2);
        compare(new RicartAgrawala(true, List.of()), three, Network.BAG, 1);
        compare(new RicartAgrawalaByPriority(), three, Network.BAG, 1);
        compare(new Lamport(), three, Network.FIFO, 1);
    }

    @Test
    void agrees_on_elections() {
        compare(new ChangRoberts(Ranking.BY_NUMBER), Topology.ring(3), Network.BAG, 1);
        var bully = new Bully(Ranking.BY_NUMBER, Duration.ofMillis(100), Duration.ofMillis(500));
        var scope = Scope.of(Topology.complete(3)).allowing(Hazard.CRASH, 1).synchronous();
        var report = Checker.check(bully, scope);
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new SplittableRandom(seed);
            var crash = new Fault.Planned(
                    Duration.ofMillis(random.nextInt(400)), new Fault.Crash(new NodeId(1 + random.nextInt(3))));
            var world = timed(World.of(Topology.complete(3)), random).struckBy(List.of(crash));
            contradictsNothing(report, bully, world, seed);
        }
    }

    @Test
    void agrees_on_who_stands_still() {
        var lease = Duration.ofMillis(100);
        var seen = pausing(new Central(lease, false));
        assertThat(seen).contains(Property.MUTUAL_EXCLUSION);
        assertThat(pausing(new Central(Duration.ZERO, false))).isEmpty();
        assertThat(pausing(new Bully(Ranking.BY_NUMBER, Duration.ofMillis(100), Duration.ofMillis(500))))
                .contains(Property.UNIQUENESS);
    }

    /** What the simulator sees violated. */
    private static Set<Property> pausing(Protocol<?, ?> protocol) {
        var three = Topology.complete(3);
        var report = Checker.check(
                protocol,
                Scope.of(three).allowing(Hazard.PAUSE, 1).passing(BYPASS).synchronous());
        assertThat(report.complete()).isTrue();
        var seen = EnumSet.noneOf(Property.class);
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new SplittableRandom(seed);
            var node = new NodeId(1 + random.nextInt(3));
            int begin = random.nextInt(60);
            var faults = List.of(
                    new Fault.Planned(Duration.ofMillis(begin), new Fault.Pause(node)),
                    new Fault.Planned(Duration.ofMillis(begin + random.nextInt(400)), new Fault.Resume(node)));
            seen.addAll(contradictsNothing(
                    report, protocol, timed(World.of(three), random).struckBy(faults), seed));
        }
        return seen;
    }

    private static void compare(Protocol<?, ?> protocol, Topology topology, Network network, int entries) {
        var scope = Scope.of(topology).entering(entries).passing(BYPASS);
        var report = Checker.check(protocol, network.inOrder() ? scope : scope.unordered());
        assertThat(report.complete()).isTrue();
        for (int seed = 0; seed < SEEDS; seed++) {
            var world = timed(World.of(topology).over(network), new SplittableRandom(seed));
            world = world.wanting(world.workload().entering(entries).thinking(Duration.ofMillis(5)));
            contradictsNothing(report, protocol, world, seed);
        }
    }

    private static World timed(World world, SplittableRandom random) {
        var calls = new ArrayList<Workload.Call>();
        world.topology()
                .nodes()
                .forEach(node -> calls.add(new Workload.Call(node, Duration.ofMillis(random.nextInt(20)))));
        return world.wanting(world.workload().calling(calls));
    }

    /** Tells what the simulator sees violated. */
    private static Set<Property> contradictsNothing(Report report, Protocol<?, ?> protocol, World world, long seed) {
        var outcome = Simulation.of(protocol, world, seed).bounding(BYPASS).run();
        assertThat(outcome.bug()).isNull();
        var violated = EnumSet.noneOf(Property.class);
        outcome.verdicts().forEach((property, verdict) -> {
            if (verdict == Verdict.VIOLATED) {
                violated.add(property);
                assertThat(report.verdict(property))
                        .as("%s, seed %d", property, seed)
                        .isEqualTo(Verdict.VIOLATED);
            }
        });
        return violated;
    }
}
