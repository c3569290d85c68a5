package habemus.simulate;

import static habemus.simulate.RecordedSimulation.at;
import static habemus.simulate.RecordedSimulation.n;
import static habemus.simulate.RecordedSimulation.once;
import static habemus.simulate.RecordedSimulation.plainWorld;
import static habemus.simulate.RecordedSimulation.request;
import static habemus.simulate.RecordedSimulation.withFaults;
import static habemus.simulate.ScriptedProtocol.message;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.mutex.RicartAgrawala;
import habemus.protocol.Event;
import habemus.simulate.ScriptedProtocol.Timer;
import habemus.world.Fault;
import habemus.world.ObservableEvent;
import habemus.world.TraceEvent;
import habemus.world.World;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a crash takes away, and what a restart brings back. */
class CrashTest {

    private static final Duration MILLI = Duration.ofMillis(1);

    /** Who campaigns says hello to n2; everybody rings once a millisecond after coming up. */
    private static final ScriptedProtocol PUPPET = ScriptedProtocol.election(
            step -> step.setTimer(Timer.ONE, MILLI),
            (step, event) -> event instanceof Event.Campaign ? step.send(n(2), message("hello")) : step);

    private static Fault.PlannedFault crash(long micros, int node) {
        return at(micros, new Fault.Crash(n(node)));
    }

    private static Fault.PlannedFault restart(long micros, int node) {
        return at(micros, new Fault.Restart(n(node), false));
    }

    private static RecordedSimulation film(Fault.PlannedFault... faults) {
        return RecordedSimulation.of(PUPPET, withFaults(plainWorld(2).withWorkload(once(1)), faults));
    }

    private static List<Integer> stepsOnComingUp(RecordedSimulation recordedSimulation, int node) {
        return recordedSimulation.all(TraceEvent.Started.class).stream()
                .filter(line -> line.node().equals(n(node)))
                .map(line -> ((ScriptedProtocol.State) line.state()).steps())
                .toList();
    }

    @Test
    void a_node_that_is_down_makes_no_step() {
        assertThat(film(crash(500, 2)).timedSteps(2)).containsExactly("0 starts FIRST");
        assertThat(film(crash(0, 1)).timedSteps(1)).containsExactly("0 starts FIRST");
    }

    @Test
    void its_messages_in_flight_still_arrive() {
        assertThat(film(crash(500, 1)).steps(2)).contains("hears hello from n1");
    }

    @Test
    void messages_to_it_are_lost() {
        var recordedSimulation = film(crash(500, 2));
        assertThat(recordedSimulation.fates()).containsExactly(TraceEvent.Fate.RECEIVER_DOWN);
        assertThat(recordedSimulation.runResult().messages()).isEqualTo(1);
    }

    @Test
    void a_message_in_flight_reaches_a_node_that_is_back_in_time() {
        assertThat(film(crash(500, 2), restart(900, 2)).timedSteps(2))
                .containsExactly(
                        "0 starts FIRST", "900 starts WITH_MEMORY", "1000 hears hello from n1", "1900 rings ONE");
    }

    @Test
    void what_arrived_while_it_was_down_does_not_come_later() {
        assertThat(film(crash(500, 2), restart(5_000, 2)).steps(2)).doesNotContain("hears hello from n1");
    }

    @Test
    void alarms_from_before_the_crash_never_ring_after_it() {
        var silent = ScriptedProtocol.election((step, event) -> event instanceof Event.Campaign
                ? step.setTimer(Timer.ONE, MILLI).setTimer(Timer.TWO, MILLI.multipliedBy(2))
                : step);
        var world = withFaults(plainWorld(1).withWorkload(once(1)), crash(500, 1), restart(600, 1));
        assertThat(RecordedSimulation.of(silent, world).steps(1))
                .containsExactly("starts FIRST", "campaigns", "starts WITH_MEMORY");
    }

    @Test
    void an_alarm_that_is_set_again_rings_only_when_it_was_set_to() {
        assertThat(film(crash(500, 1), restart(600, 1)).timedSteps(1))
                .containsExactly("0 starts FIRST", "0 campaigns", "600 starts WITH_MEMORY", "1600 rings ONE");
    }

    @Test
    void a_restart_with_memory_gets_what_the_memory_of_the_last_state_said() {
        var recordedSimulation = film(crash(1_500, 1), restart(2_000, 1), crash(3_500, 1), restart(4_000, 1));
        assertThat(stepsOnComingUp(recordedSimulation, 1)).containsExactly(0, 2, 3);
    }

