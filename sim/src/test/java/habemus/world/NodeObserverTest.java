package habemus.world;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeObserverTest {

    private static final NodeId N1 = new NodeId(1);
    private static final NodeId N2 = new NodeId(2);

    private final List<ObservableEvent> events = new ArrayList<>();
    private final NodeObserver observer = new NodeObserver() {
        private AppState appState = AppState.IDLE;
        private int leader;

        @Override
        protected AppState appState(NodeId node) {
            return appState;
        }

        @Override
        protected void setAppState(NodeId node, AppState next) {
            appState = next;
        }

        @Override
        protected int leader(NodeId node) {
            return leader;
        }

        @Override
        protected void setLeader(NodeId node, int next) {
            leader = next;
        }

        @Override
        protected void observe(ObservableEvent event) {
            events.add(event);
        }
    };

    private void on(Event<String> event) {
        observer.beforeStep(N1, event, () -> NodeSet.NONE);
    }

    private void on(Effect<String> effect) {
        observer.onEffect(N1, effect);
    }

    @Test
    void a_lock_is_requested_entered_and_exited() {
        on(new Event.Acquire<>());
        on(new Effect.Grant<>(7));
        on(new Event.Release<>());
        assertThat(events)
                .containsExactly(
                        new ObservableEvent.Requested(N1, NodeSet.NONE),
                        new ObservableEvent.Entered(N1, 7),
                        new ObservableEvent.Exited(N1));
    }

    @Test
    void a_release_after_the_lock_was_lost_exits_once() {
        on(new Event.Acquire<>());
        on(new Effect.Grant<>(7));
        on(new Effect.Lost<>());
        on(new Event.Release<>());
        assertThat(events).containsOnlyOnce(new ObservableEvent.Exited(N1)).hasSize(3);
    }

    @Test
    void a_candidate_that_campaigns_again_makes_one_request() {
        on(new Event.Campaign<>());
        on(new Event.Campaign<>());
        assertThat(events).containsExactly(new ObservableEvent.Requested(N1, NodeSet.NONE));
    }

    @Test
    void a_new_leader_replaces_the_old_one() {
        on(new Effect.Elected<>(N1, 1));
        on(new Effect.Elected<>(N2, 2));
        assertThat(events)
                .containsExactly(
                        new ObservableEvent.LeaderAnnounced(N1, N1, 1),
                        new ObservableEvent.LeaderDropped(N1, N1),
                        new ObservableEvent.LeaderAnnounced(N1, N2, 2));
    }

    @Test
    void a_crash_drops_the_leader_and_tells_whether_a_request_is_pending() {
        on(new Effect.Elected<>(N2, 1));
        on(new Event.Acquire<>());
        observer.onCrash(N1);
        assertThat(events).endsWith(new ObservableEvent.LeaderDropped(N1, N2), new ObservableEvent.Crashed(N1, true));
    }
}
