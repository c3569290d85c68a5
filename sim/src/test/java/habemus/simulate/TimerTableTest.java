package habemus.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TimerTableTest {

    private enum Bell {
        ONE,
        TWO
    }

    private enum Gong {
        ONE
    }

    private final TimerTable timerTable = new TimerTable(3);

    @Test
    void rings_once_if_it_is_set() {
        int version = timerTable.set(1, Bell.ONE);
        assertThat(timerTable.fire(1, Bell.ONE, version)).isTrue();
        assertThat(timerTable.fire(1, Bell.ONE, version)).isFalse();
    }

    @Test
    void does_not_ring_if_it_was_calmed() {
        int version = timerTable.set(1, Bell.ONE);
        timerTable.cancel(1, Bell.ONE);
        assertThat(timerTable.fire(1, Bell.ONE, version)).isFalse();
    }

    @Test
    void rings_as_it_was_set_last() {
        int first = timerTable.set(1, Bell.ONE);
        int second = timerTable.set(1, Bell.ONE);
        assertThat(timerTable.fire(1, Bell.ONE, first)).isFalse();
        assertThat(timerTable.fire(1, Bell.ONE, second)).isTrue();
    }

    @Test
    void can_be_set_again_after_it_was_calmed_or_rang() {
        int first = timerTable.set(1, Bell.ONE);
        timerTable.cancel(1, Bell.ONE);
        int second = timerTable.set(1, Bell.ONE);
        assertThat(timerTable.fire(1, Bell.ONE, first)).isFalse();
        assertThat(timerTable.fire(1, Bell.ONE, second)).isTrue();
        int third = timerTable.set(1, Bell.ONE);
        assertThat(timerTable.fire(1, Bell.ONE, second)).isFalse();
        assertThat(timerTable.fire(1, Bell.ONE, third)).isTrue();
    }

    @Test
    void calming_what_is_not_set_does_nothing() {
        timerTable.cancel(1, Bell.ONE);
        assertThat(timerTable.fire(1, Bell.ONE, timerTable.set(1, Bell.ONE))).isTrue();
    }

    @Test
    void alarms_of_other_nodes_and_other_kinds_are_others() {
        int one = timerTable.set(1, Bell.ONE);
        int two = timerTable.set(1, Bell.TWO);
        int gong = timerTable.set(1, Gong.ONE);
        int other = timerTable.set(2, Bell.ONE);
        timerTable.cancel(1, Bell.ONE);
        assertThat(timerTable.fire(1, Bell.ONE, one)).isFalse();
        assertThat(timerTable.fire(1, Bell.TWO, two)).isTrue();
        assertThat(timerTable.fire(1, Gong.ONE, gong)).isTrue();
        assertThat(timerTable.fire(2, Bell.ONE, other)).isTrue();
    }

    @Test
    void nothing_from_before_a_crash_rings_after_it_not_even_if_it_is_set_again() {
        int one = timerTable.set(1, Bell.ONE);
        int two = timerTable.set(1, Bell.TWO);
        int other = timerTable.set(2, Bell.ONE);
        timerTable.cancelAll(1);
        assertThat(timerTable.fire(1, Bell.TWO, two)).isFalse();
        int again = timerTable.set(1, Bell.ONE);
        assertThat(timerTable.fire(1, Bell.ONE, one)).isFalse();
        assertThat(timerTable.fire(1, Bell.ONE, again)).isTrue();
        assertThat(timerTable.fire(2, Bell.ONE, other)).isTrue();
    }
}
