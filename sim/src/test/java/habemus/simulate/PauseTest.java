package habemus.simulate;

import static habemus.simulate.RecordedSimulation.at;
import static habemus.simulate.RecordedSimulation.n;
import static habemus.simulate.RecordedSimulation.once;
import static habemus.simulate.RecordedSimulation.plainWorld;
import static habemus.simulate.RecordedSimulation.request;
import static habemus.simulate.RecordedSimulation.withFaults;
import static habemus.simulate.ScriptedProtocol.message;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.Event;
import habemus.simulate.ScriptedProtocol.Timer;
import habemus.world.DetectorModel;
import habemus.world.Fault;
import habemus.world.ObservableEvent;
import habemus.world.TraceEvent;
import habemus.world.World;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pauses of nodes and the events that are held until they resume. */
class PauseTest {

    /** When n1 campaigns, it sends its number of steps to n2; every node sets a timer when it starts. */
    private static final ScriptedProtocol PROTOCOL = ScriptedProtocol.election(
            step -> step.setTimer(Timer.ONE, Duration.ofNanos(500_000)),
            (step, event) -> event instanceof Event.Campaign && step.state().is(1)
                    ? step.send(n(2), message("" + step.state().steps()))
                    : step);

    private static Fault.PlannedFault pause(long micros) {
        return at(micros, new Fault.Pause(n(2)));
    }

    private static Fault.PlannedFault resume(long micros) {
        return at(micros, new Fault.Resume(n(2)));
    }

    private static World world(Fault.PlannedFault... faults) {
        var requests = List.of(request(1, 0), request(1, 100), request(1, 4_000), request(2, 700));
        return withFaults(plainWorld(3).withWorkload(once().withRequests(requests)), faults);
    }

    @Test
    void events_of_a_paused_node_are_held_and_handled_in_order_on_resume() {
        var run = RecordedSimulation.of(PROTOCOL, world(pause(200), resume(3_000)));
        assertThat(run.timedSteps(2))
                .containsExactly(
                        "0 starts FIRST",
                        "3000 timeout ONE",
                        "3000 campaigns",
                        "3000 receives 1 from n1",
                        "3000 receives 2 from n1",
                        "5000 receives 4 from n1");
    }

    @Test
    void held_events_are_not_lost() {
        var run = RecordedSimulation.of(PROTOCOL, world(pause(200), resume(3_000)));
        assertThat(run.fates()).isEmpty();
        assertThat(run.steps(2))
                .containsExactlyInAnyOrderElementsOf(
                        RecordedSimulation.of(PROTOCOL, world()).steps(2));
    }

    @Test
    void held_events_come_before_events_at_the_time_of_the_resume() {
        var run = RecordedSimulation.of(PROTOCOL, world(pause(200), resume(5_000)));
        assertThat(run.steps(2)).endsWith("receives 1 from n1", "receives 2 from n1", "receives 4 from n1");
    }

    @Test
    void other_nodes_continue_during_a_pause() {
        assertThat(RecordedSimulation.of(PROTOCOL, world(pause(200), resume(3_000)))
                        .timedSteps(1))
                .isEqualTo(RecordedSimulation.of(PROTOCOL, world()).timedSteps(1));
    }

    @Test
    void a_held_timeout_does_not_fire_if_an_earlier_held_event_cancels_its_timer() {
        var cancelling = ScriptedProtocol.election(
                step -> step.setTimer(Timer.ONE, Duration.ofMillis(2)), (step, event) -> switch (event) {
                    case Event.Campaign<ScriptedProtocol.Message>() -> step.send(n(2), message("cancel"));
                    case Event.Received<ScriptedProtocol.Message> received -> step.cancelTimer(Timer.ONE);
                    default -> step;
                });
        var world = withFaults(plainWorld(3).withWorkload(once(1)), pause(200), resume(3_000));
        assertThat(RecordedSimulation.of(cancelling, world).steps(2))
                .containsExactly("starts FIRST", "receives cancel from n1");
    }

    @Test
    void a_held_urgent_timeout_comes_before_all_other_held_events() {
        var urgent = ScriptedProtocol.election(
                step -> step.setTimer(Timer.ONE, Duration.ofMillis(1)).setTimer(Timer.URGENT, Duration.ofMillis(2)),
                (step, event) -> event instanceof Event.Campaign ? step.send(n(2), message("in time")) : step);
        var world = withFaults(plainWorld(3).withWorkload(once(1)), pause(200), resume(3_000));
        assertThat(RecordedSimulation.of(urgent, world).steps(2))
                .containsExactly("starts FIRST", "timeout URGENT", "timeout ONE", "receives in time from n1");
    }

