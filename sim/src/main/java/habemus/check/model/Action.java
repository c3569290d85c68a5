package habemus.check.model;

import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.world.Fault;
import org.jspecify.annotations.Nullable;

/**
 * Something that may happen at a node next.
 *
 * @param event what the algorithm is told; null if it is not told
 * @param pendingMessage what arrives, or does not
 * @param cut between whom no message arrives from now on, or arrives again
 */
public record Action(
        Kind kind, @Nullable Event<?> event, @Nullable PendingMessage pendingMessage, Fault.@Nullable Cut cut) {

    public enum Kind {
        REQUEST(false, null),
        RELEASE(true, null),
        TIMEOUT(true, FaultBudget.TIMEOUT),
        /** Of a peer that is down. */
        SUSPECT(true, null),
        /** Of a peer that is up. */
        WRONG_SUSPICION(false, FaultBudget.MISTAKE),
        RESTORE(true, null),
        CRASH(false, FaultBudget.CRASH),
        RESTART(false, FaultBudget.RESTART),
        AMNESIA(false, FaultBudget.AMNESIA),
        /** Links are cut: the business of no node, and so told of the first that cannot be heard. */
        PARTITION(false, FaultBudget.PARTITION),
        HEAL(true, null),
        PAUSE(false, FaultBudget.PAUSE),
        RESUME(true, null),
        RECEIVE(true, null),
        /** It arrives where nobody is. */
        DROP_AT_DOWN_NODE(true, null),
        /** It ends where the link is cut. */
        DROP_BY_PARTITION(true, null),
        LOSE(false, FaultBudget.LOSS),
        /** It arrives, and will arrive once more. */
        DUPLICATE(false, FaultBudget.DUPLICATION);

        /** Whether a run that ends before it has not come to rest. */
        public final boolean mustHappen;

        final @Nullable public FaultBudget budget;

        Kind(boolean must, @Nullable FaultBudget faultBudget) {
            this.mustHappen = must;
            this.budget = faultBudget;
        }

        /** Whether a synchronous world lets it happen only when no message is under way. */
        public boolean waitsForDelivery() {
            return this == TIMEOUT || this == SUSPECT || this == RESTORE;
        }

        /** Whether it happens even where the node stands still: it is not the node's doing. */
        public boolean isPossibleWhilePaused() {
            return this == RESUME || this == CRASH || this == PARTITION || this == HEAL || this == DROP_BY_PARTITION;
        }
    }

    public static Action of(Kind kind) {
        return new Action(kind, null, null, null);
    }

    static Action of(Kind kind, Event<?> event) {
        return new Action(kind, event, null, null);
    }

    static Action of(Kind kind, @Nullable Event<?> event, PendingMessage pendingMessage) {
        return new Action(kind, event, pendingMessage, null);
    }

    static Action of(Kind kind, Fault.Cut cut) {
        return new Action(kind, null, null, cut);
    }

    /** Who is suspected or restored; null if nobody is. */
    @Nullable
    public NodeId peer() {
        return switch (event) {
            case Event.Suspect<?>(var peer) -> peer;
            case Event.Restore<?>(var peer) -> peer;
            case null, default -> null;
        };
    }
}
