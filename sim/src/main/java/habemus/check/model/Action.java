package habemus.check.model;

import habemus.protocol.Event;
import habemus.protocol.LogCall;
import habemus.protocol.NodeId;
import habemus.world.Fault;
import habemus.world.MembershipHistory;
import org.jspecify.annotations.Nullable;

/**
 * Something that may happen at a node next.
 *
 * @param event the event that the algorithm handles; null if it handles none
 * @param pendingMessage the message that is delivered, duplicated or dropped; null if there is none
 * @param cut the links that a partition cuts or that heal; null if there are none
 */
public record Action(
        Kind kind, @Nullable Event<?> event, @Nullable PendingMessage pendingMessage, Fault.@Nullable Cut cut) {

    public enum Kind {
        REQUEST(false, null),
        RELEASE(true, null),
        TIMEOUT(true, FaultBudget.TIMEOUT),
        /** The detector suspects a peer that is down. */
        SUSPECT(true, null),
        /** The detector suspects a peer that is up. */
        WRONG_SUSPICION(false, FaultBudget.WRONG_SUSPICION),
        RESTORE(true, null),
        PROPOSE(false, FaultBudget.PROPOSAL),
        READ(false, FaultBudget.READ),
        COMPACT(false, FaultBudget.SNAPSHOT),
        ADD_LEARNER(false, FaultBudget.MEMBER_CHANGE),
        PROMOTE(false, FaultBudget.MEMBER_CHANGE),
        REMOVE(false, FaultBudget.MEMBER_CHANGE),
        TRANSFER(false, FaultBudget.TRANSFER),
        /** The disk has synced the whole log. */
        SYNC(true, null),
        /** The disk of a node that is down loses the last entry, which was not synced. */
        LOSE_TAIL(false, FaultBudget.TAIL_LOSS),
        /** A node that is no member starts as a new one. */
        JOIN(false, FaultBudget.JOIN),
        LEAVE(false, FaultBudget.LEAVE),
        /** The node learns that a peer has joined or left. */
        VIEW_CHANGE(true, null),
        CRASH(false, FaultBudget.CRASH),
        RESTART(false, FaultBudget.RESTART),
        AMNESIA(false, FaultBudget.AMNESIA),
        /** Links are cut. The action belongs to the first node whose messages are dropped. */
        PARTITION(false, FaultBudget.PARTITION),
        HEAL(true, null),
        PAUSE(false, FaultBudget.PAUSE),
        RESUME(true, null),
        RECEIVE(true, null),
        /** The message arrives at a node that is down. */
        DROP_AT_DOWN_NODE(true, null),
        /** The message is dropped because its link is cut. */
        DROP_BY_PARTITION(true, null),
        LOSE(false, FaultBudget.LOSS),
        /** The message is delivered, and stays in flight. */
        DUPLICATE(false, FaultBudget.DUPLICATION);

        /** Whether a run cannot end while the action is possible. */
        public final boolean mustHappen;

        /** What the action uses up; null if there is no limit. */
        public final @Nullable FaultBudget budget;

        Kind(boolean mustHappen, @Nullable FaultBudget budget) {
            this.mustHappen = mustHappen;
            this.budget = budget;
        }

        /** Whether it is a fault, which need not happen. A restart, a join and a leave count as faults. */
        public boolean isFault() {
            return budget != null && budget.kind != null;
        }

        /** Whether it is possible in a synchronous world only while no message is in flight. */
        public boolean waitsForDelivery() {
            return this == TIMEOUT || this == SUSPECT || this == RESTORE;
        }

        /** Whether it is possible at a paused node, because the node itself does nothing. */
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

    /** The member that a call changes, or the next leader; null if there is none. */
    @Nullable
    public NodeId callTarget() {
        return switch (event) {
            case Event.Call<?>(LogCall.ChangeMembers(var id, var change)) -> change.node();
            case Event.Call<?>(LogCall.TransferLeadership(var to)) -> to;
            case null, default -> null;
        };
    }

    /** The node that is suspected or restored; null if there is none. */
    @Nullable
    public NodeId peer() {
        return switch (event) {
            case Event.Suspect<?>(var peer) -> peer;
            case Event.Restore<?>(var peer) -> peer;
            case null, default -> null;
        };
    }

    /** The change that the node learns of; null if there is none. */
    public MembershipHistory.@Nullable ViewChange viewChange() {
        return switch (event) {
            case Event.Joined<?>(var peer, var view) -> new MembershipHistory.ViewChange(peer, true);
            case Event.Left<?>(var peer, var view) -> new MembershipHistory.ViewChange(peer, false);
            case null, default -> null;
        };
    }
}
