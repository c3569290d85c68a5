package habemus.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StampTest {

    private static final long LAST = (1L << 43) - 1;

    @Test
    void the_older_one_is_before_the_younger_whatever_the_numbers() {
        assertThat(stamp(1, 9).isBefore(stamp(2, 1))).isTrue();
        assertThat(stamp(2, 1).isBefore(stamp(1, 9))).isFalse();
    }

    @Test
    void of_two_equally_old_ones_that_of_the_lower_number_is_before() {
        assertThat(stamp(5, 1).isBefore(stamp(5, 2))).isTrue();
        assertThat(stamp(5, 2).isBefore(stamp(5, 1))).isFalse();
    }

    @Test
    void none_is_before_itself() {
        assertThat(stamp(5, 1).isBefore(stamp(5, 1))).isFalse();
        assertThat(stamp(5, 1)).isEqualByComparingTo(stamp(5, 1));
    }

    @Test
    void fences_order_as_stamps_do() {
        var chance = new Random(1);
        var stamps = new ArrayList<Stamp>();
        for (int i = 0; i < 1_000; i++) {
            stamps.add(stamp(chance.nextLong(20), 1 + chance.nextInt(3)));
            stamps.add(stamp(chance.nextLong(LAST + 1), 1 + chance.nextInt(NodeId.LIMIT - 1)));
        }
        var byFence = new ArrayList<>(stamps);
        byFence.sort(Comparator.comparingLong(Stamp::asFence));
        stamps.sort(Comparator.naturalOrder());
        assertThat(byFence).isEqualTo(stamps);
    }

    @Test
    void the_last_stamp_of_the_highest_node_still_has_a_fence() {
        assertThat(stamp(LAST, NodeId.LIMIT - 1).asFence()).isEqualTo(Long.MAX_VALUE);
        assertThat(stamp(LAST, 1).asFence())
                .isGreaterThan(stamp(LAST - 1, NodeId.LIMIT - 1).asFence());
    }

    @Test
    void reads_as_time_at_node() {
        assertThat(stamp(41, 1)).hasToString("41@n1");
    }

    private static Stamp stamp(long time, int node) {
        return new Stamp(time, new NodeId(node));
    }
}
