package habemus.service.trace;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.ObservableEvent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventObserverTest {

    private static final NodeId N1 = new NodeId(1);
    private static final NodeId N2 = new NodeId(2);

    private final List<ObservableEvent> events = new ArrayList<>();
    private final EventObserver observer = new EventObserver(2, events::add);

    @Test
    void a_candidate_that_campaigns_again_makes_one_request() {
        observer.beforeStep(N1, new Event.Campaign<>());
        observer.afterStep(N1, List.of(new Effect.Elected<>(N1, 1)));
        observer.beforeStep(N1, new Event.Campaign<>());
        assertThat(events)
                .containsExactly(
                        new ObservableEvent.Requested(N1, NodeSet.NONE),
                        new ObservableEvent.LeaderAnnounced(N1, N1, 1));
    }

    @Test
    void a_request_names_the_waiting_requests_that_happened_before_it() {
        observer.beforeStep(N1, new Event.Acquire<>());
        observer.onSend(N1, 7L);
        observer.onReceive(N2, 7L);
        observer.beforeStep(N2, new Event.Acquire<>());
        assertThat(events)
                .containsExactly(
                        new ObservableEvent.Requested(N1, NodeSet.NONE),
                        new ObservableEvent.Requested(N2, NodeSet.of(N1)));
    }
}
