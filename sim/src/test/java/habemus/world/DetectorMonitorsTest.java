package habemus.world;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.NodeId;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class DetectorMonitorsTest {

    private static final Topology THREE = Topology.complete(3);

    /** Whether the property still holds after all of this. */
    private static <H> boolean holds(PropertyMonitor<H> propertyMonitor, ObservableEvent... seen) {
        var mind = propertyMonitor.initialState();
        for (ObservableEvent one : seen) {
            mind = propertyMonitor.next(mind, one);
        }
        return propertyMonitor.holds(mind);
    }

    private static ObservableEvent suspected(int node, int peer) {
        return new ObservableEvent.Suspected(new NodeId(node), new NodeId(peer));
    }

    private static ObservableEvent trusted(int node, int peer) {
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
        private final PropertyMonitor<?> propertyMonitor = new DetectorMonitors.Completeness(THREE);

        @Test
        void holds_while_all_are_up() {
            assertThat(holds(propertyMonitor)).isTrue();
        }

        @Test
        void needs_every_live_neighbour_to_suspect_the_dead() {
            assertThat(holds(propertyMonitor, crashed(3), suspected(1, 3))).isFalse();
            assertThat(holds(propertyMonitor, crashed(3), suspected(1, 3), suspected(2, 3)))
                    .isTrue();
        }

        @Test
        void needs_no_suspicion_by_the_dead() {
            assertThat(holds(propertyMonitor, crashed(3), suspected(1, 3), crashed(2), suspected(1, 2)))
                    .isTrue();
        }

        @Test
        void counts_an_early_suspicion_too() {
            assertThat(holds(propertyMonitor, suspected(1, 3), suspected(2, 3), crashed(3)))
                    .isTrue();
        }

        @Test
        void is_broken_by_trust_in_the_dead() {
            assertThat(holds(propertyMonitor, crashed(3), suspected(1, 3), suspected(2, 3), trusted(1, 3)))
                    .isFalse();
        }

        @Test
        void needs_whoever_returns_to_suspect_anew() {
            assertThat(holds(propertyMonitor, crashed(3), suspected(1, 3), suspected(2, 3), crashed(1), restarted(1)))
                    .isFalse();
        }

        @Test
        void needs_no_suspicion_of_whoever_is_not_a_neighbour() {
            var ring = new DetectorMonitors.Completeness(Topology.ring(4));
            assertThat(holds(ring, crashed(3), suspected(2, 3), suspected(4, 3)))
                    .isTrue();
        }
    }

    @Nested
    class Accuracy {
        private final PropertyMonitor<?> propertyMonitor = new DetectorMonitors.Accuracy(THREE);

        @Test
        void is_broken_by_a_suspicion_of_whoever_is_up() {
            assertThat(holds(propertyMonitor, suspected(1, 3))).isFalse();
        }

        @Test
        void stays_broken() {
            assertThat(holds(propertyMonitor, suspected(1, 3), trusted(1, 3))).isFalse();
        }

        @Test
        void allows_to_suspect_the_dead() {
            assertThat(holds(propertyMonitor, crashed(3), suspected(1, 3))).isTrue();
        }

        @Test
        void does_not_mind_that_a_suspected_node_comes_back() {
            assertThat(holds(propertyMonitor, crashed(3), suspected(1, 3), restarted(3), trusted(1, 3)))
                    .isTrue();
        }

        @Test
        void excuses_late_news_of_a_crash_that_is_over_once_for_each() {
            assertThat(holds(propertyMonitor, crashed(3), restarted(3), suspected(1, 3), suspected(2, 3)))
                    .isTrue();
            assertThat(holds(
                            propertyMonitor, crashed(3), restarted(3), suspected(1, 3), trusted(1, 3), suspected(1, 3)))
                    .isFalse();
            assertThat(holds(
                            propertyMonitor, crashed(3), suspected(1, 3), restarted(3), trusted(1, 3), suspected(1, 3)))
                    .isFalse();
        }
    }

    @Nested
    class EventualAccuracy {
        private final PropertyMonitor<?> propertyMonitor = new DetectorMonitors.EventualAccuracy();

        @Test
        void allows_mistakes_that_are_mended() {
            assertThat(holds(propertyMonitor, suspected(1, 3))).isFalse();
            assertThat(holds(propertyMonitor, suspected(1, 3), trusted(1, 3))).isTrue();
        }

        @Test
        void allows_to_suspect_the_dead_but_not_after_they_came_back() {
            assertThat(holds(propertyMonitor, crashed(3), suspected(1, 3))).isTrue();
            assertThat(holds(propertyMonitor, crashed(3), suspected(1, 3), restarted(3)))
                    .isFalse();
        }

        @Test
        void forgets_the_suspicions_of_the_dead() {
            assertThat(holds(propertyMonitor, suspected(1, 3), crashed(1))).isTrue();
            assertThat(holds(propertyMonitor, suspected(1, 3), crashed(1), restarted(1)))
                    .isTrue();
        }
    }
}
