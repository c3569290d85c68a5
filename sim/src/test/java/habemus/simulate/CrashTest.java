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

/** Crashes and restarts of nodes. */
class CrashTest {

    private static final Duration MILLI = Duration.ofMillis(1);

    /** A candidate sends hello to n2; every node sets a timer of one millisecond when it starts. */
    private static final ScriptedProtocol PROTOCOL = ScriptedProtocol.election(
            step -> step.setTimer(Timer.ONE, MILLI),
            (step, event) -> event instanceof Event.Campaign ? step.send(n(2), message("hello")) : step);

    private static Fault.PlannedFault crash(long micros, int node) {
        return at(micros, new Fault.Crash(n(node)));
    }

    private static Fault.PlannedFault restart(long micros, int node) {
        return at(micros, new Fault.Restart(n(node), false));
    }

    private static RecordedSimulation run(Fault.PlannedFault... faults) {
        return RecordedSimulation.of(PROTOCOL, withFaults(plainWorld(2).withWorkload(once(1)), faults));
    }

    private static List<Integer> stepsAtStart(RecordedSimulation run, int node) {
        return run.all(TraceEvent.Started.class).stream()
                .filter(step -> step.node().equals(n(node)))
                .map(step -> ((ScriptedProtocol.State) step.state()).steps())
                .toList();
    }

    @Test
    void a_crashed_node_takes_no_step() {
        assertThat(run(crash(500, 2)).timedSteps(2)).containsExactly("0 starts FIRST");
        assertThat(run(crash(0, 1)).timedSteps(1)).containsExactly("0 starts FIRST");
    }

    @Test
    void messages_in_flight_from_a_crashed_node_are_delivered() {
        assertThat(run(crash(500, 1)).steps(2)).contains("receives hello from n1");
    }

    @Test
    void messages_to_a_crashed_node_are_dropped() {
        var run = run(crash(500, 2));
        assertThat(run.fates()).containsExactly(TraceEvent.Fate.RECEIVER_DOWN);
        assertThat(run.result().messages()).isEqualTo(1);
    }

    @Test
    void a_message_in_flight_reaches_a_node_that_restarts_before_it_arrives() {
        assertThat(run(crash(500, 2), restart(900, 2)).timedSteps(2))
                .containsExactly(
                        "0 starts FIRST", "900 starts WITH_MEMORY", "1000 receives hello from n1", "1900 timeout ONE");
    }

    @Test
    void messages_that_arrived_during_the_crash_are_not_delivered_later() {
        assertThat(run(crash(500, 2), restart(5_000, 2)).steps(2)).doesNotContain("receives hello from n1");
    }

    @Test
    void timers_set_before_a_crash_never_fire_after_it() {
        var timersOnCampaign = ScriptedProtocol.election((step, event) -> event instanceof Event.Campaign
                ? step.setTimer(Timer.ONE, MILLI).setTimer(Timer.TWO, MILLI.multipliedBy(2))
                : step);
        var world = withFaults(plainWorld(1).withWorkload(once(1)), crash(500, 1), restart(600, 1));
        assertThat(RecordedSimulation.of(timersOnCampaign, world).steps(1))
                .containsExactly("starts FIRST", "campaigns", "starts WITH_MEMORY");
    }

    @Test
    void a_timer_set_after_a_restart_fires_only_at_its_new_time() {
        assertThat(run(crash(500, 1), restart(600, 1)).timedSteps(1))
                .containsExactly("0 starts FIRST", "0 campaigns", "600 starts WITH_MEMORY", "1600 timeout ONE");
    }

    @Test
    void a_restart_with_memory_gets_the_durable_part_of_the_last_state() {
        var run = run(crash(1_500, 1), restart(2_000, 1), crash(3_500, 1), restart(4_000, 1));
        assertThat(stepsAtStart(run, 1)).containsExactly(0, 2, 3);
    }

    @Test
    void a_restart_with_amnesia_starts_from_the_initial_state() {
        var amnesia = at(2_000, new Fault.Restart(n(1), true));
        var run = run(crash(1_500, 1), amnesia, crash(3_500, 1), restart(4_000, 1));
        assertThat(run.steps(1)).contains("starts WITH_AMNESIA", "starts WITH_MEMORY");
        assertThat(stepsAtStart(run, 1)).containsExactly(0, 0, 1);
    }

