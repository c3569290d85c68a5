package habemus.world;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;

/** What can be seen of a run from outside, without knowing the algorithm. */
public sealed interface ObservableEvent {

    /**
     * An application wants to get in, or wants an election.
     *
     * @param behind those that wait already, and whose asking happened before this one
     */
    record Requested(NodeId node, NodeSet behind) implements ObservableEvent {}

    record Entered(NodeId node, long fence) implements ObservableEvent {}

    record Exited(NodeId node) implements ObservableEvent {}

    /** The node says who leads. It has disowned before whom it named before. */
    record LeaderAnnounced(NodeId node, NodeId leader, long term) implements ObservableEvent {}

    /** The node no longer says that {@code leader} leads. */
    record LeaderDropped(NodeId node, NodeId leader) implements ObservableEvent {}

    /** The node's own detector takes the peer for dead. */
    record Suspected(NodeId node, NodeId peer) implements ObservableEvent {}

    /** It does so no longer. */
    record Restored(NodeId node, NodeId peer) implements ObservableEvent {}

    /**
     * The node is down, and its suspicions are forgotten. It has disowned its leader before.
     *
     * @param asking whether it was waiting to get in, or had asked for an election
     */
    record Crashed(NodeId node, boolean asking) implements ObservableEvent {}

    record Restarted(NodeId node) implements ObservableEvent {}

    record Paused(NodeId node) implements ObservableEvent {}

    record Resumed(NodeId node) implements ObservableEvent {}

    record Partitioned(Fault.Cut cut) implements ObservableEvent {}

    record Healed(Fault.Cut cut) implements ObservableEvent {}
}
