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

    /** Delays around the ends of both wheels, and far beyond. */
    private static final long[] EDGES = {
        0, 1, 63, 64, 65, 4_095, 4_096, 4_097, (1 << 24) - 1, 1 << 24, (1 << 24) + 1, 1L << 40, 86_400_000_000L
    };

    private record Scheduled(long time, long sequence) {}

    private final TimingWheel wheel = new TimingWheel();

    private List<Long> remaining() {
        var remaining = new ArrayList<Long>();
        while (wheel.advance()) {
            remaining.add(wheel.event());
        }
        return remaining;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 10, 5_000, 100_000, 20_000_000, 100_000_000_000L})
    void events_come_by_time_and_then_in_the_order_of_scheduling(long spread) {
        for (int seed = 0; seed < 10; seed++) {
            var random = new Random(seed);
            compare(random, () -> random.nextLong(spread));
        }
    }

    @Test
    void events_around_the_ends_of_the_wheels_come_in_order() {
        for (int seed = 0; seed < 50; seed++) {
            var random = new Random(seed);
            compare(random, () -> EDGES[random.nextInt(EDGES.length)]);
        }
    }

    private interface Delay {
        long draw();
    }

    /** Compares the wheel with a priority queue. */
    private static void compare(Random random, Delay delay) {
        var wheel = new TimingWheel();
        var model =
                new PriorityQueue<>(Comparator.comparingLong(Scheduled::time).thenComparingLong(Scheduled::sequence));
        for (long sequence = 0; sequence < 3_000; sequence++) {
            if (random.nextInt(5) < 3) {
                var scheduled = new Scheduled(wheel.now() + delay.draw(), sequence);
                wheel.schedule(scheduled.time, sequence, scheduled);
                model.add(scheduled);
            } else {
                assertNextIs(wheel, model.poll());
            }
        }
        while (!model.isEmpty()) {
            assertNextIs(wheel, model.poll());
        }
        assertNextIs(wheel, null);
    }

    private static void assertNextIs(TimingWheel wheel, Scheduled expected) {
        assertThat(wheel.advance()).isEqualTo(expected != null);
        if (expected != null) {
            assertThat(wheel.now()).isEqualTo(expected.time);
            assertThat(wheel.event()).isEqualTo(expected.sequence);
            assertThat(wheel.payload()).isSameAs(expected);
        }
    }

    @Test
    void a_new_wheel_is_empty() {
        assertThat(wheel.advance()).isFalse();
        assertThat(wheel.now()).isZero();
    }

    @Test
    void an_event_for_now_comes_after_earlier_ones_for_now_and_before_later_times() {
        wheel.schedule(5, 1, null);
        wheel.schedule(5, 2, null);
        wheel.schedule(6, 4, null);
        assertThat(wheel.advance()).isTrue();
        wheel.schedule(5, 3, null);
        assertThat(remaining()).containsExactly(2L, 3L, 4L);
    }

    @Test
    void an_event_for_now_may_schedule_another_one_for_now() {
        wheel.schedule(5, 0, null);
        wheel.schedule(6, 100, null);
        for (int i = 0; i < 20; i++) {
            assertThat(wheel.advance()).isTrue();
            assertThat(wheel.event()).isEqualTo(i);
            wheel.schedule(5, i + 1, null);
        }
        assertThat(remaining()).containsExactly(20L, 100L);
    }

    @Test
    void an_empty_wheel_can_be_used_again() {
        wheel.schedule(7, 1, null);
        assertThat(remaining()).containsExactly(1L);
        wheel.schedule(7, 2, null);
        wheel.schedule(100_000_000_000L, 3, null);
        assertThat(remaining()).containsExactly(2L, 3L);
        assertThat(wheel.now()).isEqualTo(100_000_000_000L);
        assertThat(wheel.advance()).isFalse();
    }

    @Test
    void events_scheduled_early_and_late_for_the_same_time_keep_their_order() {
        long far = 3L << 24;
        wheel.schedule(far + 5_000, 1, null);
        wheel.schedule(far, 0, null);
        assertThat(wheel.advance()).isTrue();
        wheel.schedule(far + 5_000, 2, null);
        wheel.schedule(far + 4_999, 3, null);
        assertThat(remaining()).containsExactly(3L, 1L, 2L);
    }

    @Test
    void many_events_can_have_the_same_time() {
        for (int i = 0; i < 100_000; i++) {
            wheel.schedule(9, i, null);
            wheel.schedule(1L << 30, 1_000_000 + i, null);
        }
        var remaining = remaining();
        assertThat(remaining).hasSize(200_000).isSorted();
    }

    @Test
    void an_event_has_a_payload_or_none() {
        wheel.schedule(1, 1, "payload");
        wheel.schedule(1, 2, null);
        wheel.advance();
        assertThat(wheel.payload()).isEqualTo("payload");
        wheel.advance();
        assertThat(wheel.payload()).isNull();
    }
}
