package habemus.world;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;

/** What can be seen of a run from outside, without knowing the algorithm. */
public sealed interface Happening {

    /**
     * An application wants to get in, or wants an election.
     *
     * @param behind those that wait already, and whose asking happened before this one
     */
    record Asked(NodeId node, NodeSet behind) implements Happening {}

    record Entered(NodeId node, long fence) implements Happening {}

    record Left(NodeId node) implements Happening {}

    /** The node says who leads. It has disowned before whom it named before. */
    record Named(NodeId node, NodeId leader, long term) implements Happening {}

    /** The node no longer says that {@code leader} leads. */
    record Disowned(NodeId node, NodeId leader) implements Happening {}

    /** The node's own detector takes the peer for dead. */
    record Suspected(NodeId node, NodeId peer) implements Happening {}

    /** It does so no longer. */
    record Trusted(NodeId node, NodeId peer) implements Happening {}

    /**
     * The node is down, and its suspicions are forgotten. It has disowned its leader before.
     *
     * @param asking whether it was waiting to get in, or had asked for an election
     */
    record Crashed(NodeId node, boolean asking) implements Happening {}

    record Restarted(NodeId node) implements Happening {}

    record Paused(NodeId node) implements Happening {}

    record Resumed(NodeId node) implements Happening {}

    record Parted(Fault.Cut cut) implements Happening {}

    record Mended(Fault.Cut cut) implements Happening {}
}
