package habemus.simulate;

import static habemus.simulate.RecordedSimulation.n;
import static habemus.simulate.RecordedSimulation.once;
import static habemus.simulate.RecordedSimulation.plainWorld;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.Event;
import habemus.protocol.Step;
import habemus.simulate.ScriptedProtocol.Message;
import habemus.simulate.ScriptedProtocol.State;
import habemus.simulate.ScriptedProtocol.Timer;
import habemus.world.World;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Timers fire at their time unless they are cancelled or reset. */
class TimerTest {

    private static final World WORLD = plainWorld(2).withWorkload(once(1));

    private static Duration micros(long micros) {
        return Duration.ofNanos(micros * 1_000);
    }

    private interface TimerScript {
        Step<State, Message> set(Step<State, Message> step);
    }

    private static List<String> timedSteps(TimerScript timerScript) {
        var protocol = ScriptedProtocol.election(
                (step, event) -> event instanceof Event.Campaign ? timerScript.set(step) : step);
        var timedSteps = RecordedSimulation.of(protocol, WORLD).timedSteps(1);
        return timedSteps.subList(2, timedSteps.size());
    }

    @Test
    void a_timer_fires_once_after_its_time() {
        assertThat(timedSteps(step -> step.setTimer(Timer.ONE, micros(70)))).containsExactly("70 timeout ONE");
        assertThat(timedSteps(step -> step.setTimer(Timer.ONE, Duration.ZERO))).containsExactly("0 timeout ONE");
        assertThat(timedSteps(step -> step.setTimer(Timer.ONE, Duration.ofHours(2))))
                .containsExactly("7200000000 timeout ONE");
    }

    @Test
    void a_cancelled_timer_does_not_fire() {
        assertThat(timedSteps(step -> step.setTimer(Timer.ONE, micros(70)).cancelTimer(Timer.ONE)))
                .isEmpty();
        assertThat(timedSteps(step -> step.cancelTimer(Timer.ONE).setTimer(Timer.ONE, micros(70))))
                .containsExactly("70 timeout ONE");
    }

    @Test
    void setting_a_timer_again_replaces_its_time() {
        assertThat(timedSteps(step -> step.setTimer(Timer.ONE, micros(70)).setTimer(Timer.ONE, micros(90))))
                .containsExactly("90 timeout ONE");
        assertThat(timedSteps(step -> step.setTimer(Timer.ONE, micros(70)).setTimer(Timer.ONE, micros(50))))
                .containsExactly("50 timeout ONE");
        assertThat(timedSteps(step -> step.setTimer(Timer.ONE, micros(70)).setTimer(Timer.ONE, micros(70))))
                .containsExactly("70 timeout ONE");
    }

    @Test
    void timers_are_independent() {
        assertThat(timedSteps(step -> step.setTimer(Timer.ONE, micros(70))
                        .setTimer(Timer.TWO, micros(60))
                        .cancelTimer(Timer.TWO)
                        .setTimer(Timer.TWO, micros(80))))
                .containsExactly("70 timeout ONE", "80 timeout TWO");
    }

    @Test
    void a_timer_that_fired_can_be_set_again() {
        var protocol = ScriptedProtocol.election(
                (step, event) -> step.state().steps() < 4 ? step.setTimer(Timer.ONE, micros(10)) : step);
        assertThat(RecordedSimulation.of(protocol, WORLD).timedSteps(1))
                .endsWith("10 timeout ONE", "20 timeout ONE", "30 timeout ONE");
    }

    @Test
    void a_timer_fires_at_any_time_between_its_bounds() {
        var protocol = ScriptedProtocol.election((step, event) ->
                event instanceof Event.Campaign ? step.setTimer(Timer.ONE, micros(10), micros(13)) : step);
        var times = LongStream.range(0, 200)
                .mapToObj(seed -> RecordedSimulation.of(protocol, WORLD, seed)
                        .timedSteps(1)
                        .getLast())
                .distinct();
        assertThat(times)
                .containsExactlyInAnyOrder("10 timeout ONE", "11 timeout ONE", "12 timeout ONE", "13 timeout ONE");
    }

    @Test
    void timers_of_different_nodes_are_independent() {
        var protocol = ScriptedProtocol.election((step, event) -> switch (event) {
            case Event.Campaign<Message>() when step.state().is(1) -> step.setTimer(Timer.ONE, micros(70));
            case Event.Campaign<Message>() -> step.cancelTimer(Timer.ONE);
            default -> step;
        });
        assertThat(RecordedSimulation.of(protocol, WORLD.withWorkload(once(1, 2)))
                        .steps(n(1).number()))
                .endsWith("timeout ONE");
    }

    /** A cancelled timer is no event. */
    @Test
    void a_cancelled_timer_does_not_keep_a_run_from_ending() {
        var protocol = ScriptedProtocol.election((step, event) -> event instanceof Event.Campaign
                ? step.setTimer(Timer.ONE, Duration.ofSeconds(5)).cancelTimer(Timer.ONE)
                : step);
        var limits = RunLimits.AMPLE.withMaxTime(Duration.ofSeconds(1));
        assertThat(RecordedSimulation.of(protocol, WORLD, 1, limits).result().end())
                .isEqualTo(RunResult.End.REST);
    }
}
