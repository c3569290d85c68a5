package habemus.check;

import habemus.protocol.NodeId;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a search takes for granted until it learns better.
 *
 * @param order whether letters may hurry, but for those in doubt
 * @param group the renamings that nobody is thought to notice; the first changes nothing
 * @param doubts what is learned
 */
record Assumptions(boolean order, List<Renaming> group, Doubts doubts) {

    /** Nothing but what is so. */
    static Assumptions none(List<NodeId> nodes) {
        return new Assumptions(false, List.of(Renaming.none(nodes)), new Doubts());
    }

    /** Whether nobody has noticed any of the renamings yet. */
    boolean groupStands() {
        return group.stream().allMatch(doubts::allow);
    }

    /** For the report. */
    List<String> reductions() {
        return Stream.of(order ? "order" : "", symmetry() ? "symmetry" : "")
                .filter(name -> !name.isEmpty())
                .toList();
    }

    /** Whether one renaming at least changes something. */
    boolean symmetry() {
        return group.size() > 1;
    }
}
