package habemus.service.trace;

import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.world.CausalityTracker;
import habemus.world.ObservableEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Sees what can be seen of a cluster from outside, from the steps of its nodes. */
final class EventObserver {

    private final CausalityTracker causalityTracker;
    private final Map<NodeId, NodeId> leaders = new HashMap<>();
    private final Set<NodeId> requesting = new HashSet<>();
    private final Set<NodeId> holders = new HashSet<>();
    private final Map<Object, int[]> clocks = new HashMap<>();

    EventObserver(int nodes) {
        causalityTracker = new CausalityTracker(nodes);
    }

    /** A message leaves the node. */
    void sent(NodeId from, Object mail) {
        clocks.put(mail, causalityTracker.onSend(from.number()));
    }

    void received(NodeId to, Object mail) {
        var clock = clocks.remove(mail);
        if (clock != null) {
            causalityTracker.onReceive(to.number(), clock);
        }
    }

    List<ObservableEvent> beforeStep(NodeId node, Event<?> event) {
        return switch (event) {
            case Event.Acquire<?> acquire -> List.of(request(node));
            case Event.Campaign<?> campaign -> List.of(request(node));
            case Event.Release<?> release when holders.remove(node) -> List.of(new ObservableEvent.Exited(node));
            default -> List.of();
        };
    }

    private ObservableEvent request(NodeId node) {
        requesting.add(node);
        return new ObservableEvent.Requested(node, causalityTracker.onRequest(node));
    }

    List<ObservableEvent> afterStep(NodeId node, List<? extends Effect<?>> effects) {
        var events = new ArrayList<ObservableEvent>();
        for (Effect<?> effect : effects) {
            switch (effect) {
                case Effect.Grant<?>(var fence) -> {
                    causalityTracker.stopWaiting(node);
                    requesting.remove(node);
                    holders.add(node);
                    events.add(new ObservableEvent.Entered(node, fence));
                }
                case Effect.Elected<?>(var leader, var term) -> {
                    dropLeader(node, events);
                    leaders.put(node, leader);
                    events.add(new ObservableEvent.LeaderAnnounced(node, leader, term));
                }
                case Effect.Lost<?>() -> {
                    if (holders.remove(node)) {
                        events.add(new ObservableEvent.Exited(node));
                    }
                    dropLeader(node, events);
                }
                default -> {}
            }
        }
        return events;
    }

    List<ObservableEvent> onCrash(NodeId node) {
        var events = new ArrayList<ObservableEvent>();
        dropLeader(node, events);
        causalityTracker.stopWaiting(node);
        holders.remove(node);
        events.add(new ObservableEvent.Crashed(node, requesting.remove(node)));
        return events;
    }

    private void dropLeader(NodeId node, List<ObservableEvent> events) {
        var leader = leaders.remove(node);
        if (leader != null) {
            events.add(new ObservableEvent.LeaderDropped(node, leader));
        }
    }
}
