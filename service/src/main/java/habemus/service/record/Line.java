package habemus.service.record;

import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.WireTags;
import habemus.wire.Blob;
import java.util.List;

/**
 * One thing that a node did. Its effects tell which messages it sent: each to another node has the next number.
 *
 * <p>Times are microseconds of the wall clock.
 */
@WireTags({Line.Alive.class, Line.Started.class, Line.Stepped.class, Line.Stopped.class, Line.Stumbled.class})
public sealed interface Line<S, M> {

    long at();

    /**
     * @param memory that it came up with, as it was on disk; empty if there was none
     * @param next the number of the first message that this step sends
     */
    record Started<S, M>(long at, Blob memory, S state, List<Effect<M>> effects, long next) implements Line<S, M> {}

    record Stepped<S, M>(long at, Event<M> event, Arrival arrival, S state, List<Effect<M>> effects, long next)
            implements Line<S, M> {}

    /** Nothing happened, but the node was up: so that of one that crashed it is known when, about. */
    record Alive<S, M>(long at) implements Line<S, M> {}

    /** In good order. A trace without it was cut off by a crash. */
    record Stopped<S, M>(long at) implements Line<S, M> {}

    /** What the machine calls impossible, and why; the node stopped there. */
    record Stumbled<S, M>(long at, Event<M> event, Arrival arrival, String why) implements Line<S, M> {}

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
