package habemus.detector;

import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;
import static habemus.ProtocolFixture.nodes;
import static habemus.ProtocolFixture.sendAll;
import static habemus.ProtocolFixture.setTimer;
import static habemus.ProtocolFixture.suspect;
import static habemus.protocol.FailureDetector.Tick.TICK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.ProtocolFixture;
import habemus.RandomWorlds;
import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.Catalogue;
import habemus.check.ModelChecker;
import habemus.check.model.Scope;
import habemus.detector.ElectionWithDetector.DurableState;
import habemus.detector.ElectionWithDetector.Message;
import habemus.detector.ElectionWithDetector.State;
import habemus.election.Bully;
import habemus.election.ChangRoberts;
import habemus.protocol.Envelope;
import habemus.protocol.FailureAware;
import habemus.protocol.PeriodicMessage;
import habemus.protocol.Ranking;
import habemus.simulate.Simulation;
import habemus.world.Fault;
import habemus.world.FaultKind;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.Verdict;
import habemus.world.World;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The composition of an election and a detector, at n1 of two nodes. */
@Tag("slow")
class ElectionWithDetectorTest {

    private static final int SEEDS = 60;
    private static final Duration PERIOD = Duration.ofMillis(200);
    private static final Duration ANSWER = Duration.ofMillis(100);
    private static final Bully BULLY = new Bully(Ranking.BY_NUMBER, ANSWER, Duration.ofMillis(500));
    private static final Perfect PERFECT = new Perfect(PERIOD, Duration.ofMillis(400));
    private static final ElectionWithDetector<
                    Bully.State, Bully.Message, Bully.DurableState, Perfect.State, Perfect.Heartbeat>
            COMPOSITION = new ElectionWithDetector<>(BULLY, PERFECT);

    private static Message<Bully.Message, Perfect.Heartbeat> heartbeat() {
        return new Message.ToDetector<>(new Perfect.Heartbeat());
    }

    private static Message<Bully.Message, Perfect.Heartbeat> election(Bully.Message message) {
        return new Message.ToElection<>(message);
    }

    private static ProtocolFixture<State<Bully.State, Perfect.State>, Message<Bully.Message, Perfect.Heartbeat>>
            first() {
        return node(1, 2, COMPOSITION);
    }

    private static ProtocolFixture<State<Bully.State, Perfect.State>, Message<Bully.Message, Perfect.Heartbeat>>
            following() {
        return first().receives(election(new Bully.Message.Coordinator(1)), n(2));
    }

    @Test
    void election_and_detector_start_in_the_same_step() {
        assertThat(first().effects()).containsExactly(sendAll(nodes(2), heartbeat()), setTimer(TICK, PERIOD));
        assertThat(first().state().content().phase()).isEqualTo(new Bully.Phase.Newcomer());
    }

    @Test
    void the_election_gets_a_suspicion_in_the_same_step_after_the_effect_of_the_detector() {
        var node = following().timesOut(TICK).timesOut(TICK).timesOut(TICK);
        assertThat(node.effects()).startsWith(suspect(2)).contains(ProtocolFixture.elected(1, 2));
        assertThat(node.state().content().phase()).isEqualTo(new Bully.Phase.Leading());
    }

    @Test
    void the_election_gets_a_restoration_in_the_same_step() {
        var node = following().timesOut(TICK).timesOut(TICK).timesOut(TICK);
        assertThat(node.state().content().suspected()).isEqualTo(nodes(2));
        assertThat(node.receives(heartbeat(), n(2)).state().content().suspected())
                .isEqualTo(nodes());
    }

    @Test
    void a_message_of_the_election_is_no_heartbeat() {
        var silent = first().timesOut(TICK).timesOut(TICK).receives(election(new Bully.Message.Answer()), n(2));
        assertThat(silent.timesOut(TICK).effects()).startsWith(suspect(2));
    }

    @Test
    void a_timer_that_is_no_tick_belongs_to_the_election() {
        var asking = first().campaigns();
        assertThat(asking.effects())
                .containsExactly(
                        sendAll(nodes(2), election(new Bully.Message.Election())),
                        setTimer(Bully.Timer.OVERDUE, ANSWER));
        assertThat(asking.timesOut(Bully.Timer.OVERDUE).state().content().phase())
                .isEqualTo(new Bully.Phase.Leading());
    }

