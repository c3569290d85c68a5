package habemus.check;

import habemus.protocol.Event;
import habemus.protocol.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * Something that may happen at a node next.
 *
 * @param event what the algorithm is told; null if it is not told
 * @param letter what arrives, or does not
 */
record Choice(Kind kind, @Nullable Event<?> event, @Nullable Letter letter) {

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
        RECEIVE(true, null),
        /** It arrives where nobody is. */
        VANISH(true, null),
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
    }

    static Choice of(Kind kind) {
        return new Choice(kind, null, null);
    }

    static Choice of(Kind kind, Event<?> event) {
        return new Choice(kind, event, null);
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
