package habemus.mutex;

import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeSet;

/**
 * A quorum of more than half of the coordinators. Any two quorums share a coordinator.
 *
 * @param coordinators the number of coordinators, which are the nodes with the lowest numbers; 0 for all nodes
 * @param quorumSize the number of grants that an entry needs; 0 for the smallest majority
 */
public record MajorityQuorum(int coordinators, int quorumSize) {

    public MajorityQuorum {
        if (coordinators < 0 || quorumSize < 0) {
            throw new IllegalArgumentException(
                    "coordinators and quorum size must be at least 0, were " + coordinators + " and " + quorumSize);
        }
    }

    /** @throws IllegalArgumentException if there are fewer nodes, or the quorum is no majority of the coordinators */
    public NodeSet coordinators(Neighbourhood neighbourhood) {
        var nodes = neighbourhood.peers().with(neighbourhood.self()).toList();
        if (coordinators > nodes.size()) {
            throw new IllegalArgumentException(
                    "the number of coordinators must be at most " + nodes.size() + ", was " + coordinators);
        }
        var chosen = NodeSet.of(nodes.subList(0, coordinators == 0 ? nodes.size() : coordinators));
        if (required(chosen) > chosen.size() || 2 * required(chosen) <= chosen.size()) {
            throw new IllegalArgumentException(
                    "the quorum must be a majority of the " + chosen.size() + " coordinators, was " + required(chosen));
        }
        return chosen;
    }

    public boolean isReached(NodeSet granted, NodeSet coordinators) {
        return granted.size() >= required(coordinators);
    }

    private int required(NodeSet coordinators) {
        return quorumSize == 0 ? coordinators.size() / 2 + 1 : quorumSize;
    }
}
