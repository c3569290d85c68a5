package habemus.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AlarmsTest {

    private enum Bell {
        ONE,
        TWO
    }

    private enum Gong {
        ONE
    }

    private final Alarms alarms = new Alarms(3);

    @Test
    void rings_once_if_it_is_set() {
        int version = alarms.set(1, Bell.ONE);
        assertThat(alarms.ring(1, Bell.ONE, version)).isTrue();
        assertThat(alarms.ring(1, Bell.ONE, version)).isFalse();
    }

    @Test
    void does_not_ring_if_it_was_calmed() {
        int version = alarms.set(1, Bell.ONE);
        alarms.calm(1, Bell.ONE);
        assertThat(alarms.ring(1, Bell.ONE, version)).isFalse();
    }

    @Test
    void rings_as_it_was_set_last() {
        int first = alarms.set(1, Bell.ONE);
        int second = alarms.set(1, Bell.ONE);
        assertThat(alarms.ring(1, Bell.ONE, first)).isFalse();
        assertThat(alarms.ring(1, Bell.ONE, second)).isTrue();
    }

    @Test
    void can_be_set_again_after_it_was_calmed_or_rang() {
        int first = alarms.set(1, Bell.ONE);
        alarms.calm(1, Bell.ONE);
        int second = alarms.set(1, Bell.ONE);
        assertThat(alarms.ring(1, Bell.ONE, first)).isFalse();
        assertThat(alarms.ring(1, Bell.ONE, second)).isTrue();
        int third = alarms.set(1, Bell.ONE);
        assertThat(alarms.ring(1, Bell.ONE, second)).isFalse();
        assertThat(alarms.ring(1, Bell.ONE, third)).isTrue();
    }

    @Test
    void calming_what_is_not_set_does_nothing() {
        alarms.calm(1, Bell.ONE);
        assertThat(alarms.ring(1, Bell.ONE, alarms.set(1, Bell.ONE))).isTrue();
    }

    @Test
    void alarms_of_other_nodes_and_other_kinds_are_others() {
        int one = alarms.set(1, Bell.ONE);
        int two = alarms.set(1, Bell.TWO);
        int gong = alarms.set(1, Gong.ONE);
        int other = alarms.set(2, Bell.ONE);
        alarms.calm(1, Bell.ONE);
        assertThat(alarms.ring(1, Bell.ONE, one)).isFalse();
        assertThat(alarms.ring(1, Bell.TWO, two)).isTrue();
        assertThat(alarms.ring(1, Gong.ONE, gong)).isTrue();
        assertThat(alarms.ring(2, Bell.ONE, other)).isTrue();
    }

    @Test
    void nothing_from_before_a_crash_rings_after_it_not_even_if_it_is_set_again() {
        int one = alarms.set(1, Bell.ONE);
        int two = alarms.set(1, Bell.TWO);
        int other = alarms.set(2, Bell.ONE);
        alarms.forget(1);
        assertThat(alarms.ring(1, Bell.TWO, two)).isFalse();
        int again = alarms.set(1, Bell.ONE);
        assertThat(alarms.ring(1, Bell.ONE, one)).isFalse();
        assertThat(alarms.ring(1, Bell.ONE, again)).isTrue();
        assertThat(alarms.ring(2, Bell.ONE, other)).isTrue();
    }
}
