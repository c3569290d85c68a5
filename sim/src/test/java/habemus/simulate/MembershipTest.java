package habemus.simulate;

import static habemus.ProtocolFixture.n;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.election.Bully;
import habemus.election.BullyStable;
import habemus.election.MaxAlive;
import habemus.mutex.Central;
import habemus.mutex.Lamport;
import habemus.mutex.TokenRing;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.protocol.Ranking;
import habemus.world.Fault;
import habemus.world.LatencyModel;
import habemus.world.NetworkModel;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.TraceEvent;
import habemus.world.Verdict;
import habemus.world.Workload;
import habemus.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nodes that join and leave in the simulator. */
class MembershipTest {

    private static final World THREE = World.of(Topology.complete(3))
            .withLatency(new LatencyModel.Fixed(Duration.ofMillis(2)))
            .withWorkload(Workload.once(List.of()));

    private static Fault.PlannedFault at(int millis, Fault fault) {
        return new Fault.PlannedFault(Duration.ofMillis(millis), fault);
    }

    private static World with(World world, Fault.PlannedFault... faults) {
        return world.withFaults(List.of(faults));
    }

    /** The steps about the membership, in the form {@code 12 n1 Joined n4}, with the time in milliseconds. */
    private static List<String> changes(Protocol<?, ?> protocol, World world) {
        var lines = new ArrayList<String>();
        Simulation.of(protocol, world, 1)
                .withTrace(event -> {
                    if (event instanceof TraceEvent.Started(var at, var node, var how, var state, var effects, var sent)
                            && how == TraceEvent.Start.AS_NEW_MEMBER) {
                        lines.add(at / 1_000 + " " + node + " joins");
                    }
                    if (event instanceof TraceEvent.Step step) {
                        var line = switch (step.event()) {
                            case Event.Joined<?>(var peer, var view) -> " learns of " + peer + " in view " + view;
                            case Event.Left<?>(var peer, var view) -> " misses " + peer + " in view " + view;
                            case Event.Leave<?>() -> " leaves";
                            case Event.Forward<?> forward -> " forwards";
                            default -> "";
                        };
                        if (!line.isEmpty()) {
                            lines.add(step.at() / 1_000 + " " + step.node() + line);
                        }
                    }
                })
                .run();
        return lines;
    }

    @Test
    void a_change_waits_for_the_end_of_the_last_one() {
        var world = with(
                THREE.withJoiners(NodeSet.NONE, Duration.ZERO),
                at(10, new Fault.Leave(n(2))),
                at(11, new Fault.Leave(n(3))));
        assertThat(changes(new MaxAlive(Ranking.BY_NUMBER), world))
                .containsExactly(
                        "10 n2 leaves",
                        "12 n1 misses n2 in view 1",
                        "12 n3 misses n2 in view 1",
                        "12 n3 leaves",
                        "14 n1 misses n3 in view 2");
    }

    @Test
    void a_new_member_and_all_others_learn_of_each_other() {
        var world = THREE.withJoiners(NodeSet.of(n(4)), Duration.ofMillis(10));
        assertThat(changes(new MaxAlive(Ranking.BY_NUMBER), world))
                .containsExactly(
                        "10 n4 joins",
                        "12 n1 learns of n4 in view 1",
                        "12 n2 learns of n4 in view 1",
                        "12 n3 learns of n4 in view 1");
    }

    @Test
    void a_restarted_node_learns_what_it_has_missed() {
        var world = with(
                THREE,
                at(5, new Fault.Crash(n(1))),
                at(10, new Fault.Leave(n(3))),
                at(50, new Fault.Restart(n(1), true)));
        assertThat(changes(new MaxAlive(Ranking.BY_NUMBER), world))
                .containsExactly("10 n3 leaves", "12 n2 misses n3 in view 1", "50 n1 misses n3 in view 1");
    }

