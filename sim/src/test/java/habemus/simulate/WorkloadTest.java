package habemus.simulate;

import static habemus.simulate.RecordedSimulation.n;
import static habemus.simulate.RecordedSimulation.once;
import static habemus.simulate.RecordedSimulation.plainWorld;
import static habemus.simulate.RecordedSimulation.request;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.mutex.RicartAgrawala;
import habemus.protocol.Event;
import habemus.simulate.ScriptedProtocol.Message;
import habemus.simulate.ScriptedProtocol.Timer;
import habemus.world.LatencyModel;
import habemus.world.ObservableEvent;
import habemus.world.Topology;
import habemus.world.TraceEvent;
import habemus.world.Workload;
import habemus.world.Workload.Chatter;
import habemus.world.World;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Applications ask, stay inside, leave and ask again, as the workload says. */
class WorkloadTest {

    /** Lets everybody in at once: with one caller that does no harm. */
    private static final ScriptedProtocol OPEN = ScriptedProtocol.mutex((step, event) ->
            event instanceof Event.Acquire ? step.grant(step.state().steps()) : step);

    private static final ScriptedProtocol CANDIDATE = ScriptedProtocol.election((step, event) -> step);

    private static RecordedSimulation locking(Workload workload) {
        return RecordedSimulation.of(OPEN, plainWorld(3).withWorkload(workload));
    }

    @Test
    void a_caller_asks_enters_stays_leaves_and_asks_again_as_often_as_it_wants() {
        assertThat(locking(once(1).withEntries(3).withHoldTime(ofMillis(5))).timedSteps(1))
                .containsExactly(
                        "0 starts FIRST",
                        "0 acquires",
                        "5000 releases",
                        "5000 acquires",
                        "10000 releases",
                        "10000 acquires",
                        "15000 releases");
    }

    @Test
    void what_is_seen_of_it_is_asked_entered_left() {
        var recordedSimulation = locking(once(2));
        assertThat(recordedSimulation.observed().stream()
                        .map(ObservableEvent::getClass)
                        .map(Class::getSimpleName))
                .containsExactly("Asked", "Entered", "Left");
        assertThat(recordedSimulation.runResult().entries()).isEqualTo(1);
        assertThat(recordedSimulation.runResult().grants()).containsExactly(new RunResult.GrantRecord(n(2), 1, 0));
    }

    @Test
    void only_callers_ask_and_each_at_its_time() {
        var recordedSimulation = locking(once().withRequests(List.of(request(3, 200_000), request(2, 100))));
        assertThat(recordedSimulation.times(ObservableEvent.Requested.class)).containsExactly(100L, 200_000L);
        assertThat(recordedSimulation.timedSteps(3)).contains("200000 acquires");
        assertThat(recordedSimulation.steps(1)).containsExactly("starts FIRST");
    }

    @Test
    void a_caller_thinks_for_a_while_before_it_asks_again_but_never_longer_than_it_may() {
        var workload = once(1).withEntries(2).withThinkTime(Duration.ofNanos(4_000));
        var asked = LongStream.range(0, 200)
                .mapToObj(seed -> RecordedSimulation.of(OPEN, plainWorld(1).withWorkload(workload), seed))
                .map(recordedSimulation -> recordedSimulation
                        .times(ObservableEvent.Requested.class)
                        .get(1));
        assertThat(asked.distinct()).containsExactlyInAnyOrder(1_000L, 1_001L, 1_002L, 1_003L, 1_004L);
    }

    @Test
    void who_is_called_upon_while_it_waits_or_is_inside_asks_again_after_leaving() {
        var recordedSimulation = locking(once().withRequests(List.of(request(1, 0), request(1, 0), request(1, 500))));
        assertThat(recordedSimulation.times(ObservableEvent.Requested.class)).containsExactly(0L, 1_000L, 2_000L);
        assertThat(recordedSimulation.runResult().entries()).isEqualTo(3);
    }

