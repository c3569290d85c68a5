package habemus.service.trace;

import habemus.codec.ByteString;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.WireTags;
import java.util.List;

/**
 * One thing that a node did. Its effects tell which messages it sent: each to another node has the next number.
 *
 * <p>Times are microseconds of the wall clock.
 */
@WireTags({
    RecordedStep.Alive.class,
    RecordedStep.Started.class,
    RecordedStep.Stepped.class,
    RecordedStep.Stopped.class,
    RecordedStep.StepFailed.class
})
public sealed interface RecordedStep<S, M> {

    long at();

    /**
     * @param memory that it came up with, as it was on disk; empty if there was none
     * @param firstMessageNumber the number of the first message that this step sends
     */
    record Started<S, M>(long at, ByteString memory, S state, List<Effect<M>> effects, long firstMessageNumber)
            implements RecordedStep<S, M> {}

    record Stepped<S, M>(
            long at, Event<M> event, Arrival arrival, S state, List<Effect<M>> effects, long firstMessageNumber)
            implements RecordedStep<S, M> {}

    /** Nothing happened, but the node was up: so that of one that crashed it is known when, about. */
    record Alive<S, M>(long at) implements RecordedStep<S, M> {}

    /** In good order. A trace without it was cut off by a crash. */
    record Stopped<S, M>(long at) implements RecordedStep<S, M> {}

    /** What the machine calls impossible, and why; the node stopped there. */
    record StepFailed<S, M>(long at, Event<M> event, Arrival arrival, String reason) implements RecordedStep<S, M> {}

    /**
     * Which message it was that arrived.
     *
     * @param incarnation of its sender
     * @param number that the sender gave it; zero if nothing arrived, or something from the node itself
     */
    record Arrival(long incarnation, long number) {

        public static final Arrival NONE = new Arrival(0, 0);
    }
}
