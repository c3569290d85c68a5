package habemus.lab.picture;

import static habemus.lab.Story.n;
import static habemus.lab.Story.request;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.lab.Runs;
import habemus.lab.Story;
import habemus.world.Fault;
import habemus.world.TraceLine.Start;
import org.junit.jupiter.api.Test;

class TimeAxisTest {

    @Test
    void lines_of_one_time_share_a_moment() {
        var moments =
                Moments.of(Story.of(2).acquires(1).acquires(2).at(5).acquires(1).lines());

        assertThat(moments.count()).isEqualTo(2);
        assertThat(moments.of(1)).isEqualTo(0);
        assertThat(moments.of(2)).isEqualTo(1);
    }

    @Test
    void two_steps_of_one_node_are_two_moments() {
        assertThat(Moments.of(Story.of(1).acquires(1).releases(1).lines()).count())
                .isEqualTo(2);
    }

    @Test
    void a_receipt_is_later_than_the_sending_even_if_no_time_has_passed() {
        var lines = Story.of(2).sends(1, 2, request(1, 1)).receives(1).lines();

        assertThat(Moments.of(lines).count()).isEqualTo(2);
    }

    @Test
    void a_crash_is_later_than_the_step_before_it() {
        var lines = Story.of(1).acquires(1).strikes(new Fault.Crash(n(1))).lines();

        assertThat(Moments.of(lines).count()).isEqualTo(2);
    }

    @Test
    void an_uneventful_start_takes_no_room() {
        var lines = Story.of(1).starts(1, Start.FIRST).acquires(1).lines();

        assertThat(Moments.of(lines).count()).isEqualTo(1);
    }

    @Test
    void the_axis_grows_and_neighbouring_moments_keep_their_distance() {
        var moments = Moments.of(Runs.bullyWithCrash().lines());
        var axis = new TimeAxis(moments, 50);

        assertThat(axis.x(0)).isEqualTo(50);
        for (int i = 1; i <= moments.count(); i++) {
            assertThat(axis.x(i) - axis.x(i - 1)).isGreaterThan(TimeAxis.LEAST_GAP - 1e-6);
        }
    }

    @Test
    void a_longer_wait_is_drawn_wider_but_a_long_silence_is_compressed() {
        var lines = Story.of(1);
        for (long at : new long[] {0, 10, 20, 30, 60, 10_060}) {
            lines.at(at).acquires(1);
        }
        var axis = new TimeAxis(Moments.of(lines.lines()), 0);
        double usual = axis.x(1) - axis.x(0);

        assertThat(axis.x(4) - axis.x(3)).isGreaterThan(usual);
        assertThat(axis.x(5) - axis.x(4)).isBetween(2 * usual, 10 * usual);
        assertThat(axis.silences()).containsExactly(new TimeAxis.Silence(4, 10_000));
    }

    @Test
    void the_times_that_are_written_do_not_touch() {
        var axis = new TimeAxis(Moments.of(Runs.bullyWithCrash().lines()), 0);
        var ticks = axis.ticks();

        for (int i = 1; i < ticks.size(); i++) {
            assertThat(axis.x(ticks.get(i)) - axis.x(ticks.get(i - 1))).isGreaterThan(50);
        }
    }
}
