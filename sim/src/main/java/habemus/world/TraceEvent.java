package habemus.world;

import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import java.util.List;

/**
 * One event of a run's trace. Printed runs, trace files and diagrams are all views of a list of these.
 *
 * <p>Times are microseconds of virtual time since the start.
 */
public sealed interface TraceEvent {

    long at();

    /** A node took a step. */
    sealed interface NodeStep extends TraceEvent {
        NodeId node();

        Object state();

        List<? extends Effect<?>> effects();

        /** The messages to other nodes, one for each receiver. Messages to itself are not included. */
        List<InFlightMessage> sent();
    }

    /** How a node started: first, after a crash with or without its durable state, or as a new member. */
    enum Start {
        FIRST,
        WITH_MEMORY,
        WITH_AMNESIA,
        AS_NEW_MEMBER
    }

    record Started(
            long at,
            NodeId node,
            Start how,
            Object state,
            List<? extends Effect<?>> effects,
            List<InFlightMessage> sent)
            implements NodeStep {}

    /** @param messageNumber the number of the received message; zero for other events and for a message to itself */
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

    /** Why a message was dropped, or that it was duplicated. */
    enum Fate {
        LOST,
        PARTITIONED,
        RECEIVER_DOWN,
        DUPLICATED
    }

    record MessageOutcome(long at, InFlightMessage message, Fate fate) implements TraceEvent {}

    /** An application sent a message to another application, outside the algorithm. */
    record AppMessageSent(long at, InFlightMessage message) implements TraceEvent {}

    record AppMessageReceived(long at, InFlightMessage message) implements TraceEvent {}

    /** An application wrote to the protected resource, which accepted or refused the write. */
    record Wrote(long at, NodeId node, long fence, boolean accepted) implements TraceEvent {}

    /** An event that the property monitors see. */
    record Observed(long at, ObservableEvent event) implements TraceEvent {}

    record Violated(long at, Property property) implements TraceEvent {}

    /** A property that does not count in this run is not true from here on: the algorithm does not guarantee it. */
    record NotGuaranteed(long at, Property property) implements TraceEvent {}
}
