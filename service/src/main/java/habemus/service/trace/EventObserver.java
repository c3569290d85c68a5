package habemus.service.trace;

import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.world.AppState;
import habemus.world.CausalityTracker;
import habemus.world.NodeObserver;
import habemus.world.ObservableEvent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Derives the observable events of a recorded run from the steps of its nodes. */
public final class EventObserver extends NodeObserver {

    private final CausalityTracker causalityTracker;
    private final Consumer<ObservableEvent> listener;
    private final Map<NodeId, AppState> appStates = new HashMap<>();
    private final Map<NodeId, Integer> leaders = new HashMap<>();
    private final Map<Object, int[]> clocks = new HashMap<>(); // of messages in flight

    public EventObserver(int nodes, Consumer<ObservableEvent> listener) {
        causalityTracker = new CausalityTracker(nodes);
        this.listener = listener;
    }

    void onSend(NodeId from, Object messageNumber) {
        clocks.put(messageNumber, causalityTracker.onSend(from.number()));
    }

    void onReceive(NodeId to, Object messageNumber) {
        var clock = clocks.remove(messageNumber);
        if (clock != null) {
            causalityTracker.onReceive(to.number(), clock);
        }
    }

    void beforeStep(NodeId node, Event<?> event) {
        beforeStep(node, event, () -> causalityTracker.onRequest(node));
    }

    public void afterStep(NodeId node, List<? extends Effect<?>> effects) {
        effects.forEach(effect -> onEffect(node, effect));
    }

    @Override
    protected AppState appState(NodeId node) {
        return appStates.getOrDefault(node, AppState.IDLE);
    }

    @Override
    protected void setAppState(NodeId node, AppState next) {
        appStates.put(node, next);
        if (next == AppState.IDLE || next == AppState.HOLDING) {
            causalityTracker.stopWaiting(node);
        }
    }

    @Override
    protected int leader(NodeId node) {
        return leaders.getOrDefault(node, 0);
    }

    @Override
    protected void setLeader(NodeId node, int leader) {
        leaders.put(node, leader);
    }

    @Override
    protected void observe(ObservableEvent event) {
        listener.accept(event);
    }
}
