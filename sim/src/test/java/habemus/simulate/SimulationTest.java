package habemus.simulate;

import static habemus.simulate.RecordedSimulation.n;
import static habemus.simulate.RecordedSimulation.once;
import static habemus.simulate.RecordedSimulation.plainWorld;
import static habemus.simulate.RecordedSimulation.request;
import static habemus.simulate.ScriptedProtocol.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.Catalogue;
import habemus.election.ChangRoberts;
import habemus.mutex.RicartAgrawala;
import habemus.protocol.Election;
import habemus.protocol.Event;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.protocol.Ranking;
import habemus.protocol.Step;
import habemus.world.FaultKind;
import habemus.world.LatencyModel;
import habemus.world.Topology;
import habemus.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationTest {

    static final List<Algorithm> ALL = Catalogue.ALL;

    /** Where nodes pass on what they get, every message that arrives twice makes more that do. */
    private static final RunLimits LIMITS = SwarmFaults.limits().withMaxSteps(5_000);

    private static World world(Algorithm algorithm) {
        boolean ring = algorithm.shape() == Topology.Shape.RING;
        var kind = World.of(ring ? Topology.ring(5) : Topology.complete(4));
        return kind.withWorkload(kind.workload().withEntries(3).withThinkTime(Duration.ofMillis(300)));
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void equal_seeds_give_equal_runs_and_others_give_others(Algorithm algorithm) {
        for (long seed = 0; seed < 20; seed++) {
            var world = SwarmFaults.inject(world(algorithm), EnumSet.allOf(FaultKind.class), seed);
            var one = RecordedSimulation.of(algorithm.create(AlgorithmParameters.of(world)), world, seed, LIMITS);
            var same = RecordedSimulation.of(algorithm.create(AlgorithmParameters.of(world)), world, seed, LIMITS);
            var other = RecordedSimulation.of(algorithm.create(AlgorithmParameters.of(world)), world, seed + 1, LIMITS);
            assertThat(same).isEqualTo(one).hasToString(one.toString());
            assertThat(other.events()).isNotEqualTo(one.events());
        }
    }

    @Test
    void a_simulation_can_be_run_again() {
        var simulation = Simulation.of(new ChangRoberts(Ranking.BY_NUMBER), World.of(Topology.ring(5)), 3);
        assertThat(simulation.run()).isEqualTo(simulation.run());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 20})
    void an_entry_costs_two_messages_for_every_other_node(int size) {
        var world = World.of(Topology.complete(size));
        var runResult = RecordedSimulation.of(
                        new RicartAgrawala(false, List.of()),
                        world.withWorkload(world.workload().withEntries(3)))
                .runResult();
        assertThat(runResult.end()).isEqualTo(RunResult.End.REST);
        assertThat(runResult.entries()).isEqualTo(3L * size);
        assertThat(runResult.messages()).isEqualTo(3L * size * 2 * (size - 1));
        assertThat(runResult.waiters()).isEmpty();
        assertThat(runResult.hasFailed()).isFalse();
    }

    @Test
    void messages_are_counted_by_the_name_of_their_type() {
        var recordedSimulation =
                RecordedSimulation.of(new RicartAgrawala(false, List.of()), World.of(Topology.complete(3)));
        assertThat(recordedSimulation.runResult().messagesByType())
                .isEqualTo(java.util.Map.of("Request", 6L, "Reply", 6L));
    }

    sealed interface Twofold {
        record Plain() implements Twofold {}

        sealed interface Left extends Twofold {
            record Ping() implements Left {}
        }

        sealed interface Right extends Twofold {
            record Ping() implements Right {}
        }
    }

    /** As when one algorithm is composed beneath another, and both have a message of the same name. */
    private static final class Pinging implements Election<Integer, Twofold> {
        @Override
        public Step<Integer, Twofold> start(Neighbourhood neighbourhood) {
            return to(0);
        }

        @Override
        public Step<Integer, Twofold> campaign(Integer state) {
            return to(1).send(n(2), new Twofold.Left.Ping())
                    .send(n(2), new Twofold.Right.Ping())
                    .send(n(2), new Twofold.Right.Ping())
                    .send(n(2), new Twofold.Plain());
        }

        @Override
        public Step<Integer, Twofold> receive(Integer state, NodeId from, Twofold message) {
            return to(state);
        }
    }

    @Test
    void messages_of_different_types_with_the_same_name_are_all_counted() {
        assertThat(RecordedSimulation.of(new Pinging(), plainWorld(2).withWorkload(once(1)))
                        .runResult()
                        .messages())
                .isEqualTo(4);
    }

    private static RunResult campaigning(Topology topology, NodeId to) {
        var scriptedProtocol = ScriptedProtocol.election(
                (step, event) -> event instanceof Event.Campaign ? step.send(to, message("hello")) : step);
        return RecordedSimulation.of(scriptedProtocol, World.of(topology).withWorkload(once(1)))
                .runResult();
    }

    @Test
    void sending_to_one_that_is_no_neighbour_is_a_bug() {
        var runResult = campaigning(Topology.ring(5), n(3));
        assertThat(runResult.end()).isEqualTo(RunResult.End.BUG);
        assertThat(runResult.bug()).contains("sending to n3, which is no neighbour");
        assertThat(runResult.hasFailed()).isTrue();
        assertThat(campaigning(Topology.ring(5), n(5)).end()).isEqualTo(RunResult.End.REST);
    }

    @Test
    void sending_to_one_that_does_not_exist_is_a_bug() {
        var withGaps = Topology.ring(List.of(n(1), n(5), n(9)));
        assertThat(campaigning(withGaps, n(3)).end()).isEqualTo(RunResult.End.BUG);
        assertThat(campaigning(withGaps, n(10)).end()).isEqualTo(RunResult.End.BUG);
    }

    @Test
    void a_grant_that_nobody_waits_for_is_a_bug() {
        var eager = ScriptedProtocol.mutex(
                (step, event) -> event instanceof Event.Acquire ? step.grant(1).grant(2) : step);
        var runResult = RecordedSimulation.of(eager, plainWorld(2).withWorkload(once(1)))
                .runResult();
        assertThat(runResult.end()).isEqualTo(RunResult.End.BUG);
        assertThat(runResult.bug()).contains("a grant that nobody waits for").contains("State[self=n1, steps=1]");
        assertThat(runResult.entries()).isEqualTo(1);
    }

    @Test
    void a_bug_ends_the_run_at_once() {
        var eager = ScriptedProtocol.mutex((step, event) -> step.grant(1).grant(2));
        var recordedSimulation = RecordedSimulation.of(
                eager, plainWorld(2).withWorkload(once().withRequests(List.of(request(1, 0), request(2, 7_000)))));
        assertThat(recordedSimulation.steps(2)).containsExactly("starts FIRST");
        assertThat(recordedSimulation.runResult().micros()).isZero();
    }

    @Test
    void messages_go_to_all_receivers_lowest_number_first() {
        var scriptedProtocol = ScriptedProtocol.election((step, event) ->
                event instanceof Event.Campaign ? step.sendAll(NodeSet.of(n(3), n(1), n(70)), message("a")) : step);
        var recordedSimulation =
                RecordedSimulation.of(scriptedProtocol, plainWorld(70).withWorkload(once(2)));
        assertThat(recordedSimulation.all(habemus.world.TraceEvent.NodeStep.class).stream()
                        .flatMap(line -> line.sent().stream())
                        .map(inFlightMessage -> inFlightMessage.to().number()))
                .containsExactly(1, 3, 70);
    }

    @Test
    void messages_that_arrive_at_the_same_time_arrive_in_the_order_they_were_sent() {
        var scriptedProtocol = ScriptedProtocol.election((step, event) -> event instanceof Event.Campaign
                ? step.send(n(2), message("a")).send(n(2), message("b")).send(n(2), message("c"))
                : step);
        assertThat(RecordedSimulation.of(scriptedProtocol, plainWorld(2).withWorkload(once(1)))
                        .steps(2))
                .endsWith("hears a from n1", "hears b from n1", "hears c from n1");
    }

    @Test
    void nodes_come_up_in_order_and_what_they_send_then_arrives_after_all_are_up() {
        var scriptedProtocol = ScriptedProtocol.election(
                step -> step.state().is(1) ? step.send(n(2), message("early")) : step, (step, event) -> step);
        var recordedSimulation = RecordedSimulation.of(
                scriptedProtocol, plainWorld(2).withLatency(new LatencyModel.Fixed(Duration.ZERO)));
        assertThat(recordedSimulation.timedSteps(2)).containsExactly("0 starts FIRST", "0 hears early from n1");
    }

    private record Changeable(List<Integer> list) {}

    private static final class Careless implements Election<Changeable, Integer> {
        @Override
        public Step<Changeable, Integer> start(Neighbourhood neighbourhood) {
            return to(new Changeable(new ArrayList<>()));
        }

        @Override
        public Step<Changeable, Integer> campaign(Changeable state) {
            return to(state);
        }

        @Override
        public Step<Changeable, Integer> receive(Changeable state, NodeId from, Integer message) {
            return to(state);
        }
    }

    @Test
    void refuses_an_algorithm_that_starts_with_a_list_that_can_be_changed() {
        var simulation = Simulation.of(new Careless(), plainWorld(2), 1);
        assertThatThrownBy(simulation::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a list that can be changed");
    }

    private record Aimless() implements Protocol<Integer, Integer> {
        @Override
        public Step<Integer, Integer> start(Neighbourhood neighbourhood) {
            return to(0);
        }

        @Override
        public Step<Integer, Integer> receive(Integer state, NodeId from, Integer message) {
            return to(state);
        }
    }

    @Test
    void refuses_an_algorithm_that_is_for_nothing() {
        assertThatThrownBy(() -> Simulation.of(new Aimless(), plainWorld(2), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no Mutex, no Election, no detector");
    }
}