    @Test
    void a_restart_with_amnesia_starts_anew() {
        var amnesia = at(2_000, new Fault.Restart(n(1), true));
        var recordedSimulation = film(crash(1_500, 1), amnesia, crash(3_500, 1), restart(4_000, 1));
        assertThat(recordedSimulation.steps(1)).contains("starts WITH_AMNESIA", "starts WITH_MEMORY");
        assertThat(stepsOnComingUp(recordedSimulation, 1)).containsExactly(0, 0, 1);
    }

    @Test
    void an_algorithm_without_a_disk_always_starts_anew() {
        var world = withFaults(plainWorld(2), crash(1, 1), restart(2, 1));
        var recordedSimulation = RecordedSimulation.of(new RicartAgrawala(false, List.of()), world);
        assertThat(recordedSimulation.steps(1)).containsExactly("starts FIRST", "starts WITH_AMNESIA");
    }

    @Test
    void crashing_what_is_down_and_restarting_what_is_up_does_nothing() {
        var once = film(crash(1_500, 1), restart(2_000, 1));
        var twice = film(restart(100, 1), crash(1_500, 1), crash(1_600, 1), restart(2_000, 1), restart(2_100, 1));
        assertThat(twice.timedSteps(1)).isEqualTo(once.timedSteps(1));
        assertThat(twice.observed()).isEqualTo(once.observed());
    }

    @Test
    void a_crash_at_the_start_comes_before_the_calls_of_that_time() {
        assertThat(film(crash(0, 1)).steps(2)).containsExactly("starts FIRST", "rings ONE");
    }

    private static final ScriptedProtocol GRANTING = ScriptedProtocol.mutex(
            (step, event) -> event instanceof Event.Acquire && step.state().is(1)
                    ? step.grant(step.state().steps())
                    : step);

    private static World locking(Fault.PlannedFault... faults) {
        return withFaults(plainWorld(2).withWorkload(once(1, 2).withEntries(3)), faults);
    }

    @Test
    void who_crashes_inside_is_out_and_does_not_leave_again() {
        var recordedSimulation = RecordedSimulation.of(GRANTING, locking(crash(500, 1)));
        assertThat(recordedSimulation.observed()).contains(new ObservableEvent.Crashed(n(1), false));
        assertThat(recordedSimulation.times(ObservableEvent.Exited.class)).isEmpty();
        assertThat(recordedSimulation.timedSteps(1)).containsExactly("0 starts FIRST", "0 acquires");
    }

    @Test
    void who_crashes_while_it_waits_is_said_to_have_asked_and_waits_no_more() {
        var recordedSimulation = RecordedSimulation.of(GRANTING, locking(crash(500, 2)));
        assertThat(recordedSimulation.observed()).contains(new ObservableEvent.Crashed(n(2), true));
        assertThat(recordedSimulation.runResult().waiters()).isEmpty();
        assertThat(RecordedSimulation.of(GRANTING, locking()).runResult().waiters())
                .extracting(RunResult.Waiter::node)
                .containsExactly(n(2));
    }

    @Test
    void who_comes_back_does_not_ask_when_it_would_have_left() {
        var patient = once(1).withEntries(2).withThinkTime(Duration.ofHours(1));
        var recordedSimulation = RecordedSimulation.of(
                GRANTING, locking(crash(500, 1), restart(600, 1)).withWorkload(patient));
        assertThat(recordedSimulation.times(ObservableEvent.Requested.class).getLast())
                .isGreaterThan(1_000);
    }

    @Test
    void who_comes_back_asks_as_often_as_it_still_wanted_to() {
        var recordedSimulation = RecordedSimulation.of(GRANTING, locking(crash(500, 1), restart(10_000, 1)));
        assertThat(recordedSimulation.times(ObservableEvent.Entered.class)).containsExactly(0L, 10_000L, 11_000L);
    }

    @Test
    void a_leader_that_crashes_is_disowned_by_itself_first() {
        var leading = ScriptedProtocol.election(
                (step, event) -> step.elected(step.state().self(), 1));
        var recordedSimulation = RecordedSimulation.of(
                leading, withFaults(plainWorld(1).withWorkload(once(1)), crash(500, 1), crash(600, 1)));
        assertThat(recordedSimulation
                        .observed()
                        .subList(1, recordedSimulation.observed().size()))
                .containsExactly(
                        new ObservableEvent.LeaderAnnounced(n(1), n(1), 1),
                        new ObservableEvent.LeaderDropped(n(1), n(1)),
                        new ObservableEvent.Crashed(n(1), true));
    }

    @Test
    void a_call_upon_a_node_that_is_down_is_not_heard() {
        var world = withFaults(plainWorld(2), crash(500, 1), restart(2_000, 1))
                .withWorkload(once().withRequests(List.of(request(1, 1_000), request(1, 3_000))));
        assertThat(RecordedSimulation.of(PUPPET, world).times(ObservableEvent.Requested.class))
                .containsExactly(3_000L);
    }
}
