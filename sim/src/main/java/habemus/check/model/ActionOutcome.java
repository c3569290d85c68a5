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
 * What became of a choice.
 *
 * @param nodeState the node's afterwards
 * @param outputs what it did, in order
 * @param statesDuring the cell when each of them was done: a crash at that moment leaves what this one remembers
 */
public record ActionOutcome(NodeState nodeState, List<Output> outputs, List<NodeState> statesDuring) {

    /** Something that left the node, or can be told of it. */
    public sealed interface Output {

        /**
         * A step of the algorithm. What follows are its effects.
         *
         * @param event what was told to it; null if it came up
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
        var seen = new ArrayList<ObservableEvent>();
        for (Output output : outputs) {
            if (output instanceof Output.EventObserved(var observableEvent)) {
                seen.add(observableEvent);
            }
        }
        return List.copyOf(seen);
    }
}
