package habemus.world;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class MutexMonitorsTest {

    /** Whether the property holds after these events. */
    private static <H> boolean holds(PropertyMonitor<H> monitor, ObservableEvent... events) {
        return monitor.holds(state(monitor, events));
    }

    private static <H> H state(PropertyMonitor<H> monitor, ObservableEvent... events) {
        var state = monitor.initialState();
        for (ObservableEvent event : events) {
            state = monitor.next(state, event);
        }
        return state;
    }

    private static ObservableEvent requested(int node, int... behind) {
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

    private static ObservableEvent exited(int node) {
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
        private final MutexMonitors.MutualExclusion monitor = new MutexMonitors.MutualExclusion();

        @Test
        void holds_if_each_holder_exits_before_the_next_entry() {
            assertThat(holds(monitor)).isTrue();
            assertThat(holds(monitor, requested(1), entered(1), requested(2), exited(1), entered(2)))
                    .isTrue();
        }

        @Test
        void is_violated_once_two_nodes_hold_the_lock() {
            assertThat(holds(monitor, entered(1), entered(2))).isFalse();
            assertThat(holds(monitor, entered(1), exited(1), entered(2), entered(3)))
                    .isFalse();
        }

        @Test
        void a_crash_ends_a_hold_even_after_a_restart() {
            assertThat(holds(monitor, entered(1), crashed(1), entered(2))).isTrue();
            assertThat(holds(monitor, entered(1), crashed(1), restarted(1), entered(2)))
                    .isTrue();
        }

        @Test
        void a_paused_holder_still_holds_the_lock() {
            assertThat(holds(monitor, entered(1), new ObservableEvent.Paused(new NodeId(1)), entered(2)))
                    .isFalse();
        }
    }

    @Nested
    class NotifiedBeforeRegranted {
        private final MutexMonitors.NotifiedBeforeRegranted monitor = new MutexMonitors.NotifiedBeforeRegranted();

        private static ObservableEvent paused(int node) {
            return new ObservableEvent.Paused(new NodeId(node));
        }

        private static ObservableEvent resumed(int node) {
            return new ObservableEvent.Resumed(new NodeId(node));
        }

        @Test
        void is_violated_once_two_running_nodes_hold_the_lock() {
            assertThat(holds(monitor, entered(1), exited(1), entered(2))).isTrue();
            assertThat(holds(monitor, entered(1), entered(2))).isFalse();
            assertThat(holds(monitor, paused(3), entered(1), entered(2))).isFalse();
        }

        @Test
        void a_paused_holder_may_overlap_with_one_other() {
            assertThat(holds(monitor, entered(1), paused(1), entered(2))).isTrue();
            assertThat(holds(monitor, entered(1), paused(1), entered(2), entered(3)))
                    .isFalse();
        }

        @Test
        void a_resumed_holder_must_exit_before_any_other_event() {
            assertThat(holds(monitor, entered(1), paused(1), entered(2), resumed(1), exited(1), requested(3)))
                    .isTrue();
            assertThat(holds(monitor, entered(1), paused(1), entered(2), resumed(1), requested(3)))
                    .isFalse();
        }

        @Test
        void a_resumed_holder_without_overlap_keeps_the_lock() {
            assertThat(holds(monitor, entered(1), paused(1), resumed(1), requested(2)))
                    .isTrue();
            assertThat(holds(monitor, entered(1), paused(1), resumed(1), entered(2)))
                    .isFalse();
        }

        @Test
        void a_crash_ends_a_hold() {
            assertThat(holds(monitor, entered(1), crashed(1), entered(2))).isTrue();
            assertThat(holds(monitor, entered(1), paused(1), crashed(1), restarted(1), entered(2)))
                    .isTrue();
        }
    }

    @Nested
    class DeadlockFreedom {
        private final MutexMonitors.DeadlockFreedom monitor = new MutexMonitors.DeadlockFreedom();

        @Test
        void holds_if_no_node_waits() {
            assertThat(holds(monitor)).isTrue();
            assertThat(holds(monitor, requested(1), entered(1), exited(1))).isTrue();
        }

        @Test
        void holds_if_a_holder_keeps_the_lock() {
            assertThat(holds(monitor, requested(1), requested(2), entered(1))).isTrue();
        }

        @Test
        void is_violated_if_a_node_waits_and_no_node_holds_the_lock() {
            assertThat(holds(monitor, requested(1))).isFalse();
            assertThat(holds(monitor, requested(1), requested(2), entered(1), exited(1)))
                    .isFalse();
        }

        @Test
        void a_crashed_node_neither_waits_nor_holds_the_lock() {
            assertThat(holds(monitor, requested(1), crashed(1))).isTrue();
            assertThat(holds(monitor, requested(1), crashed(1), restarted(1))).isTrue();
            assertThat(holds(monitor, requested(1), requested(2), entered(1), crashed(1)))
                    .isFalse();
        }
    }

    @Nested
    class NoStarvation {
        private final MutexMonitors.NoStarvation monitor = new MutexMonitors.NoStarvation();

        @Test
        void holds_if_every_request_is_granted() {
            assertThat(holds(monitor, requested(1), requested(2), entered(2), exited(2), entered(1)))
                    .isTrue();
        }

        @Test
        void is_violated_if_a_node_waits_while_others_enter() {
            assertThat(holds(monitor, requested(1), requested(2), entered(2), exited(2), requested(2), entered(2)))
                    .isFalse();
        }

        @Test
        void a_crashed_node_does_not_wait_until_it_requests_again() {
            assertThat(holds(monitor, requested(1), crashed(1), restarted(1))).isTrue();
            assertThat(holds(monitor, requested(1), crashed(1), restarted(1), requested(1)))
                    .isFalse();
        }
    }

    @Nested
    class FencesGrow {
        private final MutexMonitors.FencesGrow monitor = new MutexMonitors.FencesGrow();

        @Test
        void holds_if_every_fence_is_larger_than_the_last() {
            assertThat(holds(monitor, entered(1, -5), entered(2, 0), entered(1, 7)))
                    .isTrue();
        }

        @Test
        void is_violated_by_an_equal_or_smaller_fence() {
            assertThat(holds(monitor, entered(1, 7), exited(1), entered(2, 7))).isFalse();
            assertThat(holds(monitor, entered(1, 7), exited(1), entered(2, 6))).isFalse();
        }

        @Test
        void is_violated_by_a_fence_larger_than_the_last_but_not_than_all() {
            assertThat(holds(monitor, entered(1, 1), entered(1, 9), entered(2, 5), entered(2, 6)))
                    .isFalse();
        }

        @Test
        void stays_violated() {
            assertThat(holds(monitor, entered(1, 7), entered(2, 6), entered(3, 8)))
                    .isFalse();
        }

        @Test
        void a_crash_does_not_allow_an_old_fence() {
            assertThat(holds(monitor, entered(1, 7), crashed(1), restarted(1), entered(1, 7)))
                    .isFalse();
        }
    }

    @Nested
    class HappenedBeforeOrder {
        private final MutexMonitors.HappenedBeforeOrder monitor = new MutexMonitors.HappenedBeforeOrder();

        @Test
        void holds_if_the_earlier_request_is_granted_first() {
            assertThat(holds(monitor, requested(1), requested(2, 1), entered(1), exited(1), entered(2)))
                    .isTrue();
        }

        @Test
        void is_violated_if_the_later_request_is_granted_first() {
            assertThat(holds(monitor, requested(1), requested(2, 1), entered(2)))
                    .isFalse();
            assertThat(holds(
                            monitor, requested(1), requested(2), requested(3, 1, 2), entered(1), exited(1), entered(3)))
                    .isFalse();
        }

        @Test
        void stays_violated() {
            assertThat(holds(monitor, requested(1), requested(2, 1), entered(2), exited(2), entered(1), exited(1)))
                    .isFalse();
        }

        @Test
        void concurrent_requests_have_no_order() {
            assertThat(holds(monitor, requested(1), requested(2), entered(2), exited(2), entered(1)))
                    .isTrue();
        }

        @Test
        void a_crashed_node_precedes_no_request() {
            assertThat(holds(monitor, requested(1), requested(2, 1), crashed(1), entered(2)))
                    .isTrue();
            assertThat(holds(
                            monitor, requested(1), requested(2, 1), crashed(1), restarted(1), requested(1), entered(2)))
                    .isTrue();
        }

        @Test
        void a_new_request_of_a_node_does_not_inherit_the_order_of_its_last_one() {
            assertThat(holds(monitor, requested(1), requested(2, 1), entered(1), exited(1), requested(1), entered(2)))
                    .isTrue();
            assertThat(holds(
                            monitor, requested(1), requested(2, 1), entered(1), exited(1), requested(1, 2), entered(1)))
                    .isFalse();
        }
    }

    @Nested
    class BoundedWaiting {
        private final MutexMonitors.BoundedWaiting monitor = new MutexMonitors.BoundedWaiting(1);

        @Test
        void holds_if_a_waiter_is_bypassed_up_to_the_bound() {
            assertThat(holds(monitor, requested(1), entered(2), exited(2), entered(1)))
                    .isTrue();
        }

        @Test
        void is_violated_for_good_by_one_more_bypass_than_the_bound() {
            assertThat(holds(monitor, requested(1), entered(2), exited(2), entered(3)))
                    .isFalse();
            assertThat(holds(monitor, requested(1), entered(2), exited(2), entered(3), exited(3), entered(1)))
                    .isFalse();
        }

        @Test
        void only_waiters_are_bypassed() {
            assertThat(holds(
                            monitor, entered(2), exited(2), entered(3), exited(3), requested(1), entered(2), exited(2)))
                    .isTrue();
        }

        @Test
        void every_request_starts_a_new_count() {
            assertThat(holds(
                            monitor,
                            requested(1),
                            entered(2),
                            exited(2),
                            entered(1),
                            exited(1),
                            requested(1),
                            entered(3)))
                    .isTrue();
            assertThat(holds(monitor, requested(1), entered(2), crashed(1), restarted(1), requested(1), entered(3)))
                    .isTrue();
        }

        @Test
        void the_largest_bypass_is_the_maximum_over_all_waiters() {
            var events = new ObservableEvent[] {
                requested(1), entered(2), requested(3), entered(2), entered(1), entered(2), entered(3)
            };
            assertThat(state(monitor, events).largestBypass()).isEqualTo(3);
            assertThat(state(monitor, requested(1), entered(1)).largestBypass()).isZero();
        }
    }
}
