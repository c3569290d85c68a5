package habemus.lab.diagram.model;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.util.stream.Collectors;

/** What a node does or waits for, as an observer of the run sees it. */
public sealed interface NodeCondition {

    /** Why the node takes no steps. */
    sealed interface Health extends NodeCondition {}

    record Down() implements Health {}

    record Paused() implements Health {}

    /** The node has not joined yet, or has left. */
    record Absent() implements Health {}

    /** What the node's application knows. */
    sealed interface Role extends NodeCondition {}

    /** The node requested the lock or an election, and has neither a grant nor a leader. */
    record Waiting() implements Role {}

    record Holding(long fence) implements Role {}

    /** @param limit how many threads may be in the section together with this one */
    record InSection(int limit) implements Role {}

    record Leading(long term) implements Role {}

    record Following(NodeId leader, long term) implements Role {}

    /** The node's failure detector suspects these peers, and the node has no other role. */
    record Suspecting(NodeSet peers) implements Role {}

    /** Whether at most one node should have this condition at a time. */
    default boolean isExclusive() {
        return this instanceof Holding || this instanceof Leading || this instanceof InSection(var limit) && limit == 1;
    }

    default String describe() {
        return switch (this) {
            case Down() -> "down";
            case Paused() -> "paused";
            case Absent() -> "no member";
            case Waiting() -> "waits";
            case Holding(var fence) -> "holds the lock, fence " + fence;
            case InSection(var limit) -> "in its section";
            case Leading(var term) -> "leads, term " + term;
            case Following(var leader, var term) -> "follows " + leader + ", term " + term;
            case Suspecting(var peers) ->
                "suspects " + peers.toList().stream().map(NodeId::toString).collect(Collectors.joining(" "));
        };
    }
}
