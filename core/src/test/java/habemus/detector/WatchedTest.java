package habemus.detector;

import static habemus.Given.n;
import static habemus.Given.node;
import static habemus.Given.nodes;
import static habemus.Given.sendAll;
import static habemus.Given.suspect;
import static habemus.Given.wake;
import static habemus.protocol.Detecting.Pulse.BEAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.Given;
import habemus.RandomWorlds;
import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.catalogue.Setting;
import habemus.check.Checker;
import habemus.check.Scope;
import habemus.detector.Watched.Memory;
import habemus.detector.Watched.Message;
import habemus.detector.Watched.State;
import habemus.election.Bully;
import habemus.election.ChangRoberts;
import habemus.protocol.Background;
import habemus.protocol.Envelope;
import habemus.protocol.Ranking;
import habemus.protocol.Watchful;
import habemus.simulate.Simulation;
import habemus.world.Fault;
import habemus.world.Hazard;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.Verdict;
import habemus.world.World;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An election and its detector, as n1 of two nodes runs them. */
class WatchedTest {

    private static final int SEEDS = 60;
    private static final Duration PERIOD = Duration.ofMillis(200);
    private static final Duration ANSWER = Duration.ofMillis(100);
    private static final Bully BULLY = new Bully(Ranking.BY_NUMBER, ANSWER, Duration.ofMillis(500));
    private static final Perfect PERFECT = new Perfect(PERIOD, Duration.ofMillis(400));
    private static final Watched<Bully.State, Bully.Message, Bully.Memory, Perfect.State, Perfect.Heartbeat> WATCHED =
            new Watched<>(BULLY, PERFECT);

    private static Message<Bully.Message, Perfect.Heartbeat> heartbeat() {
        return new Message.ToDetector<>(new Perfect.Heartbeat());
    }

    private static Message<Bully.Message, Perfect.Heartbeat> election(Bully.Message message) {
        return new Message.ToElection<>(message);
    }

    private static Given<State<Bully.State, Perfect.State>, Message<Bully.Message, Perfect.Heartbeat>> first() {
        return node(1, 2, WATCHED);
    }

    private static Given<State<Bully.State, Perfect.State>, Message<Bully.Message, Perfect.Heartbeat>> following() {
        return first().gets(election(new Bully.Message.Coordinator(1)), n(2));
    }

    @Test
    void both_start_together() {
        assertThat(first().effects()).containsExactly(sendAll(nodes(2), heartbeat()), wake(BEAT, PERIOD));
        assertThat(first().state().content().phase()).isEqualTo(new Bully.Phase.Newcomer());
    }

    @Test
    void the_election_hears_of_a_suspicion_in_the_same_step_and_the_world_before_it() {
        var node = following().hears(BEAT).hears(BEAT).hears(BEAT);
        assertThat(node.effects()).startsWith(suspect(2)).contains(Given.elected(1, 2));
        assertThat(node.state().content().phase()).isEqualTo(new Bully.Phase.Leading());
    }

    @Test
    void the_election_hears_of_a_return_too() {
        var node = following().hears(BEAT).hears(BEAT).hears(BEAT);
        assertThat(node.state().content().suspected()).isEqualTo(nodes(2));
        assertThat(node.gets(heartbeat(), n(2)).state().content().suspected()).isEqualTo(nodes());
    }

    @Test
    void a_message_of_the_election_is_no_sign_of_life() {
        var talked = first().hears(BEAT).hears(BEAT).gets(election(new Bully.Message.Answer()), n(2));
        assertThat(talked.hears(BEAT).effects()).startsWith(suspect(2));
    }

    @Test
    void an_alarm_that_is_not_the_detectors_is_the_elections() {
        var asking = first().campaigns();
        assertThat(asking.effects())
                .containsExactly(
                        sendAll(nodes(2), election(new Bully.Message.Election())), wake(Bully.Alarm.OVERDUE, ANSWER));
        assertThat(asking.hears(Bully.Alarm.OVERDUE).state().content().phase()).isEqualTo(new Bully.Phase.Leading());
    }

