package habemus.check.model;

import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.world.ObservableEvent;
import habemus.world.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One outcome of an action.
 *
 * @param nodeState the state of the node after the action
 * @param outputs what the node did, in order
 * @param statesDuring the state of the node at each output: a crash at that moment keeps the durable part of it
 */
public record ActionOutcome(NodeState nodeState, List<Output> outputs, List<NodeState> statesDuring) {

    /** A step, a sent message or an observable event. */
    public sealed interface Output {

        /**
         * A step of the algorithm. The next outputs are its effects.
         *
         * @param event the event that the algorithm handled; null if the node started
         */
        record StepTaken(
                @Nullable Event<?> event,
                TraceEvent.@Nullable Start start,
                Object state,
                List<? extends Effect<?>> effects)
                implements Output {}

        record MessageSent(NodeId to, Object message) implements Output {}

        record EventObserved(ObservableEvent observableEvent) implements Output {}
    }

    public List<ObservableEvent> observableEvents() {
        var events = new ArrayList<ObservableEvent>();
        for (Output output : outputs) {
            if (output instanceof Output.EventObserved(var observableEvent)) {
                events.add(observableEvent);
            }
        }
        return List.copyOf(events);
    }
}
