package habemus.simulate;

import static habemus.simulate.Film.n;
import static habemus.simulate.Film.once;
import static habemus.simulate.Film.plainWorld;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.Event;
import habemus.protocol.Step;
import habemus.simulate.Puppet.Bell;
import habemus.simulate.Puppet.Note;
import habemus.simulate.Puppet.State;
import habemus.world.World;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Alarms ring when they were set to, unless they were calmed or moved. */
class AlarmClockTest {

    private static final World WORLD = plainWorld(2).wanting(once(1));

    private static Duration micros(long micros) {
        return Duration.ofNanos(micros * 1_000);
    }

    private interface Setting {
        Step<State, Note> set(Step<State, Note> step);
    }

    private static List<String> story(Setting setting) {
        var puppet = Puppet.electing((step, event) -> event instanceof Event.Campaign ? setting.set(step) : step);
        var story = Film.of(puppet, WORLD).story(1);
        return story.subList(2, story.size());
    }

    @Test
    void an_alarm_rings_once_after_its_time() {
        assertThat(story(step -> step.wake(Bell.ONE, micros(70)))).containsExactly("70 rings ONE");
        assertThat(story(step -> step.wake(Bell.ONE, Duration.ZERO))).containsExactly("0 rings ONE");
        assertThat(story(step -> step.wake(Bell.ONE, Duration.ofHours(2)))).containsExactly("7200000000 rings ONE");
    }

    @Test
    void a_calmed_alarm_does_not_ring() {
        assertThat(story(step -> step.wake(Bell.ONE, micros(70)).calm(Bell.ONE)))
                .isEmpty();
        assertThat(story(step -> step.calm(Bell.ONE).wake(Bell.ONE, micros(70))))
                .containsExactly("70 rings ONE");
    }

    @Test
    void setting_an_alarm_again_moves_it_later_or_earlier() {
        assertThat(story(step -> step.wake(Bell.ONE, micros(70)).wake(Bell.ONE, micros(90))))
                .containsExactly("90 rings ONE");
        assertThat(story(step -> step.wake(Bell.ONE, micros(70)).wake(Bell.ONE, micros(50))))
                .containsExactly("50 rings ONE");
        assertThat(story(step -> step.wake(Bell.ONE, micros(70)).wake(Bell.ONE, micros(70))))
                .containsExactly("70 rings ONE");
    }

    @Test
    void alarms_do_not_disturb_each_other() {
        assertThat(story(step -> step.wake(Bell.ONE, micros(70))
                        .wake(Bell.TWO, micros(60))
                        .calm(Bell.TWO)
                        .wake(Bell.TWO, micros(80))))
                .containsExactly("70 rings ONE", "80 rings TWO");
    }

    @Test
    void an_alarm_that_rang_can_be_set_again() {
        var puppet =
                Puppet.electing((step, event) -> step.state().steps() < 4 ? step.wake(Bell.ONE, micros(10)) : step);
        assertThat(Film.of(puppet, WORLD).story(1)).endsWith("10 rings ONE", "20 rings ONE", "30 rings ONE");
    }

    @Test
    void between_its_bounds_an_alarm_rings_at_any_time() {
        var puppet = Puppet.electing(
                (step, event) -> event instanceof Event.Campaign ? step.wake(Bell.ONE, micros(10), micros(13)) : step);
        var times = LongStream.range(0, 200)
                .mapToObj(seed -> Film.of(puppet, WORLD, seed).story(1).getLast())
                .distinct();
        assertThat(times).containsExactlyInAnyOrder("10 rings ONE", "11 rings ONE", "12 rings ONE", "13 rings ONE");
    }

    @Test
    void each_node_has_alarms_of_its_own() {
        var puppet = Puppet.electing((step, event) -> switch (event) {
            case Event.Campaign<Note>() when step.state().is(1) -> step.wake(Bell.ONE, micros(70));
            case Event.Campaign<Note>() -> step.calm(Bell.ONE);
            default -> step;
        });
        assertThat(Film.of(puppet, WORLD.wanting(once(1, 2))).plot(n(1).number()))
                .endsWith("rings ONE");
    }

    /** Calmed alarms and given up plans can no longer happen. */
    @Test
    void a_calmed_alarm_does_not_keep_a_run_from_coming_to_rest() {
        var puppet = Puppet.electing((step, event) -> event instanceof Event.Campaign
                ? step.wake(Bell.ONE, Duration.ofSeconds(5)).calm(Bell.ONE)
                : step);
        var limits = Limits.AMPLE.time(Duration.ofSeconds(1));
        assertThat(Film.of(puppet, WORLD, 1, limits).outcome().end()).isEqualTo(Outcome.End.REST);
    }
}
