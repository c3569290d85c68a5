package habemus.protocol;

import java.util.List;

/**
 * Where a node stands: who it is and whom it can talk to. In a ring that is the next node and the
 * previous one, in this order; elsewhere all neighbours by number. A node may also talk to itself.
 */
public record Place(NodeId self, List<NodeId> neighbours) {

    public NodeId next() {
        return neighbours.get(0);
    }

    public NodeId previous() {
        return neighbours.get(1);
    }

    public NodeSet peers() {
        return NodeSet.of(neighbours);
    }
}