    @Test
    void what_the_election_remembers_is_remembered() {
        assertThat(WATCHED.memory(following().state())).isEqualTo(new Memory<>(List.of(new Bully.Memory(1))));
        assertThat(Given.restarted(1, 2, WATCHED, new Memory<>(List.of(new Bully.Memory(7))))
                        .state()
                        .content()
                        .term())
                .isEqualTo(7);
    }

    @Test
    void whoever_remembers_nothing_starts_anew() {
        assertThat(Given.restarted(1, 2, WATCHED, new Memory<>(List.of())).state())
                .isEqualTo(first().state());
    }

    @Test
    void an_election_that_does_not_listen_is_refused() {
        assertThatThrownBy(() -> new Watched<>(new ChangRoberts(Ranking.BY_NUMBER), PERFECT))
                .hasMessageContaining("listens to no detector");
    }

    @Test
    void is_not_told_by_the_world_who_is_down() {
        assertThat(WATCHED).isNotInstanceOf(Watchful.class);
    }

    @Test
    void heartbeats_are_counted_apart_and_messages_as_what_they_carry() {
        assertThat(Background.is(heartbeat())).isTrue();
        assertThat(Envelope.open(election(new Bully.Message.Answer()))).isEqualTo(new Bully.Message.Answer());
        var crash = new Fault.Planned(Duration.ofSeconds(1), new Fault.Crash(n(2)));
        var world = World.of(Topology.complete(2)).struckBy(List.of(crash));
        var outcome = Simulation.of(WATCHED, world, 1).run();
        assertThat(outcome.messagesByType()).containsOnlyKeys("Election", "Answer", "Coordinator");
        assertThat(outcome.heartbeats()).isGreaterThan(300);
        assertThat(outcome.doubts()).singleElement().matches(doubt -> doubt.suspected());
        assertThat(outcome.elected().getLast().leader()).isEqualTo(n(1));
    }

    /** Every election that listens, over every detector that makes promises. */
    static Stream<Arguments> compositions() {
        return Catalogue.ALL.stream()
                .filter(one -> one.listens() && !one.broken())
                .flatMap(one -> Stream.of("perfect", "eventually-perfect", "phi-accrual")
                        .map(detector -> Arguments.of(one.name(), detector)));
    }

    @ParameterizedTest
    @MethodSource("compositions")
    void no_seed_breaks_what_the_composition_promises(String election, String detector) {
        var algorithm = composed(election, detector);
        var broken = LongStream.rangeClosed(1, SEEDS)
                .boxed()
                .flatMap(seed -> RandomWorlds.promised(algorithm, seed).broken().stream()
                        .map(promise -> promise + " with seed " + seed))
                .toList();
        assertThat(broken).isEmpty();
    }

    private static Algorithm composed(String election, String detector) {
        return Catalogue.find(election)
                .orElseThrow()
                .over(Catalogue.find(detector).orElseThrow());
    }

    @Test
    void a_promise_of_the_election_is_kept_over_a_perfect_detector() {
        var algorithm = composed("bully", "perfect");
        var crash = new Fault.Planned(Duration.ofSeconds(1), new Fault.Crash(n(2)));
        var world = World.of(Topology.complete(3)).struckBy(List.of(crash));
        assertThat(algorithm.promised(Setting.standard(), world))
                .isEqualTo(Catalogue.find("bully").orElseThrow().promised(Setting.standard(), world));
    }

    @Test
    void two_nodes_over_a_perfect_detector_are_checked_wholly() {
        var scope = Scope.of(Topology.complete(2)).synchronous().allowing(Hazard.CRASH, 1);
        var report = Checker.check(WATCHED, scope, Property.UNIQUENESS, Property.TERMINATION, Property.AGREEMENT);
        assertThat(report.complete()).isTrue();
        assertThat(report.findings()).allMatch(finding -> finding.verdict() == Verdict.HOLDS);
    }
}
