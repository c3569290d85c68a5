package habemus.world;

import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import java.util.List;

/**
 * One thing that happened in a run, as data. What is printed of a run, written to a file or drawn is a view of these.
 *
 * <p>Times are microseconds of virtual time since the beginning.
 */
public sealed interface TraceEvent {

    long at();

    /** A node made a step. */
    sealed interface NodeStep extends TraceEvent {
        NodeId node();

        Object state();

        List<? extends Effect<?>> effects();

        /** The messages that left the node, one for each receiver; those to itself are not among them. */
        List<InFlightMessage> sent();
    }

    /** How a node came up. */
    enum Start {
        FIRST,
        WITH_MEMORY,
        WITH_AMNESIA
    }

    record Started(
            long at,
            NodeId node,
            Start how,
            Object state,
            List<? extends Effect<?>> effects,
            List<InFlightMessage> sent)
            implements NodeStep {}

    /** @param messageNumber the number of the message that was received; zero if it was another event, or one to itself */
    record Step(
            long at,
            NodeId node,
            Event<?> event,
            long messageNumber,
            Object state,
            List<? extends Effect<?>> effects,
            List<InFlightMessage> sent)
            implements NodeStep {}

    record FaultInjected(long at, Fault fault) implements TraceEvent {}

    /** Why a message does not arrive, or arrives once more. */
    enum Fate {
        LOST,
        PARTITIONED,
        RECEIVER_DOWN,
        DUPLICATED
    }

    record MessageOutcome(long at, InFlightMessage message, Fate fate) implements TraceEvent {}

    /** An application spoke to another; the algorithm knows nothing of it. */
    record AppMessageSent(long at, InFlightMessage message) implements TraceEvent {}

    record AppMessageReceived(long at, InFlightMessage message) implements TraceEvent {}

    /** An application wrote to the resource, which has accepted it or not. */
    record Wrote(long at, NodeId node, long fence, boolean accepted) implements TraceEvent {}

    /** What was seen from outside, in the words of the judges. */
    record Observed(long at, ObservableEvent event) implements TraceEvent {}

    record Violated(long at, Property property) implements TraceEvent {}
}
