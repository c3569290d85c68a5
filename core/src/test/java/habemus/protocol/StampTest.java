package habemus.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StampTest {

    private static final long LAST = (1L << 43) - 1;

    @Test
    void the_lower_time_is_before_the_higher() {
        assertThat(stamp(1, 9).isBefore(stamp(2, 1))).isTrue();
        assertThat(stamp(2, 1).isBefore(stamp(1, 9))).isFalse();
    }

    @Test
    void at_equal_times_the_lower_node_number_is_before() {
        assertThat(stamp(5, 1).isBefore(stamp(5, 2))).isTrue();
        assertThat(stamp(5, 2).isBefore(stamp(5, 1))).isFalse();
    }

    @Test
    void no_stamp_is_before_itself() {
        assertThat(stamp(5, 1).isBefore(stamp(5, 1))).isFalse();
        assertThat(stamp(5, 1)).isEqualByComparingTo(stamp(5, 1));
    }

    @Test
    void fences_have_the_order_of_the_stamps() {
        var random = new Random(1);
        var stamps = new ArrayList<Stamp>();
        for (int i = 0; i < 1_000; i++) {
            stamps.add(stamp(random.nextLong(20), 1 + random.nextInt(3)));
            stamps.add(stamp(random.nextLong(LAST + 1), 1 + random.nextInt(NodeId.LIMIT - 1)));
        }
        var byFence = new ArrayList<>(stamps);
        byFence.sort(Comparator.comparingLong(Stamp::asFence));
        stamps.sort(Comparator.naturalOrder());
        assertThat(byFence).isEqualTo(stamps);
    }

    @Test
    void the_fence_of_the_largest_stamp_fits_into_a_long() {
        assertThat(stamp(LAST, NodeId.LIMIT - 1).asFence()).isEqualTo(Long.MAX_VALUE);
        assertThat(stamp(LAST, 1).asFence())
                .isGreaterThan(stamp(LAST - 1, NodeId.LIMIT - 1).asFence());
    }

    @Test
    void to_string_shows_time_and_node() {
        assertThat(stamp(41, 1)).hasToString("41@n1");
    }

    private static Stamp stamp(long time, int node) {
        return new Stamp(time, new NodeId(node));
    }
}
