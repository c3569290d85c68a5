package habemus.world;

import habemus.protocol.ByteString;
import habemus.protocol.LogCall;
import habemus.protocol.LogEntry;
import habemus.protocol.LogReply;
import habemus.protocol.LogView;
import habemus.protocol.Milestone;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.util.List;

/** An externally visible event of a run, defined without reference to the algorithm. Monitors see only these. */
public sealed interface ObservableEvent {

    /**
     * An application requests the lock, or an election.
     *
     * @param behind the waiting nodes whose requests happened before this one
     */
    record Requested(NodeId node, NodeSet behind) implements ObservableEvent {}

    record Entered(NodeId node, long fence) implements ObservableEvent {}

    /** @param limit how many threads may be in the section together with this one */
    record EnteredShared(NodeId node, int limit) implements ObservableEvent {}

    record Exited(NodeId node) implements ObservableEvent {}

    /** A thread or a shared object of a program reached another milestone than entering or leaving a section. */
    record Reported(NodeId node, Milestone milestone) implements ObservableEvent {}

    /** The node announces a leader. If it had announced another one, {@link LeaderDropped} comes first. */
    record LeaderAnnounced(NodeId node, NodeId leader, long term) implements ObservableEvent {}

    /** The node no longer considers {@code leader} the leader. */
    record LeaderDropped(NodeId node, NodeId leader) implements ObservableEvent {}

    /** The node's failure detector starts to suspect the peer. */
    record Suspected(NodeId node, NodeId peer) implements ObservableEvent {}

    /** The node's failure detector stops suspecting the peer. */
    record Restored(NodeId node, NodeId peer) implements ObservableEvent {}

    /**
     * The node crashes and loses its suspicions. If it had announced a leader, {@link LeaderDropped} comes first.
     *
     * @param asking whether it was waiting for the lock, or had requested an election
     */
    record Crashed(NodeId node, boolean asking) implements ObservableEvent {}

    record Restarted(NodeId node) implements ObservableEvent {}

    /** The node starts as a new member. */
    record Joined(NodeId node) implements ObservableEvent {}

    /**
     * The node leaves for good. If it held the lock, {@link Exited} comes first; if it had announced a leader,
     * {@link LeaderDropped}.
     *
     * @param asking whether it was waiting for the lock, or had requested an election
     */
    record Left(NodeId node, boolean asking) implements ObservableEvent {}

    /**
     * The log of the node, its term, its role or its commit index changed. After a start both views are equal; a node
     * that is down has the view of its disk.
     */
    record LogChanged(NodeId node, LogView before, LogView after) implements ObservableEvent {}

    record Applied(NodeId node, long firstIndex, List<LogEntry> entries) implements ObservableEvent {}

    record SnapshotLoaded(NodeId node, long index, ByteString snapshot) implements ObservableEvent {}

    record Called(NodeId node, LogCall call) implements ObservableEvent {}

    record Replied(NodeId node, long id, LogReply reply) implements ObservableEvent {}

    record Paused(NodeId node) implements ObservableEvent {}

    record Resumed(NodeId node) implements ObservableEvent {}

    record Partitioned(Fault.Cut cut) implements ObservableEvent {}

    record Healed(Fault.Cut cut) implements ObservableEvent {}
}
