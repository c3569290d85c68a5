package habemus.lab.trace;

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
}