    @Test
    void an_urgent_timer_that_has_not_expired_does_not_fire_on_resume() {
        var urgent = ScriptedProtocol.election(
                step -> step.setTimer(Timer.URGENT, Duration.ofMillis(4)),
                (step, event) -> event instanceof Event.Campaign ? step.send(n(2), message("in time")) : step);
        var world = withFaults(plainWorld(3).withWorkload(once(1)), pause(200), resume(3_000));
        assertThat(RecordedSimulation.of(urgent, world).steps(2))
                .containsExactly("starts FIRST", "receives in time from n1", "timeout URGENT");
    }

    @Test
    void a_node_that_never_resumes_takes_no_more_steps() {
        var run = RecordedSimulation.of(PROTOCOL, world(pause(200)));
        assertThat(run.timedSteps(2)).containsExactly("0 starts FIRST");
        assertThat(run.result().end()).isEqualTo(RunResult.End.REST);
    }

    @Test
    void pausing_a_paused_node_or_resuming_a_running_node_has_no_effect() {
        var once = RecordedSimulation.of(PROTOCOL, world(pause(200), resume(3_000)));
        var twice = RecordedSimulation.of(
                PROTOCOL, world(resume(100), pause(200), pause(300), resume(3_000), resume(3_100)));
        assertThat(twice.timedSteps(2)).isEqualTo(once.timedSteps(2));
        assertThat(twice.times(ObservableEvent.Paused.class)).containsExactly(200L);
        assertThat(twice.times(ObservableEvent.Resumed.class)).containsExactly(3_000L);
    }

    @Test
    void a_heal_resumes_paused_nodes() {
        var run = RecordedSimulation.of(PROTOCOL, world(pause(200), at(3_000, new Fault.Heal())));
        assertThat(run.timedSteps(2))
                .isEqualTo(RecordedSimulation.of(PROTOCOL, world(pause(200), resume(3_000)))
                        .timedSteps(2));
        assertThat(run.times(ObservableEvent.Resumed.class)).containsExactly(3_000L);
    }

    @Test
    void a_paused_node_that_crashes_loses_its_held_events() {
        var crash = at(2_000, new Fault.Crash(n(2)));
        var restart = at(3_000, new Fault.Restart(n(2), false));
        var run = RecordedSimulation.of(
                PROTOCOL, world(pause(200), crash, restart, resume(3_100), pause(3_200), resume(3_300)));
        assertThat(run.timedSteps(2))
                .containsExactly(
                        "0 starts FIRST", "3000 starts WITH_MEMORY", "3500 timeout ONE", "5000 receives 4 from n1");
    }

    @Test
    void held_messages_of_a_crashed_node_are_traced_as_dropped() {
        var run = RecordedSimulation.of(PROTOCOL, world(pause(200), at(2_000, new Fault.Crash(n(2)))));
        assertThat(run.fates()).hasSize(3).containsOnly(TraceEvent.Fate.RECEIVER_DOWN);
    }

    @Test
    void a_paused_node_is_not_suspected() {
        var world = world(pause(200), resume(300_000)).withDetector(new DetectorModel.Oracle(Duration.ofMillis(5)));
        var run = RecordedSimulation.of(PROTOCOL, world);
        assertThat(run.steps(1)).noneMatch(step -> step.startsWith("suspects"));
        assertThat(run.steps(3)).noneMatch(step -> step.startsWith("suspects"));
    }

    @Test
    void a_crash_notice_is_held_and_ignored_if_the_crash_is_over_on_resume() {
        var crash = at(500, new Fault.Crash(n(3)));
        var watched =
                world(pause(200), resume(9_000), crash).withDetector(new DetectorModel.Oracle(Duration.ofMillis(1)));
        assertThat(RecordedSimulation.of(PROTOCOL, watched).timedSteps(2)).contains("9000 suspects n3");
        assertThat(RecordedSimulation.of(PROTOCOL, watched).timedSteps(1)).contains("1500 suspects n3");
        var back = withFaults(watched, at(8_000, new Fault.Restart(n(3), false)));
        assertThat(RecordedSimulation.of(PROTOCOL, back).steps(2)).noneMatch(step -> step.startsWith("suspects"));
    }
}
