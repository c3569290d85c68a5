package habemus.check.model;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;

/**
 * A message in flight.
 *
 * @param causalPast the waiting nodes whose requests happened before it was sent; empty unless that is checked
 * @param early whether it arrived at a paused node before the first timer there could fire
 */
public record PendingMessage(NodeId from, Object message, NodeSet causalPast, boolean early) {

    public PendingMessage(NodeId from, Object message, NodeSet causalPast) {
        this(from, message, causalPast, false);
    }

    public PendingMessage asEarly() {
        return new PendingMessage(from, message, causalPast, true);
    }

    public PendingMessage withoutRequest(NodeId node) {
        return causalPast.contains(node) ? new PendingMessage(from, message, causalPast.without(node), early) : this;
    }
}
