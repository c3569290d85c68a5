package habemus.lab.picture;

import habemus.protocol.NodeId;

/**
 * A node's condition for a while.
 *
 * @param from the index of the line that began it
 * @param to the index of the line that ended it; the number of lines if it lasts
 */
record Span(NodeId node, Condition condition, int from, int to) {

    /** Whether it holds just after this line. */
    boolean covers(int line) {
        return from <= line && line < to;
    }
}
