package habemus.service.algorithm;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.WireTags;

/**
 * A frame of the membership service, between its coordinator and the members, or between a node that leaves and the
 * others.
 *
 * <pre>
 *   n4 joins                               n2 leaves
 *   n4   ── JoinRequest ──▶ n1             n1   ── Depart ─────▶ n2
 *   n1   ── Views ────────▶ all, n4        n2   ── Departing ──▶ all     its last message
 *   all  ── Known ────────▶ n1             n1   ── Views ──────▶ all
 *   n1   ── Welcome ──────▶ n4             all  ── NoMore ─────▶ n2      the last message to it
 *   n4   ── Known ────────▶ n1             n2   ── Drained ────▶ all     the last message that it forwards
 *   n1   ── Settled ──────▶ all            all  ── Known ──────▶ n1
 *                                          n1   ── Settled ────▶ all, n2
 * </pre>
 */
@WireTags({
    MembershipFrame.JoinRequest.class,
    MembershipFrame.JoinRefused.class,
    MembershipFrame.Welcome.class,
    MembershipFrame.Views.class,
    MembershipFrame.Known.class,
    MembershipFrame.Settled.class,
    MembershipFrame.LeaveRequest.class,
    MembershipFrame.LeaveDone.class,
    MembershipFrame.LeaveRefused.class,
    MembershipFrame.Depart.class,
    MembershipFrame.DepartRefused.class,
    MembershipFrame.Departing.class,
    MembershipFrame.NoMore.class,
    MembershipFrame.Drained.class
})
sealed interface MembershipFrame extends PeerFrame {

    /** The sender asks to join. Its algorithms must be those of the members. */
    record JoinRequest(ViewHistory.MemberAddress member, String locks, String elections, String detector)
            implements MembershipFrame {}

    record JoinRefused(Refusal refusal) implements MembershipFrame {}

    /** All live members know the receiver, which starts now. */
    record Welcome(ViewHistory history, NodeSet liveMembers) implements MembershipFrame {}

    /** All views that the sender knows. */
    record Views(ViewHistory history) implements MembershipFrame {}

    /** The sender knows this view, and no message of or to the node that left is in flight at the sender. */
    record Known(int view) implements MembershipFrame {}

    /** All live members know this view. */
    record Settled(int view) implements MembershipFrame {}

    /** Asks the coordinator to let a node leave. */
    record LeaveRequest(long requestId, NodeId node) implements MembershipFrame {}

    record LeaveDone(long requestId) implements MembershipFrame {}

    record LeaveRefused(long requestId, Refusal refusal) implements MembershipFrame {}

    /** The receiver leaves now, or refuses. */
    record Depart() implements MembershipFrame {}

    record DepartRefused(Refusal refusal) implements MembershipFrame {}

    /** The sender leaves. It has sent all messages of its own. */
    record Departing() implements MembershipFrame {}

    /** The sender knows that the receiver leaves. No message follows. */
    record NoMore() implements MembershipFrame {}

    /** The sender has left, and forwards no more messages. */
    record Drained() implements MembershipFrame {}
}