    @Test
    void the_durable_state_is_that_of_the_election() {
        assertThat(COMPOSITION.durableState(following().state()))
                .isEqualTo(new DurableState<>(List.of(new Bully.DurableState(1))));
        assertThat(ProtocolFixture.restarted(1, 2, COMPOSITION, new DurableState<>(List.of(new Bully.DurableState(7))))
                        .state()
                        .content()
                        .term())
                .isEqualTo(7);
    }

    @Test
    void a_node_without_durable_state_starts_again() {
        assertThat(ProtocolFixture.restarted(1, 2, COMPOSITION, new DurableState<>(List.of()))
                        .state())
                .isEqualTo(first().state());
    }

    @Test
    void an_election_that_uses_no_detector_is_rejected() {
        assertThatThrownBy(() -> new ElectionWithDetector<>(new ChangRoberts(Ranking.BY_NUMBER), PERFECT))
                .hasMessageContaining("uses no failure detector");
    }

    @Test
    void a_composition_uses_no_detector_of_the_runtime() {
        assertThat(COMPOSITION).isNotInstanceOf(FailureAware.class);
    }

    @Test
    void statistics_count_heartbeats_apart_and_messages_by_their_content() {
        assertThat(PeriodicMessage.isPeriodic(heartbeat())).isTrue();
        assertThat(Envelope.unwrap(election(new Bully.Message.Answer()))).isEqualTo(new Bully.Message.Answer());
        var crash = new Fault.PlannedFault(Duration.ofSeconds(1), new Fault.Crash(n(2)));
        var world = World.of(Topology.complete(2)).withFaults(List.of(crash));
        var runResult = Simulation.of(COMPOSITION, world, 1).run();
        assertThat(runResult.messagesByType()).containsOnlyKeys("Election", "Answer", "Coordinator");
        assertThat(runResult.heartbeats()).isGreaterThan(300);
        assertThat(runResult.suspicionChanges())
                .singleElement()
                .matches(suspicionChange -> suspicionChange.suspected());
        assertThat(runResult.announcements().getLast().leader()).isEqualTo(n(1));
    }

    /** Every election that uses a detector, with every detector. */
    static Stream<Arguments> compositions() {
        return Catalogue.ALL.stream()
                .filter(election -> election.acceptsDetector() && !election.broken())
                .flatMap(election -> Stream.of("perfect", "eventually-perfect", "phi-accrual")
                        .map(detector -> Arguments.of(election.name(), detector)));
    }

    @ParameterizedTest
    @MethodSource("compositions")
    void no_seed_violates_a_guarantee_of_the_composition(String election, String detector) {
        var algorithm = composed(election, detector);
        var violations = LongStream.rangeClosed(1, SEEDS)
                .boxed()
                .flatMap(seed -> RandomWorlds.withinGuarantees(algorithm, seed).violations().stream()
                        .map(violation -> violation + " with seed " + seed))
                .toList();
        assertThat(violations).isEmpty();
    }

    private static Algorithm composed(String election, String detector) {
        return Catalogue.find(election)
                .orElseThrow()
                .withDetector(Catalogue.find(detector).orElseThrow());
    }

    @Test
    void with_a_perfect_detector_the_guarantees_of_the_election_hold() {
        var algorithm = composed("bully", "perfect");
        var crash = new Fault.PlannedFault(Duration.ofSeconds(1), new Fault.Crash(n(2)));
        var world = World.of(Topology.complete(3)).withFaults(List.of(crash));
        assertThat(algorithm.guaranteed(AlgorithmParameters.defaults(), world))
                .isEqualTo(Catalogue.find("bully").orElseThrow().guaranteed(AlgorithmParameters.defaults(), world));
    }

    @Test
    void a_check_of_two_nodes_with_a_perfect_detector_is_complete() {
        var scope = Scope.of(Topology.complete(2)).synchronous().withFault(FaultKind.CRASH, 1);
        var checkReport =
                ModelChecker.check(COMPOSITION, scope, Property.UNIQUENESS, Property.TERMINATION, Property.AGREEMENT);
        assertThat(checkReport.isComplete()).isTrue();
        assertThat(checkReport.findings()).allMatch(finding -> finding.verdict() == Verdict.HOLDS);
    }
}
