package habemus.lab.diagram.svg;

import static habemus.lab.TraceFixture.n;
import static habemus.lab.TraceFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.lab.SampleRuns;
import habemus.lab.TraceFixture;
import habemus.lab.diagram.model.TimeSlots;
import habemus.world.Fault;
import habemus.world.TraceEvent.Start;
import org.junit.jupiter.api.Test;

class TimeAxisTest {

    @Test
    void events_of_the_same_time_share_a_slot() {
        var timeSlots = TimeSlots.of(
                TraceFixture.of(2).acquires(1).acquires(2).at(5).acquires(1).events());

        assertThat(timeSlots.count()).isEqualTo(2);
        assertThat(timeSlots.slotOf(1)).isEqualTo(0);
        assertThat(timeSlots.slotOf(2)).isEqualTo(1);
    }

    @Test
    void two_steps_of_one_node_have_two_slots() {
        assertThat(TimeSlots.of(TraceFixture.of(1).acquires(1).releases(1).events())
                        .count())
                .isEqualTo(2);
    }

    @Test
    void a_receipt_has_a_later_slot_than_the_sending_even_at_the_same_time() {
        var events = TraceFixture.of(2).sends(1, 2, request(1, 1)).receives(1).events();

        assertThat(TimeSlots.of(events).count()).isEqualTo(2);
    }

    @Test
    void a_crash_has_a_later_slot_than_the_step_before_it() {
        var events =
                TraceFixture.of(1).acquires(1).injects(new Fault.Crash(n(1))).events();

        assertThat(TimeSlots.of(events).count()).isEqualTo(2);
    }

    @Test
    void an_uneventful_start_takes_no_slot() {
        var events = TraceFixture.of(1).starts(1, Start.FIRST).acquires(1).events();

        assertThat(TimeSlots.of(events).count()).isEqualTo(1);
    }

    @Test
    void neighbouring_slots_keep_the_minimum_distance() {
        var timeSlots = TimeSlots.of(SampleRuns.bullyWithCrash().events());
        var axis = new TimeAxis(timeSlots, 50);

        assertThat(axis.x(0)).isEqualTo(50);
        for (int i = 1; i <= timeSlots.count(); i++) {
            assertThat(axis.x(i) - axis.x(i - 1)).isGreaterThan(TimeAxis.MIN_GAP - 1e-6);
        }
    }

    @Test
    void a_longer_gap_is_drawn_wider_but_a_long_idle_period_is_compressed() {
        var events = TraceFixture.of(1);
        for (long at : new long[] {0, 10, 20, 30, 60, 10_060}) {
            events.at(at).acquires(1);
        }
        var axis = new TimeAxis(TimeSlots.of(events.events()), 0);
        double usual = axis.x(1) - axis.x(0);

        assertThat(axis.x(4) - axis.x(3)).isGreaterThan(usual);
        assertThat(axis.x(5) - axis.x(4)).isBetween(2 * usual, 10 * usual);
        assertThat(axis.idlePeriods()).containsExactly(new TimeAxis.IdlePeriod(4, 10_000));
    }

    @Test
    void the_labels_of_the_axis_do_not_touch() {
        var axis = new TimeAxis(TimeSlots.of(SampleRuns.bullyWithCrash().events()), 0);
        var ticks = axis.ticks();

        for (int i = 1; i < ticks.size(); i++) {
            assertThat(axis.x(ticks.get(i)) - axis.x(ticks.get(i - 1))).isGreaterThan(50);
        }
    }
}
