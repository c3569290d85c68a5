package habemus.world;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.NodeId;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class DetectorMonitorsTest {

    private static final Topology THREE = Topology.complete(3);

    /** Whether the property holds after these events. */
    private static <H> boolean holds(PropertyMonitor<H> monitor, ObservableEvent... events) {
        var state = monitor.initialState();
        for (ObservableEvent event : events) {
            state = monitor.next(state, event);
        }
        return monitor.holds(state);
    }

    private static ObservableEvent suspected(int node, int peer) {
        return new ObservableEvent.Suspected(new NodeId(node), new NodeId(peer));
    }

    private static ObservableEvent restored(int node, int peer) {
        return new ObservableEvent.Restored(new NodeId(node), new NodeId(peer));
    }

    private static ObservableEvent crashed(int node) {
        return new ObservableEvent.Crashed(new NodeId(node), false);
    }

    private static ObservableEvent restarted(int node) {
        return new ObservableEvent.Restarted(new NodeId(node));
    }

    @Nested
    class Completeness {
        private final PropertyMonitor<?> monitor = new DetectorMonitors.Completeness(THREE);

        @Test
        void holds_while_all_nodes_are_up() {
            assertThat(holds(monitor)).isTrue();
        }

        @Test
        void requires_every_live_neighbour_to_suspect_a_crashed_node() {
            assertThat(holds(monitor, crashed(3), suspected(1, 3))).isFalse();
            assertThat(holds(monitor, crashed(3), suspected(1, 3), suspected(2, 3)))
                    .isTrue();
        }

        @Test
        void requires_no_suspicion_by_a_crashed_node() {
            assertThat(holds(monitor, crashed(3), suspected(1, 3), crashed(2), suspected(1, 2)))
                    .isTrue();
        }

        @Test
        void accepts_a_suspicion_before_the_crash() {
            assertThat(holds(monitor, suspected(1, 3), suspected(2, 3), crashed(3)))
                    .isTrue();
        }

        @Test
        void is_violated_if_a_crashed_node_is_restored() {
            assertThat(holds(monitor, crashed(3), suspected(1, 3), suspected(2, 3), restored(1, 3)))
                    .isFalse();
        }

        @Test
        void requires_a_restarted_node_to_suspect_again() {
            assertThat(holds(monitor, crashed(3), suspected(1, 3), suspected(2, 3), crashed(1), restarted(1)))
                    .isFalse();
        }

        @Test
        void requires_no_suspicion_by_nodes_that_are_not_neighbours() {
            var ring = new DetectorMonitors.Completeness(Topology.ring(4));
            assertThat(holds(ring, crashed(3), suspected(2, 3), suspected(4, 3)))
                    .isTrue();
        }
    }

    @Nested
    class Accuracy {
        private final PropertyMonitor<?> monitor = new DetectorMonitors.Accuracy(THREE);

        @Test
        void is_violated_by_a_suspicion_of_a_live_node() {
            assertThat(holds(monitor, suspected(1, 3))).isFalse();
        }

        @Test
        void stays_violated() {
            assertThat(holds(monitor, suspected(1, 3), restored(1, 3))).isFalse();
        }

        @Test
        void allows_a_suspicion_of_a_crashed_node() {
            assertThat(holds(monitor, crashed(3), suspected(1, 3))).isTrue();
        }

        @Test
        void allows_a_suspected_node_to_restart() {
            assertThat(holds(monitor, crashed(3), suspected(1, 3), restarted(3), restored(1, 3)))
                    .isTrue();
        }

        @Test
        void allows_one_late_suspicion_by_each_neighbour_for_each_crash() {
            assertThat(holds(monitor, crashed(3), restarted(3), suspected(1, 3), suspected(2, 3)))
                    .isTrue();
            assertThat(holds(monitor, crashed(3), restarted(3), suspected(1, 3), restored(1, 3), suspected(1, 3)))
                    .isFalse();
            assertThat(holds(monitor, crashed(3), suspected(1, 3), restarted(3), restored(1, 3), suspected(1, 3)))
                    .isFalse();
        }
    }

    @Nested
    class EventualAccuracy {
        private final PropertyMonitor<?> monitor = new DetectorMonitors.EventualAccuracy();

        @Test
        void allows_wrong_suspicions_that_are_corrected() {
            assertThat(holds(monitor, suspected(1, 3))).isFalse();
            assertThat(holds(monitor, suspected(1, 3), restored(1, 3))).isTrue();
        }

        @Test
        void allows_a_suspicion_of_a_crashed_node_only_until_its_restart() {
            assertThat(holds(monitor, crashed(3), suspected(1, 3))).isTrue();
            assertThat(holds(monitor, crashed(3), suspected(1, 3), restarted(3)))
                    .isFalse();
        }

        @Test
        void ignores_the_suspicions_of_a_crashed_node() {
            assertThat(holds(monitor, suspected(1, 3), crashed(1))).isTrue();
            assertThat(holds(monitor, suspected(1, 3), crashed(1), restarted(1)))
                    .isTrue();
        }
    }
}
