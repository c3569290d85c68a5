package habemus.lab.experiment;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.time.Duration;
import java.util.List;

/** Something that a user does to a run at the cursor: see {@link Fork}. */
public sealed interface Intervention {

    record Crash(NodeId node) implements Intervention {}

    /** @param amnesia whether the durable state is lost */
    record Restart(NodeId node, boolean amnesia) implements Intervention {}

    record Pause(NodeId node) implements Intervention {}

    record Resume(NodeId node) implements Intervention {}

    /** @param groups at least two; a node in no group stays connected to all */
    record Partition(List<NodeSet> groups) implements Intervention {
        public Partition {
            groups = List.copyOf(groups);
        }
    }

    /** @param groups those of the partition that ends; empty: every partition ends */
    record Heal(List<NodeSet> groups) implements Intervention {
        public Heal {
            groups = List.copyOf(groups);
        }
    }

    /** @param message the number of a message that has not arrived */
    record Lose(long message) implements Intervention {}

    /** @param message the number of a message that has not arrived */
    record Duplicate(long message) implements Intervention {}

    /**
     * @param message the number of a message that has not arrived
     * @param by how much later it arrives than it would
     */
    record Delay(long message, Duration by) implements Intervention {}

    /**
     * In a run that is given move by move.
     *
     * @param message the number of a message that has not arrived
     * @param moves after how many more moves it arrives
     */
    record DelayByMoves(long message, int moves) implements Intervention {}

    /** The application of the node requests the lock once more. */
    record Acquire(NodeId node) implements Intervention {}

    /** The node starts an election. */
    record Campaign(NodeId node) implements Intervention {}

    /** @param text one or more moves of a run that is given move by move: {@code 2from1} */
    record NextMoves(String text) implements Intervention {}
}