    @Test
    void a_restarted_node_learns_of_a_leave_after_the_last_message() {
        var slow = new LatencyModel.PerLink.Link(n(3), n(1), new LatencyModel.Fixed(Duration.ofMillis(40)));
        var latency = new LatencyModel.PerLink(new LatencyModel.Fixed(Duration.ofMillis(2)), List.of(slow));
        var world = with(
                THREE.withLatency(latency).withWorkload(Workload.once(List.of(n(3)))), // its Election arrives at 40 ms
                at(5, new Fault.Crash(n(1))),
                at(10, new Fault.Leave(n(3))),
                at(20, new Fault.Restart(n(1), false)));
        var bully = new BullyStable(Ranking.BY_NUMBER, Duration.ofMillis(100), Duration.ofMillis(500));
        assertThat(changes(bully, world)).contains("40 n1 misses n3 in view 1");
        assertThat(Simulation.of(bully, world, 1).run().end()).isNotEqualTo(RunResult.End.BUG);
    }

    @Test
    void the_last_message_of_a_node_arrives_before_the_notice_even_if_messages_overtake_each_other() {
        var base = World.of(Topology.complete(4))
                .withNetwork(NetworkModel.BAG)
                .withLatency(new LatencyModel.Exponential(Duration.ofMillis(20)));
        for (int seed = 1; seed <= 200; seed++) {
            var result = Simulation.of(
                            new Central(Duration.ZERO, false), with(base, at(3, new Fault.Leave(n(3)))), seed)
                    .run();
            assertThat(result.verdicts()).as("seed " + seed).doesNotContainValue(Verdict.VIOLATED);
        }
    }

    @Test
    void a_node_that_has_left_forwards_the_token() {
        var world = with(THREE, at(1, new Fault.Leave(n(2))));
        assertThat(changes(new TokenRing(false), world.withWorkload(Workload.once(List.of(n(3))))))
                .containsExactly(
                        "1 n2 leaves", "2 n2 forwards", "3 n1 misses n2 in view 1", "4 n3 misses n2 in view 1");
    }

    @Test
    void the_requests_of_a_node_that_leaves_end() {
        var world = World.of(Topology.complete(3))
                .withWorkload(Workload.once(List.of(n(2), n(3))).withEntries(5));
        var result = Simulation.of(new TokenRing(false), with(world, at(2, new Fault.Leave(n(3)))), 1)
                .run();
        assertThat(result.end()).isEqualTo(RunResult.End.IDLE);
        assertThat(result.verdicts().get(Property.NO_STARVATION)).isEqualTo(Verdict.HOLDS);
        assertThat(result.waiters()).isEmpty();
    }

    @Test
    void a_new_peer_that_is_down_already_is_suspected() {
        var world = with(
                THREE.withJoiners(NodeSet.of(n(4)), Duration.ZERO),
                at(10, new Fault.Join(n(4))),
                at(11, new Fault.Crash(n(4))));
        var result = Simulation.of(new MaxAlive(Ranking.BY_NUMBER), world, 1).run();
        assertThat(result.verdicts().get(Property.AGREEMENT)).isEqualTo(Verdict.HOLDS);
        assertThat(result.announcements().getLast().leader()).isEqualTo(n(3));
    }

    @Test
    void a_node_that_is_down_does_not_leave() {
        var world = with(THREE, at(5, new Fault.Crash(n(3))), at(10, new Fault.Leave(n(3))));
        assertThat(changes(new MaxAlive(Ranking.BY_NUMBER), world)).isEmpty();
    }

    @Test
    void elections_agree_after_many_changes() {
        var bully = new Bully(Ranking.BY_NUMBER, Duration.ofMillis(100), Duration.ofMillis(500));
        var faults = new ArrayList<Fault.PlannedFault>();
        for (int number = 4; number <= 9; number++) {
            faults.add(at(200 * number, new Fault.Join(new NodeId(number))));
            faults.add(at(200 * number + 7, new Fault.Leave(new NodeId(number - 3))));
        }
        var world = World.of(Topology.complete(9)).withFaults(faults);
        for (int seed = 1; seed <= 50; seed++) {
            var result = Simulation.of(bully, world, seed).run();
            assertThat(result.verdicts().get(Property.AGREEMENT))
                    .as("seed " + seed)
                    .isEqualTo(Verdict.HOLDS);
            assertThat(result.announcements().getLast().leader()).isEqualTo(n(9));
        }
    }

    @Test
    void an_algorithm_with_fixed_members_is_rejected() {
        var simulation = Simulation.of(new Lamport(), with(THREE, at(1, new Fault.Leave(n(2)))), 1);
        assertThatThrownBy(simulation::run).hasMessageContaining("cannot change its members");
    }
}