    @Test
    void an_algorithm_without_durable_state_always_restarts_from_the_initial_state() {
        var world = withFaults(plainWorld(2), crash(1, 1), restart(2, 1));
        var run = RecordedSimulation.of(new RicartAgrawala(false, List.of()), world);
        assertThat(run.steps(1)).containsExactly("starts FIRST", "starts WITH_AMNESIA");
    }

    @Test
    void crashing_a_crashed_node_or_restarting_a_live_node_has_no_effect() {
        var once = run(crash(1_500, 1), restart(2_000, 1));
        var twice = run(restart(100, 1), crash(1_500, 1), crash(1_600, 1), restart(2_000, 1), restart(2_100, 1));
        assertThat(twice.timedSteps(1)).isEqualTo(once.timedSteps(1));
        assertThat(twice.observed()).isEqualTo(once.observed());
    }

    @Test
    void a_crash_comes_before_a_request_of_the_same_time() {
        assertThat(run(crash(0, 1)).steps(2)).containsExactly("starts FIRST", "timeout ONE");
    }

    private static final ScriptedProtocol GRANTING = ScriptedProtocol.mutex(
            (step, event) -> event instanceof Event.Acquire && step.state().is(1)
                    ? step.grant(step.state().steps())
                    : step);

    private static World locking(Fault.PlannedFault... faults) {
        return withFaults(plainWorld(2).withWorkload(once(1, 2).withEntries(3)), faults);
    }

    @Test
    void a_holder_that_crashes_has_no_exit_event() {
        var run = RecordedSimulation.of(GRANTING, locking(crash(500, 1)));
        assertThat(run.observed()).contains(new ObservableEvent.Crashed(n(1), false));
        assertThat(run.times(ObservableEvent.Exited.class)).isEmpty();
        assertThat(run.timedSteps(1)).containsExactly("0 starts FIRST", "0 acquires");
    }

    @Test
    void a_waiter_that_crashes_is_reported_as_requesting_and_waits_no_more() {
        var run = RecordedSimulation.of(GRANTING, locking(crash(500, 2)));
        assertThat(run.observed()).contains(new ObservableEvent.Crashed(n(2), true));
        assertThat(run.result().waiters()).isEmpty();
        assertThat(RecordedSimulation.of(GRANTING, locking()).result().waiters())
                .extracting(RunResult.Waiter::node)
                .containsExactly(n(2));
    }

    @Test
    void a_restarted_node_does_not_request_at_its_old_release_time() {
        var withLongThinkTime = once(1).withEntries(2).withThinkTime(Duration.ofHours(1));
        var run = RecordedSimulation.of(
                GRANTING, locking(crash(500, 1), restart(600, 1)).withWorkload(withLongThinkTime));
        assertThat(run.times(ObservableEvent.Requested.class).getLast()).isGreaterThan(1_000);
    }

    @Test
    void a_restarted_node_makes_its_remaining_requests() {
        var run = RecordedSimulation.of(GRANTING, locking(crash(500, 1), restart(10_000, 1)));
        assertThat(run.times(ObservableEvent.Entered.class)).containsExactly(0L, 10_000L, 11_000L);
    }

    @Test
    void a_leader_that_crashes_drops_itself_first() {
        var leading = ScriptedProtocol.election(
                (step, event) -> step.elected(step.state().self(), 1));
        var run = RecordedSimulation.of(
                leading, withFaults(plainWorld(1).withWorkload(once(1)), crash(500, 1), crash(600, 1)));
        assertThat(run.observed().subList(1, run.observed().size()))
                .containsExactly(
                        new ObservableEvent.LeaderAnnounced(n(1), n(1), 1),
                        new ObservableEvent.LeaderDropped(n(1), n(1)),
                        new ObservableEvent.Crashed(n(1), true));
    }

    @Test
    void a_request_of_a_crashed_node_is_skipped() {
        var world = withFaults(plainWorld(2), crash(500, 1), restart(2_000, 1))
                .withWorkload(once().withRequests(List.of(request(1, 1_000), request(1, 3_000))));
        assertThat(RecordedSimulation.of(PROTOCOL, world).times(ObservableEvent.Requested.class))
                .containsExactly(3_000L);
    }
}