    @Test
    void who_is_called_upon_while_it_thinks_asks_at_once_and_not_twice_for_that() {
        var workload = once().withRequests(List.of(request(1, 0), request(1, 1_500)))
                .withEntries(2)
                .withThinkTime(Duration.ofHours(1));
        var recordedSimulation = locking(workload);
        assertThat(recordedSimulation.times(ObservableEvent.Requested.class).subList(0, 2))
                .containsExactly(0L, 1_500L);
        assertThat(recordedSimulation.runResult().entries()).isEqualTo(4);
    }

    @Test
    void nobody_asks_while_it_waits() {
        var closed = ScriptedProtocol.mutex((step, event) -> step);
        var recordedSimulation = RecordedSimulation.of(
                closed, plainWorld(1).withWorkload(once(1, 1).withEntries(3)));
        assertThat(recordedSimulation.steps(1)).containsExactly("starts FIRST", "acquires");
        assertThat(recordedSimulation.runResult().waiters())
                .extracting(RunResult.Waiter::node)
                .containsExactly(n(1));
    }

    @Test
    void a_candidate_campaigns_as_often_as_it_wants_but_has_asked_once() {
        var recordedSimulation = RecordedSimulation.of(
                CANDIDATE, plainWorld(3).withWorkload(once(2).withEntries(3).withThinkTime(ofMillis(1))));
        assertThat(recordedSimulation.steps(2)).containsExactly("starts FIRST", "campaigns", "campaigns", "campaigns");
        assertThat(recordedSimulation.observed()).hasSize(1);
        assertThat(recordedSimulation.steps(1)).containsExactly("starts FIRST");
    }

    @Test
    void a_candidate_that_is_called_upon_twice_campaigns_twice() {
        var recordedSimulation = RecordedSimulation.of(
                CANDIDATE, plainWorld(3).withWorkload(once().withRequests(List.of(request(2, 0), request(2, 700)))));
        assertThat(recordedSimulation.timedSteps(2)).containsExactly("0 starts FIRST", "0 campaigns", "700 campaigns");
    }

    @Test
    void who_loses_its_grant_is_out_and_asks_again_without_leaving() {
        var losing = ScriptedProtocol.mutex((step, event) -> switch (event) {
            case Event.Acquire<Message>() -> step.grant(step.state().steps()).setTimer(Timer.ONE, ofMillis(1));
            case Event.Timeout<Message> timeout -> step.lost();
            default -> step;
        });
        var recordedSimulation = RecordedSimulation.of(
                losing, plainWorld(1).withWorkload(once(1).withEntries(2).withHoldTime(ofMillis(9))));
        assertThat(recordedSimulation.timedSteps(1))
                .containsExactly("0 starts FIRST", "0 acquires", "1000 rings ONE", "1000 acquires", "2000 rings ONE");
        assertThat(recordedSimulation.times(ObservableEvent.Exited.class)).containsExactly(1_000L, 2_000L);
    }

    @Test
    void who_loses_its_grant_does_not_ask_again_when_it_would_have_left() {
        var losing = ScriptedProtocol.mutex((step, event) -> event instanceof Event.Timeout
                ? step.lost()
                : step.grant(step.state().steps()).setTimer(Timer.ONE, ofMillis(1)));
        var patient = once(1).withEntries(2).withHoldTime(ofMillis(9)).withThinkTime(Duration.ofHours(1));
        var asked = RecordedSimulation.of(losing, plainWorld(1).withWorkload(patient))
                .times(ObservableEvent.Requested.class);
        assertThat(asked.getLast()).isGreaterThan(9_000);
    }

    @Test
    void who_names_another_leader_disowns_the_one_before() {
        var fickle = ScriptedProtocol.election((step, event) ->
                step.elected(n(step.state().steps()), step.state().steps()));
        var recordedSimulation = RecordedSimulation.of(fickle, plainWorld(3).withWorkload(once(1).withEntries(2)));
        assertThat(recordedSimulation.observed().subList(1, 4))
                .containsExactly(
                        new ObservableEvent.LeaderAnnounced(n(1), n(1), 1),
                        new ObservableEvent.LeaderDropped(n(1), n(1)),
                        new ObservableEvent.LeaderAnnounced(n(1), n(2), 2));
        assertThat(recordedSimulation.runResult().elections()).isEqualTo(2);
        assertThat(recordedSimulation.runResult().announcements())
                .containsExactly(
                        new RunResult.LeaderAnnouncement(n(1), n(1), 1, 0),
                        new RunResult.LeaderAnnouncement(n(1), n(2), 2, 0));
    }

