package habemus.lab.diagram.model;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.util.stream.Collectors;

/** What a node is for a while, as seen from outside. */
public sealed interface NodeCondition {

    /** Whether it can act. */
    sealed interface Health extends NodeCondition {}

    record Down() implements Health {}

    record Paused() implements Health {}

    /** What its application was told. */
    sealed interface Role extends NodeCondition {}

    /** It has asked to get in, or for an election, and knows of no leader yet. */
    record Waiting() implements Role {}

    record Holding(long fence) implements Role {}

    record Leading(long term) implements Role {}

    record Following(NodeId leader, long term) implements Role {}

    /** Its detector takes these for dead, and nothing else is known of it. */
    record Suspecting(NodeSet peers) implements Role {}

    /** Of these there should never be two at a time. */
    default boolean isExclusive() {
        return this instanceof Holding || this instanceof Leading;
    }

    default String describe() {
        return switch (this) {
            case Down() -> "down";
            case Paused() -> "paused";
            case Waiting() -> "waits";
            case Holding(var fence) -> "inside, fence " + fence;
            case Leading(var term) -> "leads, term " + term;
            case Following(var leader, var term) -> "follows " + leader + ", term " + term;
            case Suspecting(var peers) ->
                "suspects " + peers.toList().stream().map(NodeId::toString).collect(Collectors.joining(" "));
        };
    }
}
