package habemus.protocol;

import java.util.Collections;
import java.util.List;

/**
 * A node's local view of the topology: its id and the nodes that it can send to. A node may also send to itself.
 *
 * @param neighbours in a ring the next and the previous node, in this order; elsewhere all neighbours by number
 */
public record Neighbourhood(NodeId self, List<NodeId> neighbours) {

    public NodeId next() {
        return neighbours.get(0);
    }

    public NodeId previous() {
        return neighbours.get(1);
    }

    /** The successor in a ring by number that skips {@code excluded}; the node itself if no other node is left. */
    public NodeId nextExcept(NodeSet excluded) {
        int successor = -1 - Collections.binarySearch(neighbours, self);
        for (int i = 0; i < neighbours.size(); i++) {
            var peer = neighbours.get((successor + i) % neighbours.size());
            if (!excluded.contains(peer)) {
                return peer;
            }
        }
        return self;
    }

    /** The same view of a complete graph with one more node. */
    public Neighbourhood with(NodeId neighbour) {
        return new Neighbourhood(self, peers().with(neighbour).toList());
    }

    public NodeSet peers() {
        return NodeSet.of(neighbours);
    }
}
