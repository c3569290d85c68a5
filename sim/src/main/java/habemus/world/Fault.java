package habemus.world;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.time.Duration;
import java.util.List;

/** A fault that a world injects, or the end of one. A change of the membership counts as a fault. */
public sealed interface Fault {

    /** The node stops and loses its state, except what it has saved durably. */
    record Crash(NodeId node) implements Fault {}

    /** @param amnesia whether the durable state is lost too */
    record Restart(NodeId node, boolean amnesia) implements Fault {}

    /** The disk of a node that is down loses up to this number of log entries that were not synced. */
    record LoseTail(NodeId node, int entries) implements Fault {}

    /** The node takes no steps. Its events are held until it resumes. */
    record Pause(NodeId node) implements Fault {}

    record Resume(NodeId node) implements Fault {}

    /** A network partition: messages between the two sides are dropped, in one direction or in both. */
    record Cut(NodeSet from, NodeSet to, boolean bothWays) implements Fault {
        public boolean separates(NodeId sender, NodeId receiver) {
            return from.contains(sender) && to.contains(receiver)
                    || bothWays && from.contains(receiver) && to.contains(sender);
        }
    }

    record HealCut(Cut cut) implements Fault {}

    /** Multiplies the latency of one directed link by this factor; 1 restores the normal latency. */
    record Slow(NodeId from, NodeId to, double factor) implements Fault {
        public Slow {
            if (!(factor > 0 && factor < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("factor must be positive and finite, was " + factor);
            }
        }
    }

    /** The timers that a node sets from now on take this many times as long; 1 restores the normal rate. */
    record ClockRate(NodeId node, double factor) implements Fault {
        public ClockRate {
            if (!(factor > 0 && factor < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("factor must be positive and finite, was " + factor);
            }
        }
    }

    /** The node's failure detector wrongly suspects the peer until {@link Correct}. */
    record WrongSuspicion(NodeId node, NodeId peer) implements Fault {}

    record Correct(NodeId node, NodeId peer) implements Fault {}

    /** The node starts as a new member. It was no member before. */
    record Join(NodeId node) implements Fault {}

    /** The node leaves for good. */
    record Leave(NodeId node) implements Fault {}

    /** Ends all partitions, pauses, slow links and clocks, loss, duplication, mistakes. Crashed nodes stay down. */
    record Heal() implements Fault {}

    /** @param at virtual time since the start of the run */
    record PlannedFault(Duration at, Fault fault) {
        public PlannedFault {
            if (at.isNegative()) {
                throw new IllegalArgumentException("time of a fault must not be negative, was " + at);
            }
        }
    }

    /** The nodes that this fault names. */
    default List<NodeId> nodes() {
        return switch (this) {
            case Crash(var node) -> List.of(node);
            case Restart(var node, var amnesia) -> List.of(node);
            case LoseTail(var node, var entries) -> List.of(node);
            case Pause(var node) -> List.of(node);
            case Resume(var node) -> List.of(node);
            case Cut(var from, var to, var bothWays) -> from.with(to).toList();
            case HealCut(var cut) -> cut.nodes();
            case Slow(var from, var to, var factor) -> List.of(from, to);
            case ClockRate(var node, var factor) -> List.of(node);
            case WrongSuspicion(var node, var peer) -> List.of(node, peer);
            case Correct(var node, var peer) -> List.of(node, peer);
            case Join(var node) -> List.of(node);
            case Leave(var node) -> List.of(node);
            case Heal() -> List.of();
        };
    }
}
