package habemus.check;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.util.Locale;

/** Who may crash, by what can be seen of a node from outside. */
public enum Victim {
    ANYONE("anyone"),
    BYSTANDER("who is nothing of the other three"),
    WAITER("who has asked to get in and is not; or wants an election and names no leader"),
    HOLDER("who is inside, or names itself the leader"),
    COORDINATOR("on whom the others depend, whoever asks");

    private final String sentence;

    Victim(String sentence) {
        this.sentence = sentence;
    }

    public String sentence() {
        return sentence;
    }

    /** What a node is now, {@link #ANYONE} aside. */
    static Victim of(NodeId node, Cell cell, NodeSet coordinators) {
        if (coordinators.contains(node)) {
            return COORDINATOR;
        }
        return switch (cell.use()) {
            case WAITING -> WAITER;
            case INSIDE -> HOLDER;
            case OUT, CANDIDATE -> {
                if (cell.leader() == node.number()) {
                    yield HOLDER;
                }
                yield cell.use() == Cell.Use.CANDIDATE && cell.leader() == 0 ? WAITER : BYSTANDER;
            }
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
