package habemus.protocol;

import java.util.Collections;
import java.util.List;

/**
 * Where a node stands: who it is and whom it can talk to. In a ring that is the next node and the
 * previous one, in this order; elsewhere all neighbours by number. A node may also talk to itself.
 */
public record Neighbourhood(NodeId self, List<NodeId> neighbours) {

    public NodeId next() {
        return neighbours.get(0);
    }

    public NodeId previous() {
        return neighbours.get(1);
    }

    /** The next by number, if all stood in a circle, that is not left out; the node itself if nobody else is left. */
    public NodeId nextExcept(NodeSet excluded) {
        int after = -1 - Collections.binarySearch(neighbours, self);
        for (int i = 0; i < neighbours.size(); i++) {
            var peer = neighbours.get((after + i) % neighbours.size());
            if (!excluded.contains(peer)) {
                return peer;
            }
        }
        return self;
    }

    public NodeSet peers() {
        return NodeSet.of(neighbours);
    }
}
