package habemus.check.model;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.util.Locale;

/** Who may crash, by what can be seen of a node from outside. */
public enum CrashTarget {
    ANYONE("anyone"),
    BYSTANDER("who is nothing of the other three"),
    WAITER("who has asked to get in and is not; or wants an election and names no leader"),
    HOLDER("who is inside, or names itself the leader"),
    COORDINATOR("on whom the others depend, whoever asks");

    private final String description;

    CrashTarget(String sentence) {
        this.description = sentence;
    }

    public String description() {
        return description;
    }

    /** What a node is now, {@link #ANYONE} aside. */
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
                yield nodeState.appState() == NodeState.AppState.CANDIDATE && nodeState.leader() == 0
                        ? WAITER
                        : BYSTANDER;
            }
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
