package habemus.world;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.time.Duration;
import java.util.List;

/** What can go wrong, and what mends it. */
public sealed interface Fault {

    /** The node stops and forgets everything but its memory. */
    record Crash(NodeId node) implements Fault {}

    /** @param amnesia whether the memory is lost too */
    record Restart(NodeId node, boolean amnesia) implements Fault {}

    /** The node stands still; what happens to it meanwhile waits. */
    record Pause(NodeId node) implements Fault {}

    record Resume(NodeId node) implements Fault {}

    /** No message gets through from one side to the other, nor back if {@code bothWays}. */
    record Cut(NodeSet from, NodeSet to, boolean bothWays) implements Fault {
        public boolean separates(NodeId sender, NodeId receiver) {
            return from.contains(sender) && to.contains(receiver)
                    || bothWays && from.contains(receiver) && to.contains(sender);
        }
    }

    record HealCut(Cut cut) implements Fault {}

    /** Messages on this link take so many times longer; 1 is back to normal. */
    record Slow(NodeId from, NodeId to, double factor) implements Fault {
        public Slow {
            if (!(factor > 0 && factor < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("a link is slower by a positive factor, not by " + factor);
            }
        }
    }

    /** The node's failure detector wrongly suspects the peer, until corrected. */
    record WrongSuspicion(NodeId node, NodeId peer) implements Fault {}

    record Correct(NodeId node, NodeId peer) implements Fault {}

    /** From now on nothing is cut, paused, slow, lost, doubled or wrongly suspected. Who is down stays down. */
    record Heal() implements Fault {}

    /** A fault and when it strikes. */
    record PlannedFault(Duration at, Fault fault) {
        public PlannedFault {
            if (at.isNegative()) {
                throw new IllegalArgumentException("nothing strikes before the beginning: " + at);
            }
        }
    }

    /** The nodes that it names. */
    default List<NodeId> nodes() {
        return switch (this) {
            case Crash(var node) -> List.of(node);
            case Restart(var node, var amnesia) -> List.of(node);
            case Pause(var node) -> List.of(node);
            case Resume(var node) -> List.of(node);
            case Cut(var from, var to, var bothWays) -> from.with(to).toList();
            case HealCut(var cut) -> cut.nodes();
            case Slow(var from, var to, var factor) -> List.of(from, to);
            case WrongSuspicion(var node, var peer) -> List.of(node, peer);
            case Correct(var node, var peer) -> List.of(node, peer);
            case Heal() -> List.of();
        };
    }
}
