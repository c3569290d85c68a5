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

/** Applications request, hold and release the lock as the workload says. */
class WorkloadTest {

    /** Grants every request at once, which is safe with one requesting node. */
    private static final ScriptedProtocol OPEN = ScriptedProtocol.mutex((step, event) ->
            event instanceof Event.Acquire ? step.grant(step.state().steps()) : step);

    private static final ScriptedProtocol CANDIDATE = ScriptedProtocol.election((step, event) -> step);

    private static RecordedSimulation locking(Workload workload) {
        return RecordedSimulation.of(OPEN, plainWorld(3).withWorkload(workload));
    }

    @Test
    void a_node_requests_holds_and_releases_the_lock_once_per_entry() {
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
    void the_observable_events_of_an_entry_are_requested_entered_exited() {
        var run = locking(once(2));
        assertThat(run.observed().stream().map(ObservableEvent::getClass).map(Class::getSimpleName))
                .containsExactly("Requested", "Entered", "Exited");
        assertThat(run.result().entries()).isEqualTo(1);
        assertThat(run.result().grants()).containsExactly(new RunResult.GrantRecord(n(2), 1, 0));
    }

    @Test
    void only_nodes_of_the_workload_make_requests_at_their_times() {
        var run = locking(once().withRequests(List.of(request(3, 200_000), request(2, 100))));
        assertThat(run.times(ObservableEvent.Requested.class)).containsExactly(100L, 200_000L);
        assertThat(run.timedSteps(3)).contains("200000 acquires");
        assertThat(run.steps(1)).containsExactly("starts FIRST");
    }

    @Test
    void a_further_request_is_made_once_however_many_entries_there_are() {
        var workload =
                once(1).withEntries(2).withHoldTime(ofMillis(5)).withFurtherRequests(List.of(request(2, 30_000)));
        assertThat(locking(workload).times(ObservableEvent.Requested.class)).containsExactly(0L, 5_000L, 30_000L);
    }

    @Test
    void a_further_request_of_a_holder_comes_after_its_release() {
        var workload = once(1).withHoldTime(ofMillis(5)).withFurtherRequests(List.of(request(1, 2_000)));
        assertThat(locking(workload).timedSteps(1))
                .containsExactly("0 starts FIRST", "0 acquires", "5000 releases", "5000 acquires", "10000 releases");
    }

    @Test
    void the_time_between_exit_and_next_request_is_at_most_the_think_time() {
        var workload = once(1).withEntries(2).withThinkTime(Duration.ofNanos(4_000));
        var requestTimes = LongStream.range(0, 200)
                .mapToObj(seed -> RecordedSimulation.of(OPEN, plainWorld(1).withWorkload(workload), seed))
                .map(run -> run.times(ObservableEvent.Requested.class).get(1));
        assertThat(requestTimes.distinct()).containsExactlyInAnyOrder(1_000L, 1_001L, 1_002L, 1_003L, 1_004L);
    }

    @Test
    void a_request_due_while_the_node_waits_or_holds_is_made_after_its_exit() {
        var run = locking(once().withRequests(List.of(request(1, 0), request(1, 0), request(1, 500))));
        assertThat(run.times(ObservableEvent.Requested.class)).containsExactly(0L, 1_000L, 2_000L);
        assertThat(run.result().entries()).isEqualTo(3);
    }

    @Test
    void a_request_due_during_the_think_time_is_made_at_once_and_only_once() {
        var workload = once().withRequests(List.of(request(1, 0), request(1, 1_500)))
                .withEntries(2)
                .withThinkTime(Duration.ofHours(1));
        var run = locking(workload);
        assertThat(run.times(ObservableEvent.Requested.class).subList(0, 2)).containsExactly(0L, 1_500L);
        assertThat(run.result().entries()).isEqualTo(4);
    }

    @Test
    void a_waiting_node_makes_no_further_request() {
        var closed = ScriptedProtocol.mutex((step, event) -> step);
        var run = RecordedSimulation.of(
                closed, plainWorld(1).withWorkload(once(1, 1).withEntries(3)));
        assertThat(run.steps(1)).containsExactly("starts FIRST", "acquires");
        assertThat(run.result().waiters()).extracting(RunResult.Waiter::node).containsExactly(n(1));
    }

    @Test
    void a_candidate_campaigns_repeatedly_but_is_observed_as_one_request() {
        var run = RecordedSimulation.of(
                CANDIDATE, plainWorld(3).withWorkload(once(2).withEntries(3).withThinkTime(ofMillis(1))));
        assertThat(run.steps(2)).containsExactly("starts FIRST", "campaigns", "campaigns", "campaigns");
        assertThat(run.observed()).hasSize(1);
        assertThat(run.steps(1)).containsExactly("starts FIRST");
    }

    @Test
    void a_candidate_with_two_requests_campaigns_twice() {
        var run = RecordedSimulation.of(
                CANDIDATE, plainWorld(3).withWorkload(once().withRequests(List.of(request(2, 0), request(2, 700)))));
        assertThat(run.timedSteps(2)).containsExactly("0 starts FIRST", "0 campaigns", "700 campaigns");
    }

    @Test
    void a_holder_that_loses_the_lock_exits_and_requests_again_without_a_release() {
        var losingHolder = ScriptedProtocol.mutex((step, event) -> switch (event) {
            case Event.Acquire<Message>() -> step.grant(step.state().steps()).setTimer(Timer.ONE, ofMillis(1));
            case Event.Timeout<Message> timeout -> step.lost();
            default -> step;
        });
        var run = RecordedSimulation.of(
                losingHolder, plainWorld(1).withWorkload(once(1).withEntries(2).withHoldTime(ofMillis(9))));
        assertThat(run.timedSteps(1))
                .containsExactly(
                        "0 starts FIRST", "0 acquires", "1000 timeout ONE", "1000 acquires", "2000 timeout ONE");
        assertThat(run.times(ObservableEvent.Exited.class)).containsExactly(1_000L, 2_000L);
    }

    @Test
    void a_holder_that_lost_the_lock_does_not_request_at_its_old_release_time() {
        var losingHolder = ScriptedProtocol.mutex((step, event) -> event instanceof Event.Timeout
                ? step.lost()
                : step.grant(step.state().steps()).setTimer(Timer.ONE, ofMillis(1)));
        var withLongThinkTime = once(1).withEntries(2).withHoldTime(ofMillis(9)).withThinkTime(Duration.ofHours(1));
        var requestTimes = RecordedSimulation.of(losingHolder, plainWorld(1).withWorkload(withLongThinkTime))
                .times(ObservableEvent.Requested.class);
        assertThat(requestTimes.getLast()).isGreaterThan(9_000);
    }

    @Test
    void a_node_drops_its_leader_before_it_announces_another() {
        var changingLeader = ScriptedProtocol.election((step, event) ->
                step.elected(n(step.state().steps()), step.state().steps()));
        var run = RecordedSimulation.of(changingLeader, plainWorld(3).withWorkload(once(1).withEntries(2)));
        assertThat(run.observed().subList(1, 4))
                .containsExactly(
                        new ObservableEvent.LeaderAnnounced(n(1), n(1), 1),
                        new ObservableEvent.LeaderDropped(n(1), n(1)),
                        new ObservableEvent.LeaderAnnounced(n(1), n(2), 2));
        assertThat(run.result().elections()).isEqualTo(2);
        assertThat(run.result().announcements())
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
    @EnumSource(names = {"SEPARATE_LINKS", "SHARED_LINKS"})
    void a_request_triggers_the_pending_request_of_a_neighbour(Chatter chatter) {
        int triggered = 0;
        for (long seed = 0; seed < 30; seed++) {
            var requests = List.of(request(1, 0), request(2, 0), request(3, 0));
            var workload = once().withRequests(requests)
                    .withEntries(2)
                    .withThinkTime(Duration.ofHours(1))
                    .withChatter(chatter);
            var run = RecordedSimulation.of(OPEN, chatting(chatter).withWorkload(workload), seed);
            assertThat(run.all(TraceEvent.AppMessageSent.class))
                    .hasSize(6)
                    .noneMatch(event ->
                            event.message().from().equals(event.message().to()));
            assertThat(run.all(TraceEvent.AppMessageReceived.class)).hasSize(6);
            assertThat(run.result().messages()).isZero();
            assertThat(run.result().entries()).isEqualTo(6);
            triggered += (int) run.times(ObservableEvent.Requested.class).stream()
                    .filter(time -> time > 0 && time < 100_000)
                    .count();
        }
        assertThat(triggered).isGreaterThan(30);
    }

    @Test
    void an_application_message_triggers_no_request_if_none_is_pending() {
        var run = RecordedSimulation.of(OPEN, chatting(Chatter.SEPARATE_LINKS));
        assertThat(run.all(TraceEvent.AppMessageReceived.class)).hasSize(1);
        assertThat(run.times(ObservableEvent.Requested.class)).hasSize(1);
    }

    @Test
    void without_chatter_there_are_no_application_messages() {
        assertThat(RecordedSimulation.of(OPEN, chatting(Chatter.NONE)).all(TraceEvent.AppMessageSent.class))
                .isEmpty();
    }

    /** On shared FIFO links, an application message cannot overtake an earlier protocol message. */
    @Test
    void on_shared_links_application_messages_keep_their_order_with_protocol_messages() {
        assertThat(overtakings(Chatter.SHARED_LINKS)).isZero();
        assertThat(overtakings(Chatter.SEPARATE_LINKS)).isPositive();
    }

    private static int overtakings(Chatter chatter) {
        int overtakings = 0;
        for (long seed = 0; seed < 50; seed++) {
            var run = RecordedSimulation.of(new RicartAgrawala(false, List.of()), chatting(chatter), seed);
            var appMessage = run.all(TraceEvent.AppMessageReceived.class).getFirst();
            var receivedAt = run.events().indexOf(appMessage);
            overtakings += (int) run.all(TraceEvent.Step.class).stream()
                    .filter(step -> step.node().equals(appMessage.message().to()) && step.messageNumber() > 0)
                    .filter(step -> step.messageNumber() < appMessage.message().number()
                            && run.events().indexOf(step) > receivedAt)
                    .count();
        }
        return overtakings;
    }

    @ParameterizedTest
    @EnumSource
    void a_single_node_sends_no_application_messages(Chatter chatter) {
        var world = plainWorld(1).withWorkload(once(1).withChatter(chatter));
        assertThat(RecordedSimulation.of(OPEN, world).result().entries()).isEqualTo(1);
        var ring = World.of(Topology.ring(1)).withWorkload(once(1).withChatter(chatter));
        assertThat(RecordedSimulation.of(OPEN, ring).result().entries()).isEqualTo(1);
    }

    @Test
    void entries_must_be_positive_and_times_not_negative() {
        assertThatThrownBy(() -> once(1).withEntries(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> once(1).withThinkTime(ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> once(1).withHoldTime(ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
    }
}
