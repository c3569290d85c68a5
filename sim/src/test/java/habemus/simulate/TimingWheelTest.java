package habemus.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimingWheelTest {

    /** The ends of both wheels, and far beyond. */
    private static final long[] EDGES = {
        0, 1, 63, 64, 65, 4_095, 4_096, 4_097, (1 << 24) - 1, 1 << 24, (1 << 24) + 1, 1L << 40, 86_400_000_000L
    };

    private record Planned(long time, long sequence) {}

    private final TimingWheel timingWheel = new TimingWheel();

    private List<Long> rest() {
        var whats = new ArrayList<Long>();
        while (timingWheel.advance()) {
            whats.add(timingWheel.event());
        }
        return whats;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 10, 5_000, 100_000, 20_000_000, 100_000_000_000L})
    void keeps_the_order_of_time_and_then_of_adding(long spread) {
        for (int seed = 0; seed < 10; seed++) {
            var chance = new Random(seed);
            compare(chance, () -> chance.nextLong(spread));
        }
    }

    @Test
    void keeps_the_order_around_the_ends_of_its_wheels() {
        for (int seed = 0; seed < 50; seed++) {
            var chance = new Random(seed);
            compare(chance, () -> EDGES[chance.nextInt(EDGES.length)]);
        }
    }

    private interface Delay {
        long draw();
    }

    /** A sorted list does the same. */
    private static void compare(Random chance, Delay delay) {
        var timingWheel = new TimingWheel();
        var model = new PriorityQueue<>(Comparator.comparingLong(Planned::time).thenComparingLong(Planned::sequence));
        for (long sequence = 0; sequence < 3_000; sequence++) {
            if (chance.nextInt(5) < 3) {
                var planned = new Planned(timingWheel.now() + delay.draw(), sequence);
                timingWheel.schedule(planned.time, sequence, planned);
                model.add(planned);
            } else {
                assertNextIs(timingWheel, model.poll());
            }
        }
        while (!model.isEmpty()) {
            assertNextIs(timingWheel, model.poll());
        }
        assertNextIs(timingWheel, null);
    }

    private static void assertNextIs(TimingWheel timingWheel, Planned expected) {
        assertThat(timingWheel.advance()).isEqualTo(expected != null);
        if (expected != null) {
            assertThat(timingWheel.now()).isEqualTo(expected.time);
            assertThat(timingWheel.event()).isEqualTo(expected.sequence);
            assertThat(timingWheel.payload()).isSameAs(expected);
        }
    }

    @Test
    void is_empty_at_first() {
        assertThat(timingWheel.advance()).isFalse();
        assertThat(timingWheel.now()).isZero();
    }

    @Test
    void what_is_added_for_now_comes_after_what_was_there_and_before_all_later_things() {
        timingWheel.schedule(5, 1, null);
        timingWheel.schedule(5, 2, null);
        timingWheel.schedule(6, 4, null);
        assertThat(timingWheel.advance()).isTrue();
        timingWheel.schedule(5, 3, null);
        assertThat(rest()).containsExactly(2L, 3L, 4L);
    }

    @Test
    void what_is_added_for_now_may_add_again_for_now() {
        timingWheel.schedule(5, 0, null);
        timingWheel.schedule(6, 100, null);
        for (int i = 0; i < 20; i++) {
            assertThat(timingWheel.advance()).isTrue();
            assertThat(timingWheel.event()).isEqualTo(i);
            timingWheel.schedule(5, i + 1, null);
        }
        assertThat(rest()).containsExactly(20L, 100L);
    }

    @Test
    void goes_on_after_it_was_empty() {
        timingWheel.schedule(7, 1, null);
        assertThat(rest()).containsExactly(1L);
        timingWheel.schedule(7, 2, null);
        timingWheel.schedule(100_000_000_000L, 3, null);
        assertThat(rest()).containsExactly(2L, 3L);
        assertThat(timingWheel.now()).isEqualTo(100_000_000_000L);
        assertThat(timingWheel.advance()).isFalse();
    }

    @Test
    void does_not_mix_what_was_planned_long_before_with_what_was_planned_just_now() {
        long far = 3L << 24;
        timingWheel.schedule(far + 5_000, 1, null);
        timingWheel.schedule(far, 0, null);
        assertThat(timingWheel.advance()).isTrue();
        timingWheel.schedule(far + 5_000, 2, null);
        timingWheel.schedule(far + 4_999, 3, null);
        assertThat(rest()).containsExactly(3L, 1L, 2L);
    }

    @Test
    void holds_very_many_things_at_the_same_time() {
        for (int i = 0; i < 100_000; i++) {
            timingWheel.schedule(9, i, null);
            timingWheel.schedule(1L << 30, 1_000_000 + i, null);
        }
        var whats = rest();
        assertThat(whats).hasSize(200_000).isSorted();
    }

    @Test
    void carries_a_load_or_none() {
        timingWheel.schedule(1, 1, "load");
        timingWheel.schedule(1, 2, null);
        timingWheel.advance();
        assertThat(timingWheel.payload()).isEqualTo("load");
        timingWheel.advance();
        assertThat(timingWheel.payload()).isNull();
    }
}
