package habemus.simulate;

import static habemus.simulate.RecordedSimulation.n;
import static habemus.simulate.RecordedSimulation.once;
import static habemus.simulate.RecordedSimulation.plainWorld;
import static habemus.simulate.RecordedSimulation.request;
import static habemus.simulate.ScriptedProtocol.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.RandomWorlds;
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
import habemus.world.LatencyModel;
import habemus.world.Topology;
import habemus.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationTest {

    static final List<Algorithm> ALL = Catalogue.ALL.stream()
            .filter(algorithm -> !algorithm.name().equals("relay")) // 61 nodes, and the same messages as the others
            .toList();

    /** If nodes forward messages, the number of duplicates grows without bound. */
    private static final RunLimits LIMITS = SwarmFaults.limits().withMaxSteps(5_000);

    private static World world(Algorithm algorithm) {
        boolean ring = algorithm.shape() == Topology.Shape.RING;
        int nodes = algorithm.nodeCount(AlgorithmParameters.defaults()).orElse(4);
        var faultless = World.of(ring ? Topology.ring(5) : Topology.complete(nodes));
        return faultless.withWorkload(faultless.workload().withEntries(3).withThinkTime(Duration.ofMillis(300)));
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void equal_seeds_give_equal_runs_and_different_seeds_different_runs(Algorithm algorithm) {
        for (long seed = 0; seed < 20; seed++) {
            var world = SwarmFaults.inject(world(algorithm), RandomWorlds.possibleFaults(algorithm), seed);
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
        var result = RecordedSimulation.of(
                        new RicartAgrawala(false, List.of()),
                        world.withWorkload(world.workload().withEntries(3)))
                .result();
        assertThat(result.end()).isEqualTo(RunResult.End.REST);
        assertThat(result.entries()).isEqualTo(3L * size);
        assertThat(result.messages()).isEqualTo(3L * size * 2 * (size - 1));
        assertThat(result.waiters()).isEmpty();
        assertThat(result.hasFailed()).isFalse();
    }

    @Test
    void messages_are_counted_by_the_name_of_their_type() {
        var run = RecordedSimulation.of(new RicartAgrawala(false, List.of()), World.of(Topology.complete(3)));
        assertThat(run.result().messagesByType()).isEqualTo(java.util.Map.of("Request", 6L, "Reply", 6L));
    }

    sealed interface PingMessage {
        record Plain() implements PingMessage {}

        sealed interface Left extends PingMessage {
            record Ping() implements Left {}
        }

        sealed interface Right extends PingMessage {
            record Ping() implements Right {}
        }
    }

    /** Has two message types of the same simple name, as a composed algorithm may have. */
    private static final class Pinging implements Election<Integer, PingMessage> {
        @Override
        public Step<Integer, PingMessage> start(Neighbourhood neighbourhood) {
            return to(0);
        }

        @Override
        public Step<Integer, PingMessage> campaign(Integer state) {
            return to(1).send(n(2), new PingMessage.Left.Ping())
                    .send(n(2), new PingMessage.Right.Ping())
                    .send(n(2), new PingMessage.Right.Ping())
                    .send(n(2), new PingMessage.Plain());
        }

        @Override
        public Step<Integer, PingMessage> receive(Integer state, NodeId from, PingMessage message) {
            return to(state);
        }
    }

    @Test
    void messages_of_different_types_with_the_same_name_are_all_counted() {
        assertThat(RecordedSimulation.of(new Pinging(), plainWorld(2).withWorkload(once(1)))
                        .result()
                        .messages())
                .isEqualTo(4);
    }

    private static RunResult campaigning(Topology topology, NodeId to) {
        var protocol = ScriptedProtocol.election(
                (step, event) -> event instanceof Event.Campaign ? step.send(to, message("hello")) : step);
        return RecordedSimulation.of(protocol, World.of(topology).withWorkload(once(1)))
                .result();
    }

    @Test
    void sending_to_a_node_that_is_not_a_neighbour_is_a_bug() {
        var result = campaigning(Topology.ring(5), n(3));
        assertThat(result.end()).isEqualTo(RunResult.End.BUG);
        assertThat(result.bug()).contains("a message to n3, which is not a neighbour");
        assertThat(result.hasFailed()).isTrue();
        assertThat(campaigning(Topology.ring(5), n(5)).end()).isEqualTo(RunResult.End.REST);
    }

    @Test
    void sending_to_a_node_that_does_not_exist_is_a_bug() {
        var withGaps = Topology.ring(List.of(n(1), n(5), n(9)));
        assertThat(campaigning(withGaps, n(3)).end()).isEqualTo(RunResult.End.BUG);
        assertThat(campaigning(withGaps, n(10)).end()).isEqualTo(RunResult.End.BUG);
    }

    @Test
    void a_grant_without_a_request_is_a_bug() {
        var doubleGrant = ScriptedProtocol.mutex(
                (step, event) -> event instanceof Event.Acquire ? step.grant(1).grant(2) : step);
        var result = RecordedSimulation.of(doubleGrant, plainWorld(2).withWorkload(once(1)))
                .result();
        assertThat(result.end()).isEqualTo(RunResult.End.BUG);
        assertThat(result.bug()).contains("a grant without a request").contains("State[self=n1, steps=1]");
        assertThat(result.entries()).isEqualTo(1);
    }

    @Test
    void a_bug_ends_the_run_at_once() {
        var doubleGrant = ScriptedProtocol.mutex((step, event) -> step.grant(1).grant(2));
        var run = RecordedSimulation.of(
                doubleGrant,
                plainWorld(2).withWorkload(once().withRequests(List.of(request(1, 0), request(2, 7_000)))));
        assertThat(run.steps(2)).containsExactly("starts FIRST");
        assertThat(run.result().micros()).isZero();
    }

    @Test
    void messages_go_to_all_receivers_lowest_number_first() {
        var protocol = ScriptedProtocol.election((step, event) ->
                event instanceof Event.Campaign ? step.sendAll(NodeSet.of(n(3), n(1), n(70)), message("a")) : step);
        var run = RecordedSimulation.of(protocol, plainWorld(70).withWorkload(once(2)));
        assertThat(run.all(habemus.world.TraceEvent.NodeStep.class).stream()
                        .flatMap(step -> step.sent().stream())
                        .map(inFlightMessage -> inFlightMessage.to().number()))
                .containsExactly(1, 3, 70);
    }

    @Test
    void messages_that_arrive_at_the_same_time_arrive_in_the_order_they_were_sent() {
        var protocol = ScriptedProtocol.election((step, event) -> event instanceof Event.Campaign
                ? step.send(n(2), message("a")).send(n(2), message("b")).send(n(2), message("c"))
                : step);
        assertThat(RecordedSimulation.of(protocol, plainWorld(2).withWorkload(once(1)))
                        .steps(2))
                .endsWith("receives a from n1", "receives b from n1", "receives c from n1");
    }

    @Test
    void messages_sent_at_the_start_arrive_after_all_nodes_have_started() {
        var protocol = ScriptedProtocol.election(
                step -> step.state().is(1) ? step.send(n(2), message("early")) : step, (step, event) -> step);
        var run = RecordedSimulation.of(protocol, plainWorld(2).withLatency(new LatencyModel.Fixed(Duration.ZERO)));
        assertThat(run.timedSteps(2)).containsExactly("0 starts FIRST", "0 receives early from n1");
    }

    private record MutableState(List<Integer> list) {}

    private static final class MutableStateElection implements Election<MutableState, Integer> {
        @Override
        public Step<MutableState, Integer> start(Neighbourhood neighbourhood) {
            return to(new MutableState(new ArrayList<>()));
        }

        @Override
        public Step<MutableState, Integer> campaign(MutableState state) {
            return to(state);
        }

        @Override
        public Step<MutableState, Integer> receive(MutableState state, NodeId from, Integer message) {
            return to(state);
        }
    }

    @Test
    void an_algorithm_with_a_mutable_list_in_its_state_is_rejected() {
        var simulation = Simulation.of(new MutableStateElection(), plainWorld(2), 1);
        assertThatThrownBy(simulation::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a mutable list");
    }

    private record NoProblem() implements Protocol<Integer, Integer> {
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
    void an_algorithm_that_solves_no_problem_is_rejected() {
        assertThatThrownBy(() -> Simulation.of(new NoProblem(), plainWorld(2), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(
                        "must be a Mutex, an Election, a FailureDetector, a Consensus or a ThreadProgram");
    }
}
