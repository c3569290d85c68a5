package habemus.check.model;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;

/**
 * A message under way.
 *
 * @param causalPast those that wait and whose asking happened before it was sent; only kept where it is judged
 * @param early whether it had arrived at a node that stands still before the first alarm there could run out
 */
public record PendingMessage(NodeId from, Object message, NodeSet causalPast, boolean early) {

    public PendingMessage(NodeId from, Object message, NodeSet past) {
        this(from, message, past, false);
    }

    public PendingMessage asEarly() {
        return new PendingMessage(from, message, causalPast, true);
    }

    public PendingMessage withoutRequest(NodeId node) {
        return causalPast.contains(node) ? new PendingMessage(from, message, causalPast.without(node), early) : this;
    }
}
