package habemus.harness.faults;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.harness.faults.MajorityTimeline.Change;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** When the service should have served. Times are in seconds. */
class MajorityTimelineTest {

    private static final long SECOND = 1_000_000_000;

    private final MajorityTimeline timeline = new MajorityTimeline(3, 0);

    private MajorityTimelineTest faulty(double at, int node) {
        timeline.add(new Change(nanos(at), node, false, "paused"));
        return this;
    }

    private MajorityTimelineTest healthy(double at, int node) {
        timeline.add(new Change(nanos(at), node, true, "resumed"));
        return this;
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * SECOND);
    }

    /** The longest gap, as from–to. */
    private String longestGap(double end, double... served) {
        var times = new TreeSet<Long>();
        for (double time : served) {
            times.add(nanos(time));
        }
        return timeline.gaps(times, nanos(end)).stream()
                .reduce((longest, gap) -> gap.nanos() > longest.nanos() ? gap : longest)
                .map(gap -> gap.from() / 1e9 + "–" + gap.to() / 1e9)
                .orElse("none");
    }

    @Test
    void without_faults_a_gap_starts_with_the_last_served_request() {
        assertThat(longestGap(5, 1, 4)).isEqualTo("1.0–4.0");
    }

    @Test
    void an_open_gap_ends_with_the_soak() {
        assertThat(longestGap(9, 1, 2)).isEqualTo("2.0–9.0");
    }

    @Test
    void without_a_majority_there_is_no_gap() {
        faulty(1, 1).faulty(1, 2).healthy(8, 2).healthy(9, 1);
        assertThat(longestGap(9.7, 0.9, 8.5, 9.6)).isEqualTo("8.5–9.6");
    }

    @Test
    void a_gap_starts_when_a_majority_is_healthy_again() {
        faulty(1, 1).faulty(1, 2).healthy(4, 1).healthy(6, 2);
        assertThat(longestGap(7, 1, 6.5)).isEqualTo("4.0–6.5");
    }

    @Test
    void a_faulty_minority_does_not_excuse_a_gap() {
        faulty(1, 3).healthy(5, 3);
        assertThat(longestGap(6, 0.5, 5.5)).isEqualTo("0.5–5.5");
    }

    @Test
    void each_majority_has_its_own_gap() {
        faulty(1, 1).healthy(3, 1).faulty(4, 2).healthy(6, 2);
        assertThat(longestGap(6, 1, 5.5))
                .as("n2 and n3 from 1 to 4; n1 and n3 from 3 on")
                .isEqualTo("1.0–4.0");
    }

    @Test
    void a_short_lived_majority_need_not_serve() {
        faulty(1, 1).faulty(1, 2).healthy(4, 1).faulty(4.5, 1).healthy(8, 1).healthy(8, 2);
        assertThat(longestGap(9, 0.1, 0.6, 8.4)).isEqualTo("8.4–9.0");
        assertThat(timeline.healthySince()).contains(8 * SECOND);
    }

    @Test
    void healthy_since_is_the_start_of_the_current_majority() {
        assertThat(timeline.healthySince()).contains(0L);
        faulty(1, 1);
        assertThat(timeline.healthySince()).as("the other two").contains(0L);
        faulty(2, 2);
        assertThat(timeline.healthySince()).isEmpty();
        healthy(3, 1);
        assertThat(timeline.healthySince()).contains(3 * SECOND);
        assertThat(timeline.lines())
                .isEqualTo(List.of("n1 paused at 1.00 s", "n2 paused at 2.00 s", "n1 resumed at 3.00 s"));
    }
}
