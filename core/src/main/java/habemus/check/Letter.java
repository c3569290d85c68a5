package habemus.check;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;

/**
 * A message under way.
 *
 * @param past those that wait and whose asking happened before it was sent; only kept where it is judged
 * @param early whether it had arrived at a node that stands still before the first alarm there could run out
 */
record Letter(NodeId from, Object message, NodeSet past, boolean early) {

    Letter(NodeId from, Object message, NodeSet past) {
        this(from, message, past, false);
    }

    Letter inTime() {
        return new Letter(from, message, past, true);
    }

    Letter forgetting(NodeId node) {
        return past.contains(node) ? new Letter(from, message, past.without(node), early) : this;
    }
}
