package habemus.world;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.util.ArrayList;
import java.util.List;

/**
 * The changes of a membership in their order. After each change the next view begins; view 0 has the nodes that start
 * first.
 */
public record MembershipHistory(List<ViewChange> changes) {

    /** @param joins whether the node joins; else it leaves */
    public record ViewChange(NodeId node, boolean joins) {}

    public static final MembershipHistory EMPTY = new MembershipHistory(List.of());

    public MembershipHistory {
        changes = List.copyOf(changes);
    }

    public MembershipHistory with(ViewChange next) {
        var longer = new ArrayList<>(changes);
        longer.add(next);
        return new MembershipHistory(longer);
    }

    /** The number of the latest view. */
    public int view() {
        return changes.size();
    }

    /** Whether the other history begins with all changes of this one, and then has this change. */
    public boolean isFollowedBy(ViewChange next, MembershipHistory other) {
        return other.view() > view() && other.changes.get(view()).equals(next);
    }

    /** The members after all changes. */
    public NodeSet members(NodeSet first) {
        var members = first;
        for (var change : changes) {
            members = change.joins ? members.with(change.node) : members.without(change.node);
        }
        return members;
    }

    /** Whether the node has joined, and may have left again. */
    public boolean hasJoined(NodeId node) {
        return changes.contains(new ViewChange(node, true));
    }
}
