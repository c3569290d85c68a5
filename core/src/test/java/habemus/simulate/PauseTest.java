package habemus.simulate;

import static habemus.simulate.Film.at;
import static habemus.simulate.Film.call;
import static habemus.simulate.Film.n;
import static habemus.simulate.Film.once;
import static habemus.simulate.Film.plainWorld;
import static habemus.simulate.Film.struck;
import static habemus.simulate.Puppet.note;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.Event;
import habemus.simulate.Puppet.Bell;
import habemus.world.Detector;
import habemus.world.Fault;
import habemus.world.Happening;
import habemus.world.TraceLine;
import habemus.world.World;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A paused node stands still, and then catches up. */
class PauseTest {

    /** When n1 campaigns it tells n2 how many steps it has made; everybody rings soon after coming up. */
    private static final Puppet PUPPET = Puppet.electing(
            step -> step.wake(Bell.ONE, Duration.ofNanos(500_000)),
            (step, event) -> event instanceof Event.Campaign && step.state().is(1)
                    ? step.send(n(2), note("" + step.state().steps()))
                    : step);

    private static Fault.Planned pause(long micros) {
        return at(micros, new Fault.Pause(n(2)));
    }

    private static Fault.Planned resume(long micros) {
        return at(micros, new Fault.Resume(n(2)));
    }

    private static World world(Fault.Planned... faults) {
        var calls = List.of(call(1, 0), call(1, 100), call(1, 4_000), call(2, 700));
        return struck(plainWorld(3).wanting(once().calling(calls)), faults);
    }

    @Test
    void everything_that_happens_to_it_waits_and_then_comes_at_once_in_order() {
        var film = Film.of(PUPPET, world(pause(200), resume(3_000)));
        assertThat(film.story(2))
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
        var film = Film.of(PUPPET, world(pause(200), resume(3_000)));
        assertThat(film.fates()).isEmpty();
        assertThat(film.plot(2))
                .containsExactlyInAnyOrderElementsOf(Film.of(PUPPET, world()).plot(2));
    }

    @Test
    void what_waited_comes_before_what_arrives_at_the_moment_it_goes_on() {
        var film = Film.of(PUPPET, world(pause(200), resume(5_000)));
        assertThat(film.plot(2)).endsWith("hears 1 from n1", "hears 2 from n1", "hears 4 from n1");
    }

    @Test
    void others_go_on_meanwhile() {
        assertThat(Film.of(PUPPET, world(pause(200), resume(3_000))).story(1))
                .isEqualTo(Film.of(PUPPET, world()).story(1));
    }

    @Test
    void an_alarm_that_ran_out_meanwhile_is_silent_if_something_before_it_calms_it() {
        var calming =
                Puppet.electing(step -> step.wake(Bell.ONE, Duration.ofMillis(2)), (step, event) -> switch (event) {
                    case Event.Campaign<Puppet.Note>() -> step.send(n(2), note("calm down"));
                    case Event.Received<Puppet.Note> received -> step.calm(Bell.ONE);
                    default -> step;
                });
        var world = struck(plainWorld(3).wanting(once(1)), pause(200), resume(3_000));
        assertThat(Film.of(calming, world).plot(2)).containsExactly("starts FIRST", "hears calm down from n1");
    }

    @Test
    void an_urgent_alarm_that_ran_out_meanwhile_comes_before_all_that_waits() {
        var urgent = Puppet.electing(
                step -> step.wake(Bell.ONE, Duration.ofMillis(1)).wake(Bell.URGENT, Duration.ofMillis(2)),
                (step, event) -> event instanceof Event.Campaign ? step.send(n(2), note("in time")) : step);
        var world = struck(plainWorld(3).wanting(once(1)), pause(200), resume(3_000));
        assertThat(Film.of(urgent, world).plot(2))
                .containsExactly("starts FIRST", "rings URGENT", "rings ONE", "hears in time from n1");
    }

    @Test
    void an_urgent_alarm_that_has_not_run_out_yet_does_not_come() {
        var urgent = Puppet.electing(
                step -> step.wake(Bell.URGENT, Duration.ofMillis(4)),
                (step, event) -> event instanceof Event.Campaign ? step.send(n(2), note("in time")) : step);
        var world = struck(plainWorld(3).wanting(once(1)), pause(200), resume(3_000));
        assertThat(Film.of(urgent, world).plot(2))
                .containsExactly("starts FIRST", "hears in time from n1", "rings URGENT");
    }

    @Test
    void who_is_never_resumed_never_moves_again() {
        var film = Film.of(PUPPET, world(pause(200)));
        assertThat(film.story(2)).containsExactly("0 starts FIRST");
        assertThat(film.outcome().end()).isEqualTo(Outcome.End.REST);
    }

    @Test
    void pausing_twice_is_pausing_once_and_resuming_who_runs_does_nothing() {
        var once = Film.of(PUPPET, world(pause(200), resume(3_000)));
        var twice = Film.of(PUPPET, world(resume(100), pause(200), pause(300), resume(3_000), resume(3_100)));
        assertThat(twice.story(2)).isEqualTo(once.story(2));
        assertThat(twice.times(Happening.Paused.class)).containsExactly(200L);
        assertThat(twice.times(Happening.Resumed.class)).containsExactly(3_000L);
    }

    @Test
    void healing_resumes_it() {
        var film = Film.of(PUPPET, world(pause(200), at(3_000, new Fault.Heal())));
        assertThat(film.story(2))
                .isEqualTo(Film.of(PUPPET, world(pause(200), resume(3_000))).story(2));
        assertThat(film.times(Happening.Resumed.class)).containsExactly(3_000L);
    }

    @Test
    void who_crashes_while_it_stands_still_loses_what_waited() {
        var crash = at(2_000, new Fault.Crash(n(2)));
        var restart = at(3_000, new Fault.Restart(n(2), false));
        var film = Film.of(PUPPET, world(pause(200), crash, restart, resume(3_100), pause(3_200), resume(3_300)));
        assertThat(film.story(2))
                .containsExactly("0 starts FIRST", "3000 starts WITH_MEMORY", "3500 rings ONE", "5000 hears 4 from n1");
    }

    @Test
    void messages_that_waited_for_one_who_crashed_are_written_down_as_lost() {
        var film = Film.of(PUPPET, world(pause(200), at(2_000, new Fault.Crash(n(2)))));
        assertThat(film.fates()).hasSize(3).containsOnly(TraceLine.Fate.RECEIVER_DOWN);
    }

    @Test
    void nobody_suspects_who_only_stands_still() {
        var world = world(pause(200), resume(300_000)).watchedBy(new Detector.Oracle(Duration.ofMillis(5)));
        var film = Film.of(PUPPET, world);
        assertThat(film.plot(1)).noneMatch(line -> line.startsWith("suspects"));
        assertThat(film.plot(3)).noneMatch(line -> line.startsWith("suspects"));
    }

    @Test
    void news_of_a_crash_wait_too_unless_it_is_over_by_then() {
        var crash = at(500, new Fault.Crash(n(3)));
        var watched = world(pause(200), resume(9_000), crash).watchedBy(new Detector.Oracle(Duration.ofMillis(1)));
        assertThat(Film.of(PUPPET, watched).story(2)).contains("9000 suspects n3");
        assertThat(Film.of(PUPPET, watched).story(1)).contains("1500 suspects n3");
        var back = struck(watched, at(8_000, new Fault.Restart(n(3), false)));
        assertThat(Film.of(PUPPET, back).plot(2)).noneMatch(line -> line.startsWith("suspects"));
    }
}
