package habemus.mutex;

import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeSet;

/**
 * More than half of the coordinators, so that any two majorities share one.
 *
 * @param coordinators how many there are: the nodes with the lowest numbers; 0 for all
 * @param quorumSize how many it takes; 0 for just more than half
 */
public record MajorityQuorum(int coordinators, int quorumSize) {

    public MajorityQuorum {
        if (coordinators < 0 || quorumSize < 0) {
            throw new IllegalArgumentException("there are no fewer than none");
        }
    }

    /** @throws IllegalArgumentException if there are not so many, or it takes more or too few of them */
    public NodeSet coordinators(Neighbourhood neighbourhood) {
        var all = neighbourhood.peers().with(neighbourhood.self()).toList();
        if (coordinators > all.size()) {
            throw new IllegalArgumentException(all.size() + " nodes cannot have " + coordinators + " coordinators");
        }
        var some = NodeSet.of(all.subList(0, coordinators == 0 ? all.size() : coordinators));
        if (required(some) > some.size() || 2 * required(some) <= some.size()) {
            throw new IllegalArgumentException(required(some) + " of " + some.size()
                    + " coordinators: it takes more than half, and no more than all");
        }
        return some;
    }

    public boolean isReached(NodeSet granted, NodeSet all) {
        return granted.size() >= required(all);
    }

    private int required(NodeSet all) {
        return quorumSize == 0 ? all.size() / 2 + 1 : quorumSize;
    }
}
