package habemus.mutex;

import habemus.protocol.NodeSet;
import habemus.protocol.Place;

/**
 * More than half of the coordinators, so that any two majorities share one.
 *
 * @param coordinators how many there are: the nodes with the lowest numbers; 0 for all
 * @param least how many it takes; 0 for just more than half
 */
public record Majority(int coordinators, int least) {

    public Majority {
        if (coordinators < 0 || least < 0) {
            throw new IllegalArgumentException("there are no fewer than none");
        }
    }

    /** @throws IllegalArgumentException if there are not so many, or it takes more or too few of them */
    public NodeSet coordinators(Place place) {
        var all = place.peers().with(place.self()).toList();
        if (coordinators > all.size()) {
            throw new IllegalArgumentException(all.size() + " nodes cannot have " + coordinators + " coordinators");
        }
        var some = NodeSet.of(all.subList(0, coordinators == 0 ? all.size() : coordinators));
        if (needed(some) > some.size() || 2 * needed(some) <= some.size()) {
            throw new IllegalArgumentException(needed(some) + " of " + some.size()
                    + " coordinators: it takes more than half, and no more than all");
        }
        return some;
    }

    public boolean isReached(NodeSet granted, NodeSet all) {
        return granted.size() >= needed(all);
    }

    private int needed(NodeSet all) {
        return least == 0 ? all.size() / 2 + 1 : least;
    }
}
