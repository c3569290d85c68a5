package habemus.lab.trace;

import habemus.protocol.Labelled;
import habemus.protocol.NodeId;
import habemus.world.TraceEvent;
import java.util.List;

/**
 * A recorded run: the trace events of all nodes, in order.
 *
 * @param nodes in the order in which diagrams show them
 * @param timeScale what the times of the events mean
 */
public record Recording(
        String title, List<NodeId> nodes, List<TraceEvent> events, NodeNames names, TimeScale timeScale) {

    /** A simulated or real run, whose nodes are shown by their ids. */
    public Recording(String title, List<NodeId> nodes, List<TraceEvent> events) {
        this(title, nodes, events, NodeNames.NONE, TimeScale.MILLIS);
    }

    /** A checked run, whose nodes are shown by their ids. */
    public static Recording ofSteps(String title, List<NodeId> nodes, List<TraceEvent> events) {
        return new Recording(title, nodes, events, NodeNames.NONE, TimeScale.STEPS);
    }

    public Recording {
        nodes = List.copyOf(nodes);
        events = List.copyOf(events);
    }

    /** The same run up to this event, exclusively. */
    public Recording until(int end) {
        return new Recording(title, nodes, events.subList(0, end), names, timeScale);
    }

    /** The name or id of a node, and what it is if its first state says so: {@code n3 counter}. */
    public String name(NodeId node) {
        return events.stream()
                .filter(event -> event instanceof TraceEvent.Started started
                        && started.node().equals(node)
                        && started.state() instanceof Labelled)
                .map(event -> names.of(node) + " " + ((Labelled) ((TraceEvent.Started) event).state()).label())
                .findFirst()
                .orElse(names.of(node));
    }
}
