package habemus.check;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;

/**
 * A message under way.
 *
 * @param past those that wait and whose asking happened before it was sent; only kept where it is judged
 */
record Letter(NodeId from, Object message, NodeSet past) {

    Letter forgetting(NodeId node) {
        return past.contains(node) ? new Letter(from, message, past.without(node)) : this;
    }
}
