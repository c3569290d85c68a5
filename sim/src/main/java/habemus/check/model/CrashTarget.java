package habemus.check.model;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.AppState;
import java.util.Locale;

/** Which nodes may crash, by their observable role. */
public enum CrashTarget {
    ANYONE("any node"),
    BYSTANDER("a node with none of the other roles"),
    WAITER("a node that waits for the lock, or is a candidate without a leader"),
    HOLDER("a node that holds the lock, or announced itself as the leader"),
    COORDINATOR("a node on which the others depend");

    private final String description;

    CrashTarget(String description) {
        this.description = description;
    }

    public String description() {
        return description;
    }

    /** The role of a node; never {@link #ANYONE}. */
    static CrashTarget of(NodeId node, NodeState nodeState, NodeSet coordinators) {
        if (coordinators.contains(node)) {
            return COORDINATOR;
        }
        return switch (nodeState.appState()) {
            case WAITING -> WAITER;
            case HOLDING -> HOLDER;
            case IDLE, CANDIDATE -> {
                if (nodeState.leader() == node.number()) {
                    yield HOLDER;
                }
                yield nodeState.appState() == AppState.CANDIDATE && nodeState.leader() == 0 ? WAITER : BYSTANDER;
            }
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
