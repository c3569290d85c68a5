package habemus.service.trace;

import habemus.protocol.ByteString;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeSet;
import habemus.protocol.WireTags;
import java.util.List;

/**
 * One record of a node's trace. The messages that a step sends to other nodes have consecutive numbers, in the order of
 * its effects.
 *
 * <p>Times are microseconds of the wall clock.
 */
@WireTags({
    RecordedStep.Alive.class,
    RecordedStep.Started.class,
    RecordedStep.Stepped.class,
    RecordedStep.Stopped.class,
    RecordedStep.StepFailed.class,
    RecordedStep.StartedInView.class
})
public sealed interface RecordedStep<S, M> {

    long at();

    /**
     * @param durableState with which the node has started; empty if there was none
     * @param firstMessageNumber number of the first message that this step sends
     */
    record Started<S, M>(long at, ByteString durableState, S state, List<Effect<M>> effects, long firstMessageNumber)
            implements RecordedStep<S, M> {}

    /**
     * The node has started in a later view than the first, or as a new member.
     *
     * @param peers the other members of the view
     * @param joins whether the node has started with {@link habemus.protocol.MembershipAware#join}
     * @param durableState with which the node has started; empty if there was none
     * @param firstMessageNumber number of the first message that this step sends
     */
    record StartedInView<S, M>(
            long at,
            NodeSet peers,
            long view,
            boolean joins,
            ByteString durableState,
            S state,
            List<Effect<M>> effects,
            long firstMessageNumber)
            implements RecordedStep<S, M> {}

    record Stepped<S, M>(
            long at, Event<M> event, Arrival arrival, S state, List<Effect<M>> effects, long firstMessageNumber)
            implements RecordedStep<S, M> {}

    /** The node was up at this time. Shows about when a node has crashed. */
    record Alive<S, M>(long at) implements RecordedStep<S, M> {}

    /** The node was stopped. A trace without this record ends with a crash. */
    record Stopped<S, M>(long at) implements RecordedStep<S, M> {}

    /** The protocol has rejected an event as impossible; the node has stopped. */
    record StepFailed<S, M>(long at, Event<M> event, Arrival arrival, String reason) implements RecordedStep<S, M> {}

    /**
     * Identifies a received message.
     *
     * @param incarnation of the sender
     * @param number given by the sender; zero if the event is no message of another node
     */
    record Arrival(long incarnation, long number) {

        public static final Arrival NONE = new Arrival(0, 0);
    }
}
