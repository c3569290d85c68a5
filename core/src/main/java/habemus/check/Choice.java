package habemus.check;

import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.world.Fault;
import org.jspecify.annotations.Nullable;

/**
 * Something that may happen at a node next.
 *
 * @param event what the algorithm is told; null if it is not told
 * @param letter what arrives, or does not
 * @param cut between whom no message arrives from now on, or arrives again
 */
record Choice(Kind kind, @Nullable Event<?> event, @Nullable Letter letter, Fault.@Nullable Cut cut) {

    enum Kind {
        ASK(false, null),
        LEAVE(true, null),
        RING(true, Toll.ALARM),
        /** Of a peer that is down. */
        SUSPECT(true, null),
        /** Of a peer that is up. */
        MISTAKE(false, Toll.MISTAKE),
        RESTORE(true, null),
        CRASH(false, Toll.CRASH),
        RESTART(false, Toll.RESTART),
        AMNESIA(false, Toll.AMNESIA),
        /** Links are cut: the business of no node, and so told of the first that cannot be heard. */
        PART(false, Toll.PARTITION),
        MEND(true, null),
        PAUSE(false, Toll.PAUSE),
        RESUME(true, null),
        RECEIVE(true, null),
        /** It arrives where nobody is. */
        VANISH(true, null),
        /** It ends where the link is cut. */
        CUT_OFF(true, null),
        LOSE(false, Toll.LOSS),
        /** It arrives, and will arrive once more. */
        DOUBLE(false, Toll.DUPLICATION);

        /** Whether a run that ends before it has not come to rest. */
        final boolean must;

        final @Nullable Toll toll;

        Kind(boolean must, @Nullable Toll toll) {
            this.must = must;
            this.toll = toll;
        }

        /** Whether a synchronous world lets it happen only when no message is under way. */
        boolean waitsForQuiet() {
            return this == RING || this == SUSPECT || this == RESTORE;
        }

        /** Whether it happens even where the node stands still: it is not the node's doing. */
        boolean isOfOthers() {
            return this == RESUME || this == CRASH || this == PART || this == MEND || this == CUT_OFF;
        }
    }

    static Choice of(Kind kind) {
        return new Choice(kind, null, null, null);
    }

    static Choice of(Kind kind, Event<?> event) {
        return new Choice(kind, event, null, null);
    }

    static Choice of(Kind kind, @Nullable Event<?> event, Letter letter) {
        return new Choice(kind, event, letter, null);
    }

    static Choice of(Kind kind, Fault.Cut cut) {
        return new Choice(kind, null, null, cut);
    }

    /** Who is suspected or restored; null if nobody is. */
    @Nullable
    NodeId peer() {
        return switch (event) {
            case Event.Suspect<?>(var peer) -> peer;
            case Event.Restore<?>(var peer) -> peer;
            case null, default -> null;
        };
    }
}
