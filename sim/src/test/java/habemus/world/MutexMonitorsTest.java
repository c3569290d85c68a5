package habemus.world;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class MutexMonitorsTest {

    /** Whether the property still holds after all of this. */
    private static <H> boolean holds(PropertyMonitor<H> propertyMonitor, ObservableEvent... seen) {
        return propertyMonitor.holds(mind(propertyMonitor, seen));
    }

    private static <H> H mind(PropertyMonitor<H> propertyMonitor, ObservableEvent... seen) {
        var mind = propertyMonitor.initialState();
        for (ObservableEvent one : seen) {
            mind = propertyMonitor.next(mind, one);
        }
        return mind;
    }

    private static ObservableEvent asked(int node, int... behind) {
        return new ObservableEvent.Requested(
                new NodeId(node),
                NodeSet.of(IntStream.of(behind).mapToObj(NodeId::new).toList()));
    }

    private static ObservableEvent entered(int node) {
        return entered(node, 1);
    }

    private static ObservableEvent entered(int node, long fence) {
        return new ObservableEvent.Entered(new NodeId(node), fence);
    }

    private static ObservableEvent left(int node) {
        return new ObservableEvent.Exited(new NodeId(node));
    }

    private static ObservableEvent crashed(int node) {
        return new ObservableEvent.Crashed(new NodeId(node), true);
    }

    private static ObservableEvent restarted(int node) {
        return new ObservableEvent.Restarted(new NodeId(node));
    }

    @Nested
    class MutualExclusion {
        private final MutexMonitors.MutualExclusion judge = new MutexMonitors.MutualExclusion();

        @Test
        void holds_if_one_leaves_before_the_next_enters() {
            assertThat(holds(judge)).isTrue();
            assertThat(holds(judge, asked(1), entered(1), asked(2), left(1), entered(2)))
                    .isTrue();
        }

        @Test
        void is_violated_once_two_are_inside() {
            assertThat(holds(judge, entered(1), entered(2))).isFalse();
            assertThat(holds(judge, entered(1), left(1), entered(2), entered(3)))
                    .isFalse();
        }

        @Test
        void who_crashes_is_not_inside_any_more_not_even_when_it_comes_back() {
            assertThat(holds(judge, entered(1), crashed(1), entered(2))).isTrue();
            assertThat(holds(judge, entered(1), crashed(1), restarted(1), entered(2)))
                    .isTrue();
        }

        @Test
        void who_is_paused_is_still_inside() {
            assertThat(holds(judge, entered(1), new ObservableEvent.Paused(new NodeId(1)), entered(2)))
                    .isFalse();
        }
    }

    @Nested
    class NotifiedBeforeRegranted {
        private final MutexMonitors.NotifiedBeforeRegranted judge = new MutexMonitors.NotifiedBeforeRegranted();

        private static ObservableEvent paused(int node) {
            return new ObservableEvent.Paused(new NodeId(node));
        }

        private static ObservableEvent resumed(int node) {
            return new ObservableEvent.Resumed(new NodeId(node));
        }

        @Test
        void is_violated_once_two_are_inside_who_do_not_stand_still() {
            assertThat(holds(judge, entered(1), left(1), entered(2))).isTrue();
            assertThat(holds(judge, entered(1), entered(2))).isFalse();
            assertThat(holds(judge, paused(3), entered(1), entered(2))).isFalse();
        }

        @Test
        void who_stands_still_cannot_know() {
            assertThat(holds(judge, entered(1), paused(1), entered(2))).isTrue();
            assertThat(holds(judge, entered(1), paused(1), entered(2), entered(3)))
                    .isFalse();
        }

        @Test
        void who_goes_on_must_leave_before_anything_else_happens() {
            assertThat(holds(judge, entered(1), paused(1), entered(2), resumed(1), left(1), asked(3)))
                    .isTrue();
            assertThat(holds(judge, entered(1), paused(1), entered(2), resumed(1), asked(3)))
                    .isFalse();
        }

        @Test
        void who_goes_on_alone_stays_inside() {
            assertThat(holds(judge, entered(1), paused(1), resumed(1), asked(2)))
                    .isTrue();
            assertThat(holds(judge, entered(1), paused(1), resumed(1), entered(2)))
                    .isFalse();
        }

        @Test
        void who_crashes_is_not_inside_any_more() {
            assertThat(holds(judge, entered(1), crashed(1), entered(2))).isTrue();
            assertThat(holds(judge, entered(1), paused(1), crashed(1), restarted(1), entered(2)))
                    .isTrue();
        }
    }

    @Nested
    class DeadlockFreedom {
        private final MutexMonitors.DeadlockFreedom judge = new MutexMonitors.DeadlockFreedom();

        @Test
        void holds_if_nobody_waits() {
            assertThat(holds(judge)).isTrue();
            assertThat(holds(judge, asked(1), entered(1), left(1))).isTrue();
        }

        @Test
        void holds_if_somebody_stays_inside() {
            assertThat(holds(judge, asked(1), asked(2), entered(1))).isTrue();
        }

        @Test
        void is_violated_if_one_waits_and_nobody_is_inside() {
            assertThat(holds(judge, asked(1))).isFalse();
            assertThat(holds(judge, asked(1), asked(2), entered(1), left(1))).isFalse();
        }

        @Test
        void who_crashes_neither_waits_nor_is_inside() {
            assertThat(holds(judge, asked(1), crashed(1))).isTrue();
            assertThat(holds(judge, asked(1), crashed(1), restarted(1))).isTrue();
            assertThat(holds(judge, asked(1), asked(2), entered(1), crashed(1))).isFalse();
        }
    }

    @Nested
    class NoStarvation {
        private final MutexMonitors.NoStarvation judge = new MutexMonitors.NoStarvation();

        @Test
        void holds_if_all_who_asked_got_in() {
            assertThat(holds(judge, asked(1), asked(2), entered(2), left(2), entered(1)))
                    .isTrue();
        }

        @Test
        void is_violated_if_one_waits_although_others_come_and_go() {
            assertThat(holds(judge, asked(1), asked(2), entered(2), left(2), asked(2), entered(2)))
                    .isFalse();
        }

        @Test
        void who_crashes_waits_no_more_until_it_asks_again() {
            assertThat(holds(judge, asked(1), crashed(1), restarted(1))).isTrue();
            assertThat(holds(judge, asked(1), crashed(1), restarted(1), asked(1)))
                    .isFalse();
        }
    }

    @Nested
    class FencesGrow {
        private final MutexMonitors.FencesGrow judge = new MutexMonitors.FencesGrow();

        @Test
        void holds_if_every_fence_is_larger() {
            assertThat(holds(judge, entered(1, -5), entered(2, 0), entered(1, 7)))
                    .isTrue();
        }

        @Test
        void is_violated_by_an_equal_or_a_smaller_one() {
            assertThat(holds(judge, entered(1, 7), left(1), entered(2, 7))).isFalse();
            assertThat(holds(judge, entered(1, 7), left(1), entered(2, 6))).isFalse();
        }

        @Test
        void is_violated_by_one_that_is_larger_than_the_last_but_not_than_all() {
            assertThat(holds(judge, entered(1, 1), entered(1, 9), entered(2, 5), entered(2, 6)))
                    .isFalse();
        }

        @Test
        void stays_violated() {
            assertThat(holds(judge, entered(1, 7), entered(2, 6), entered(3, 8)))
                    .isFalse();
        }

        @Test
        void a_crash_lets_no_fence_return() {
            assertThat(holds(judge, entered(1, 7), crashed(1), restarted(1), entered(1, 7)))
                    .isFalse();
        }
    }

    @Nested
    class HappenedBeforeOrder {
        private final MutexMonitors.HappenedBeforeOrder judge = new MutexMonitors.HappenedBeforeOrder();

        @Test
        void holds_if_the_earlier_one_gets_in_first() {
            assertThat(holds(judge, asked(1), asked(2, 1), entered(1), left(1), entered(2)))
                    .isTrue();
        }

        @Test
        void is_violated_if_the_later_one_gets_in_first() {
            assertThat(holds(judge, asked(1), asked(2, 1), entered(2))).isFalse();
            assertThat(holds(judge, asked(1), asked(2), asked(3, 1, 2), entered(1), left(1), entered(3)))
                    .isFalse();
        }

        @Test
        void stays_violated() {
            assertThat(holds(judge, asked(1), asked(2, 1), entered(2), left(2), entered(1), left(1)))
                    .isFalse();
        }

        @Test
        void concurrent_requests_have_no_order() {
            assertThat(holds(judge, asked(1), asked(2), entered(2), left(2), entered(1)))
                    .isTrue();
        }

        @Test
        void one_that_crashed_goes_before_nobody() {
            assertThat(holds(judge, asked(1), asked(2, 1), crashed(1), entered(2)))
                    .isTrue();
            assertThat(holds(judge, asked(1), asked(2, 1), crashed(1), restarted(1), asked(1), entered(2)))
                    .isTrue();
        }

        @Test
        void the_next_request_of_the_same_node_is_another_one() {
            assertThat(holds(judge, asked(1), asked(2, 1), entered(1), left(1), asked(1), entered(2)))
                    .isTrue();
            assertThat(holds(judge, asked(1), asked(2, 1), entered(1), left(1), asked(1, 2), entered(1)))
                    .isFalse();
        }
    }

    @Nested
    class BoundedWaiting {
        private final MutexMonitors.BoundedWaiting judge = new MutexMonitors.BoundedWaiting(1);

        @Test
        void holds_if_who_waits_is_passed_as_often_as_the_bound_says() {
            assertThat(holds(judge, asked(1), entered(2), left(2), entered(1))).isTrue();
        }

        @Test
        void is_violated_if_it_is_passed_once_more_and_stays_so() {
            assertThat(holds(judge, asked(1), entered(2), left(2), entered(3))).isFalse();
            assertThat(holds(judge, asked(1), entered(2), left(2), entered(3), left(3), entered(1)))
                    .isFalse();
        }

        @Test
        void who_does_not_wait_is_not_passed() {
            assertThat(holds(judge, entered(2), left(2), entered(3), left(3), asked(1), entered(2), left(2)))
                    .isTrue();
        }

        @Test
        void counting_begins_anew_with_every_request() {
            assertThat(holds(judge, asked(1), entered(2), left(2), entered(1), left(1), asked(1), entered(3)))
                    .isTrue();
            assertThat(holds(judge, asked(1), entered(2), crashed(1), restarted(1), asked(1), entered(3)))
                    .isTrue();
        }

        @Test
        void the_largest_bypass_is_that_of_whoever_was_passed_most() {
            var seen = new ObservableEvent[] {
                asked(1), entered(2), asked(3), entered(2), entered(1), entered(2), entered(3)
            };
            assertThat(mind(judge, seen).largest()).isEqualTo(3);
            assertThat(mind(judge, asked(1), entered(1)).largest()).isZero();
        }
    }
}
