package habemus.lab.diagram.model;

import habemus.protocol.NodeId;

/**
 * A node's condition for a while.
 *
 * @param from the index of the line that began it
 * @param to the index of the line that ended it; the number of lines if it lasts
 */
public record ConditionInterval(NodeId node, NodeCondition nodeCondition, int from, int to) {

    /** Whether it holds just after this line. */
    public boolean covers(int line) {
        return from <= line && line < to;
    }
}
