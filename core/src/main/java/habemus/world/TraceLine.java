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
public sealed interface TraceLine {

    long at();

    /** A node made a step. */
    sealed interface Acted extends TraceLine {
        NodeId node();

        Object state();

        List<? extends Effect<?>> effects();

        /** The messages that left the node, one for each receiver; those to itself are not among them. */
        List<Mail> sent();
    }

    /** How a node came up. */
    enum Start {
        FIRST,
        WITH_MEMORY,
        WITH_AMNESIA
    }

    record Started(long at, NodeId node, Start how, Object state, List<? extends Effect<?>> effects, List<Mail> sent)
            implements Acted {}

    /** @param mail the number of the message that was received; zero if it was another event, or one to itself */
    record Stepped(
            long at,
            NodeId node,
            Event<?> event,
            long mail,
            Object state,
            List<? extends Effect<?>> effects,
            List<Mail> sent)
            implements Acted {}

    record Struck(long at, Fault fault) implements TraceLine {}

    /** Why a message does not arrive, or arrives once more. */
    enum Fate {
        LOST,
        CUT_OFF,
        RECEIVER_DOWN,
        DUPLICATED
    }

    record Fared(long at, Mail mail, Fate fate) implements TraceLine {}

    /** An application spoke to another; the algorithm knows nothing of it. */
    record Told(long at, Mail mail) implements TraceLine {}

    record Heard(long at, Mail mail) implements TraceLine {}

    /** An application wrote to the resource, which has accepted it or not. */
    record Wrote(long at, NodeId node, long fence, boolean accepted) implements TraceLine {}

    /** What was seen from outside, in the words of the judges. */
    record Seen(long at, Happening happening) implements TraceLine {}

    record Violated(long at, Property property) implements TraceLine {}
}
