package habemus.lab.diagram.model;

import habemus.protocol.NodeId;

/**
 * A condition of a node, and the trace events between which it lasted.
 *
 * @param from the index of the event that started it
 * @param to the index of the event that ended it; the number of events if none did
 */
public record ConditionInterval(NodeId node, NodeCondition condition, int from, int to) {

    /** Whether the node has this condition just after the event with this index. */
    public boolean covers(int index) {
        return from <= index && index < to;
    }
}
