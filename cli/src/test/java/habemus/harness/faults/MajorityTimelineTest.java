package habemus.harness.faults;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.harness.faults.MajorityTimeline.Change;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** When the service should have been there. Times are in seconds. */
class MajorityTimelineTest {

    private static final long SECOND = 1_000_000_000;

    private final MajorityTimeline majorityTimeline = new MajorityTimeline(3, 0);

    private MajorityTimelineTest struck(double at, int node) {
        majorityTimeline.add(new Change(nanos(at), node, false, "struck"));
        return this;
    }

    private MajorityTimelineTest mended(double at, int node) {
        majorityTimeline.add(new Change(nanos(at), node, true, "mended"));
        return this;
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * SECOND);
    }

    /** The longest time without service, as from–to. */
    private String longest(double end, double... served) {
        var times = new TreeSet<Long>();
        for (double time : served) {
            times.add(nanos(time));
        }
        return majorityTimeline.gaps(times, nanos(end)).stream()
                .reduce((one, other) -> other.nanos() > one.nanos() ? other : one)
                .map(gap -> gap.from() / 1e9 + "–" + gap.to() / 1e9)
                .orElse("none");
    }

    @Test
    void without_faults_it_counts_from_the_last_service() {
        assertThat(longest(5, 1, 4)).isEqualTo("1.0–4.0");
    }

    @Test
    void the_end_ends_what_is_still_going_on() {
        assertThat(longest(9, 1, 2)).isEqualTo("2.0–9.0");
    }

    @Test
    void nobody_expects_service_without_a_majority() {
        struck(1, 1).struck(1, 2).mended(8, 2).mended(9, 1);
        assertThat(longest(9.7, 0.9, 8.5, 9.6)).isEqualTo("8.5–9.6");
    }

    @Test
    void it_counts_from_when_a_majority_is_back_and_not_from_when_all_are() {
        struck(1, 1).struck(1, 2).mended(4, 1).mended(6, 2);
        assertThat(longest(7, 1, 6.5)).isEqualTo("4.0–6.5");
    }

    @Test
    void whoever_is_struck_beyond_the_majority_is_no_excuse() {
        struck(1, 3).mended(5, 3);
        assertThat(longest(6, 0.5, 5.5)).isEqualTo("0.5–5.5");
    }

    @Test
    void another_majority_has_its_own_time() {
        struck(1, 1).mended(3, 1).struck(4, 2).mended(6, 2);
        assertThat(longest(6, 1, 5.5))
                .as("n2 and n3 from 1 to 4; n1 and n3 from 3 on")
                .isEqualTo("1.0–4.0");
    }

    @Test
    void a_majority_that_is_gone_again_at_once_need_not_serve() {
        struck(1, 1).struck(1, 2).mended(4, 1).struck(4.5, 1).mended(8, 1).mended(8, 2);
        assertThat(longest(9, 0.1, 0.6, 8.4)).isEqualTo("8.4–9.0");
        assertThat(majorityTimeline.healthySince()).contains(8 * SECOND);
    }

    @Test
    void it_is_known_since_when_a_majority_is_there() {
        assertThat(majorityTimeline.healthySince()).contains(0L);
        struck(1, 1);
        assertThat(majorityTimeline.healthySince()).as("the other two").contains(0L);
        struck(2, 2);
        assertThat(majorityTimeline.healthySince()).isEmpty();
        mended(3, 1);
        assertThat(majorityTimeline.healthySince()).contains(3 * SECOND);
        assertThat(majorityTimeline.lines())
                .isEqualTo(List.of("n1 struck at 1.00 s", "n2 struck at 2.00 s", "n1 mended at 3.00 s"));
    }
}
