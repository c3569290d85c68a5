package habemus.world;

import habemus.protocol.NodeId;

/** A call of an application of a replicated log. Its number is unique only at its node. */
public record CallId(NodeId node, long id) implements Comparable<CallId> {

    @Override
    public int compareTo(CallId other) {
        int byNode = node.compareTo(other.node);
        return byNode != 0 ? byNode : Long.compare(id, other.id);
    }
}
