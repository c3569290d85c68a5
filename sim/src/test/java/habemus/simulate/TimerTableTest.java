package habemus.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TimerTableTest {

    private enum Timer {
        ONE,
        TWO
    }

    private enum OtherTimer {
        ONE
    }

    private final TimerTable timers = new TimerTable(3);

    @Test
    void a_timer_fires_once() {
        int version = timers.set(1, Timer.ONE);
        assertThat(timers.fire(1, Timer.ONE, version)).isTrue();
        assertThat(timers.fire(1, Timer.ONE, version)).isFalse();
    }

    @Test
    void a_cancelled_timer_does_not_fire() {
        int version = timers.set(1, Timer.ONE);
        timers.cancel(1, Timer.ONE);
        assertThat(timers.fire(1, Timer.ONE, version)).isFalse();
    }

    @Test
    void only_the_last_version_of_a_timer_fires() {
        int first = timers.set(1, Timer.ONE);
        int second = timers.set(1, Timer.ONE);
        assertThat(timers.fire(1, Timer.ONE, first)).isFalse();
        assertThat(timers.fire(1, Timer.ONE, second)).isTrue();
    }

    @Test
    void a_timer_can_be_set_again_after_it_was_cancelled_or_fired() {
        int first = timers.set(1, Timer.ONE);
        timers.cancel(1, Timer.ONE);
        int second = timers.set(1, Timer.ONE);
        assertThat(timers.fire(1, Timer.ONE, first)).isFalse();
        assertThat(timers.fire(1, Timer.ONE, second)).isTrue();
        int third = timers.set(1, Timer.ONE);
        assertThat(timers.fire(1, Timer.ONE, second)).isFalse();
        assertThat(timers.fire(1, Timer.ONE, third)).isTrue();
    }

    @Test
    void cancelling_a_timer_that_is_not_set_has_no_effect() {
        timers.cancel(1, Timer.ONE);
        assertThat(timers.fire(1, Timer.ONE, timers.set(1, Timer.ONE))).isTrue();
    }

    @Test
    void timers_of_different_nodes_and_enums_are_independent() {
        int one = timers.set(1, Timer.ONE);
        int two = timers.set(1, Timer.TWO);
        int otherEnum = timers.set(1, OtherTimer.ONE);
        int other = timers.set(2, Timer.ONE);
        timers.cancel(1, Timer.ONE);
        assertThat(timers.fire(1, Timer.ONE, one)).isFalse();
        assertThat(timers.fire(1, Timer.TWO, two)).isTrue();
        assertThat(timers.fire(1, OtherTimer.ONE, otherEnum)).isTrue();
        assertThat(timers.fire(2, Timer.ONE, other)).isTrue();
    }

    @Test
    void a_timer_from_before_a_crash_never_fires_even_if_it_is_set_again() {
        int one = timers.set(1, Timer.ONE);
        int two = timers.set(1, Timer.TWO);
        int other = timers.set(2, Timer.ONE);
        timers.cancelAll(1);
        assertThat(timers.fire(1, Timer.TWO, two)).isFalse();
        int again = timers.set(1, Timer.ONE);
        assertThat(timers.fire(1, Timer.ONE, one)).isFalse();
        assertThat(timers.fire(1, Timer.ONE, again)).isTrue();
        assertThat(timers.fire(2, Timer.ONE, other)).isTrue();
    }
}
