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

/** Alarms ring when they were set to, unless they were calmed or moved. */
class TimerTest {

    private static final World WORLD = plainWorld(2).withWorkload(once(1));

    private static Duration micros(long micros) {
        return Duration.ofNanos(micros * 1_000);
    }

    private interface TimerScript {
        Step<State, Message> set(Step<State, Message> step);
    }

    private static List<String> story(TimerScript timerScript) {
        var scriptedProtocol = ScriptedProtocol.election(
                (step, event) -> event instanceof Event.Campaign ? timerScript.set(step) : step);
        var story = RecordedSimulation.of(scriptedProtocol, WORLD).timedSteps(1);
        return story.subList(2, story.size());
    }

    @Test
    void an_alarm_rings_once_after_its_time() {
        assertThat(story(step -> step.setTimer(Timer.ONE, micros(70)))).containsExactly("70 rings ONE");
        assertThat(story(step -> step.setTimer(Timer.ONE, Duration.ZERO))).containsExactly("0 rings ONE");
        assertThat(story(step -> step.setTimer(Timer.ONE, Duration.ofHours(2))))
                .containsExactly("7200000000 rings ONE");
    }

    @Test
    void a_calmed_alarm_does_not_ring() {
        assertThat(story(step -> step.setTimer(Timer.ONE, micros(70)).cancelTimer(Timer.ONE)))
                .isEmpty();
        assertThat(story(step -> step.cancelTimer(Timer.ONE).setTimer(Timer.ONE, micros(70))))
                .containsExactly("70 rings ONE");
    }

    @Test
    void setting_an_alarm_again_moves_it_later_or_earlier() {
        assertThat(story(step -> step.setTimer(Timer.ONE, micros(70)).setTimer(Timer.ONE, micros(90))))
                .containsExactly("90 rings ONE");
        assertThat(story(step -> step.setTimer(Timer.ONE, micros(70)).setTimer(Timer.ONE, micros(50))))
                .containsExactly("50 rings ONE");
        assertThat(story(step -> step.setTimer(Timer.ONE, micros(70)).setTimer(Timer.ONE, micros(70))))
                .containsExactly("70 rings ONE");
    }

    @Test
    void alarms_do_not_disturb_each_other() {
        assertThat(story(step -> step.setTimer(Timer.ONE, micros(70))
                        .setTimer(Timer.TWO, micros(60))
                        .cancelTimer(Timer.TWO)
                        .setTimer(Timer.TWO, micros(80))))
                .containsExactly("70 rings ONE", "80 rings TWO");
    }

    @Test
    void an_alarm_that_rang_can_be_set_again() {
        var scriptedProtocol = ScriptedProtocol.election(
                (step, event) -> step.state().steps() < 4 ? step.setTimer(Timer.ONE, micros(10)) : step);
        assertThat(RecordedSimulation.of(scriptedProtocol, WORLD).timedSteps(1))
                .endsWith("10 rings ONE", "20 rings ONE", "30 rings ONE");
    }

    @Test
    void between_its_bounds_an_alarm_rings_at_any_time() {
        var scriptedProtocol = ScriptedProtocol.election((step, event) ->
                event instanceof Event.Campaign ? step.setTimer(Timer.ONE, micros(10), micros(13)) : step);
        var times = LongStream.range(0, 200)
                .mapToObj(seed -> RecordedSimulation.of(scriptedProtocol, WORLD, seed)
                        .timedSteps(1)
                        .getLast())
                .distinct();
        assertThat(times).containsExactlyInAnyOrder("10 rings ONE", "11 rings ONE", "12 rings ONE", "13 rings ONE");
    }

    @Test
    void each_node_has_alarms_of_its_own() {
        var scriptedProtocol = ScriptedProtocol.election((step, event) -> switch (event) {
            case Event.Campaign<Message>() when step.state().is(1) -> step.setTimer(Timer.ONE, micros(70));
            case Event.Campaign<Message>() -> step.cancelTimer(Timer.ONE);
            default -> step;
        });
        assertThat(RecordedSimulation.of(scriptedProtocol, WORLD.withWorkload(once(1, 2)))
                        .steps(n(1).number()))
                .endsWith("rings ONE");
    }

    /** Calmed alarms and given up plans can no longer happen. */
    @Test
    void a_calmed_alarm_does_not_keep_a_run_from_coming_to_rest() {
        var scriptedProtocol = ScriptedProtocol.election((step, event) -> event instanceof Event.Campaign
                ? step.setTimer(Timer.ONE, Duration.ofSeconds(5)).cancelTimer(Timer.ONE)
                : step);
        var runLimits = RunLimits.AMPLE.withMaxTime(Duration.ofSeconds(1));
        assertThat(RecordedSimulation.of(scriptedProtocol, WORLD, 1, runLimits)
                        .runResult()
                        .end())
                .isEqualTo(RunResult.End.REST);
    }
}