    private static World chatting(Chatter chatter) {
        return plainWorld(3)
                .withLatency(new LatencyModel.Exponential(ofMillis(1)))
                .withWorkload(once(1).withChatter(chatter));
    }

    @ParameterizedTest
    @EnumSource(names = {"APART", "SHARED"})
    void who_has_asked_tells_a_neighbour_which_asks_too_if_it_was_going_to(Chatter chatter) {
        int caused = 0;
        for (long seed = 0; seed < 30; seed++) {
            var requests = List.of(request(1, 0), request(2, 0), request(3, 0));
            var workload = once().withRequests(requests)
                    .withEntries(2)
                    .withThinkTime(Duration.ofHours(1))
                    .withChatter(chatter);
            var recordedSimulation =
                    RecordedSimulation.of(OPEN, chatting(chatter).withWorkload(workload), seed);
            assertThat(recordedSimulation.all(TraceEvent.AppMessageSent.class))
                    .hasSize(6)
                    .noneMatch(
                            line -> line.message().from().equals(line.message().to()));
            assertThat(recordedSimulation.all(TraceEvent.AppMessageReceived.class))
                    .hasSize(6);
            assertThat(recordedSimulation.runResult().messages()).isZero();
            assertThat(recordedSimulation.runResult().entries()).isEqualTo(6);
            caused += (int) recordedSimulation.times(ObservableEvent.Requested.class).stream()
                    .filter(time -> time > 0 && time < 100_000)
                    .count();
        }
        assertThat(caused).isGreaterThan(30);
    }

    @Test
    void who_was_not_going_to_ask_does_not_ask_because_it_was_told() {
        var recordedSimulation = RecordedSimulation.of(OPEN, chatting(Chatter.SEPARATE_LINKS));
        assertThat(recordedSimulation.all(TraceEvent.AppMessageReceived.class)).hasSize(1);
        assertThat(recordedSimulation.times(ObservableEvent.Requested.class)).hasSize(1);
    }

    @Test
    void without_chatter_nobody_is_told() {
        assertThat(RecordedSimulation.of(OPEN, chatting(Chatter.NONE)).all(TraceEvent.AppMessageSent.class))
                .isEmpty();
    }

    /** On shared links in order, what is told cannot overtake the request before it. */
    @Test
    void sharing_the_links_chatter_keeps_its_place_among_the_messages() {
        assertThat(overtakings(Chatter.SHARED_LINKS)).isZero();
        assertThat(overtakings(Chatter.SEPARATE_LINKS)).isPositive();
    }

    private static int overtakings(Chatter chatter) {
        int overtakings = 0;
        for (long seed = 0; seed < 50; seed++) {
            var recordedSimulation =
                    RecordedSimulation.of(new RicartAgrawala(false, List.of()), chatting(chatter), seed);
            var told =
                    recordedSimulation.all(TraceEvent.AppMessageReceived.class).getFirst();
            var heard = recordedSimulation.events().indexOf(told);
            overtakings += (int) recordedSimulation.all(TraceEvent.Step.class).stream()
                    .filter(line -> line.node().equals(told.message().to()) && line.messageNumber() > 0)
                    .filter(line -> line.messageNumber() < told.message().number()
                            && recordedSimulation.events().indexOf(line) > heard)
                    .count();
        }
        return overtakings;
    }

    @ParameterizedTest
    @EnumSource
    void one_who_is_alone_has_nobody_to_tell(Chatter chatter) {
        var world = plainWorld(1).withWorkload(once(1).withChatter(chatter));
        assertThat(RecordedSimulation.of(OPEN, world).runResult().entries()).isEqualTo(1);
        var ring = World.of(Topology.ring(1)).withWorkload(once(1).withChatter(chatter));
        assertThat(RecordedSimulation.of(OPEN, ring).runResult().entries()).isEqualTo(1);
    }

    @Test
    void nobody_asks_less_than_once_nor_for_a_negative_time() {
        assertThatThrownBy(() -> once(1).withEntries(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> once(1).withThinkTime(ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> once(1).withHoldTime(ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
    }
}
