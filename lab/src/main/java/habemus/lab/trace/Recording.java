package habemus.lab.trace;

import habemus.protocol.Labelled;
import habemus.protocol.NodeId;
import habemus.world.TraceEvent;
import java.util.List;

/**
 * A recorded run: the trace events of all nodes, in order.
 *
 * @param nodes in the order in which diagrams show them
 */
public record Recording(String title, List<NodeId> nodes, List<TraceEvent> events) {

    public Recording {
        nodes = List.copyOf(nodes);
        events = List.copyOf(events);
    }

    /** The id of a node, and what it is if its first state says so: {@code n3 counter}. */
    public String name(NodeId node) {
        return events.stream()
                .filter(event -> event instanceof TraceEvent.Started started
                        && started.node().equals(node)
                        && started.state() instanceof Labelled)
                .map(event -> node + " " + ((Labelled) ((TraceEvent.Started) event).state()).label())
                .findFirst()
                .orElse(node.toString());
    }
}
