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

/** A paused node stands still, and then catches up. */
class PauseTest {

    /** When n1 campaigns it tells n2 how many steps it has made; everybody rings soon after coming up. */
    private static final ScriptedProtocol PUPPET = ScriptedProtocol.election(
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
    void everything_that_happens_to_it_waits_and_then_comes_at_once_in_order() {
        var recordedSimulation = RecordedSimulation.of(PUPPET, world(pause(200), resume(3_000)));
        assertThat(recordedSimulation.timedSteps(2))
                .containsExactly(
                        "0 starts FIRST",
                        "3000 rings ONE",
                        "3000 campaigns",
                        "3000 hears 1 from n1",
                        "3000 hears 2 from n1",
                        "5000 hears 4 from n1");
    }

    @Test
    void nothing_is_lost_that_waits() {
        var recordedSimulation = RecordedSimulation.of(PUPPET, world(pause(200), resume(3_000)));
        assertThat(recordedSimulation.fates()).isEmpty();
        assertThat(recordedSimulation.steps(2))
                .containsExactlyInAnyOrderElementsOf(
                        RecordedSimulation.of(PUPPET, world()).steps(2));
    }

    @Test
    void what_waited_comes_before_what_arrives_at_the_moment_it_goes_on() {
        var recordedSimulation = RecordedSimulation.of(PUPPET, world(pause(200), resume(5_000)));
        assertThat(recordedSimulation.steps(2)).endsWith("hears 1 from n1", "hears 2 from n1", "hears 4 from n1");
    }

    @Test
    void others_go_on_meanwhile() {
        assertThat(RecordedSimulation.of(PUPPET, world(pause(200), resume(3_000)))
                        .timedSteps(1))
                .isEqualTo(RecordedSimulation.of(PUPPET, world()).timedSteps(1));
    }

    @Test
    void an_alarm_that_ran_out_meanwhile_is_silent_if_something_before_it_calms_it() {
        var calming = ScriptedProtocol.election(
                step -> step.setTimer(Timer.ONE, Duration.ofMillis(2)), (step, event) -> switch (event) {
                    case Event.Campaign<ScriptedProtocol.Message>() -> step.send(n(2), message("calm down"));
                    case Event.Received<ScriptedProtocol.Message> received -> step.cancelTimer(Timer.ONE);
                    default -> step;
                });
        var world = withFaults(plainWorld(3).withWorkload(once(1)), pause(200), resume(3_000));
        assertThat(RecordedSimulation.of(calming, world).steps(2))
                .containsExactly("starts FIRST", "hears calm down from n1");
    }

    @Test
    void an_urgent_alarm_that_ran_out_meanwhile_comes_before_all_that_waits() {
        var urgent = ScriptedProtocol.election(
                step -> step.setTimer(Timer.ONE, Duration.ofMillis(1)).setTimer(Timer.URGENT, Duration.ofMillis(2)),
                (step, event) -> event instanceof Event.Campaign ? step.send(n(2), message("in time")) : step);
        var world = withFaults(plainWorld(3).withWorkload(once(1)), pause(200), resume(3_000));
        assertThat(RecordedSimulation.of(urgent, world).steps(2))
                .containsExactly("starts FIRST", "rings URGENT", "rings ONE", "hears in time from n1");
    }

    @Test
    void an_urgent_alarm_that_has_not_run_out_yet_does_not_come() {
        var urgent = ScriptedProtocol.election(
                step -> step.setTimer(Timer.URGENT, Duration.ofMillis(4)),
                (step, event) -> event instanceof Event.Campaign ? step.send(n(2), message("in time")) : step);
        var world = withFaults(plainWorld(3).withWorkload(once(1)), pause(200), resume(3_000));
        assertThat(RecordedSimulation.of(urgent, world).steps(2))
                .containsExactly("starts FIRST", "hears in time from n1", "rings URGENT");
    }

    @Test
    void who_is_never_resumed_never_moves_again() {
        var recordedSimulation = RecordedSimulation.of(PUPPET, world(pause(200)));
        assertThat(recordedSimulation.timedSteps(2)).containsExactly("0 starts FIRST");
        assertThat(recordedSimulation.runResult().end()).isEqualTo(RunResult.End.REST);
    }

    @Test
    void pausing_twice_is_pausing_once_and_resuming_who_runs_does_nothing() {
        var once = RecordedSimulation.of(PUPPET, world(pause(200), resume(3_000)));
        var twice =
                RecordedSimulation.of(PUPPET, world(resume(100), pause(200), pause(300), resume(3_000), resume(3_100)));
        assertThat(twice.timedSteps(2)).isEqualTo(once.timedSteps(2));
        assertThat(twice.times(ObservableEvent.Paused.class)).containsExactly(200L);
        assertThat(twice.times(ObservableEvent.Resumed.class)).containsExactly(3_000L);
    }

    @Test
    void healing_resumes_it() {
        var recordedSimulation = RecordedSimulation.of(PUPPET, world(pause(200), at(3_000, new Fault.Heal())));
        assertThat(recordedSimulation.timedSteps(2))
                .isEqualTo(RecordedSimulation.of(PUPPET, world(pause(200), resume(3_000)))
                        .timedSteps(2));
        assertThat(recordedSimulation.times(ObservableEvent.Resumed.class)).containsExactly(3_000L);
    }

    @Test
    void who_crashes_while_it_stands_still_loses_what_waited() {
        var crash = at(2_000, new Fault.Crash(n(2)));
        var restart = at(3_000, new Fault.Restart(n(2), false));
        var recordedSimulation = RecordedSimulation.of(
                PUPPET, world(pause(200), crash, restart, resume(3_100), pause(3_200), resume(3_300)));
        assertThat(recordedSimulation.timedSteps(2))
                .containsExactly("0 starts FIRST", "3000 starts WITH_MEMORY", "3500 rings ONE", "5000 hears 4 from n1");
    }

    @Test
    void messages_that_waited_for_one_who_crashed_are_written_down_as_lost() {
        var recordedSimulation = RecordedSimulation.of(PUPPET, world(pause(200), at(2_000, new Fault.Crash(n(2)))));
        assertThat(recordedSimulation.fates()).hasSize(3).containsOnly(TraceEvent.Fate.RECEIVER_DOWN);
    }

    @Test
    void nobody_suspects_who_only_stands_still() {
        var world = world(pause(200), resume(300_000)).withDetector(new DetectorModel.Oracle(Duration.ofMillis(5)));
        var recordedSimulation = RecordedSimulation.of(PUPPET, world);
        assertThat(recordedSimulation.steps(1)).noneMatch(line -> line.startsWith("suspects"));
        assertThat(recordedSimulation.steps(3)).noneMatch(line -> line.startsWith("suspects"));
    }

    @Test
    void news_of_a_crash_wait_too_unless_it_is_over_by_then() {
        var crash = at(500, new Fault.Crash(n(3)));
        var watched =
                world(pause(200), resume(9_000), crash).withDetector(new DetectorModel.Oracle(Duration.ofMillis(1)));
        assertThat(RecordedSimulation.of(PUPPET, watched).timedSteps(2)).contains("9000 suspects n3");
        assertThat(RecordedSimulation.of(PUPPET, watched).timedSteps(1)).contains("1500 suspects n3");
        var back = withFaults(watched, at(8_000, new Fault.Restart(n(3), false)));
        assertThat(RecordedSimulation.of(PUPPET, back).steps(2)).noneMatch(line -> line.startsWith("suspects"));
    }
}
