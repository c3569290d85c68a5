package habemus.check.model;

import habemus.protocol.Event;
import habemus.protocol.NodeSet;
import habemus.world.AppState;
import habemus.world.MembershipHistory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The state of one node without its inbox.
 *
 * @param node its index in the topology
 * @param state the state of the algorithm; if the node is down, its durable state
 * @param remainingRequests how often its application may still request
 * @param leader the number of the leader that it announced; zero if there is none
 * @param causalPast the waiting nodes whose requests happened before the next event here; empty unless that is checked
 * @param history the changes of the membership that the node knows
 */
public record NodeState(
        int node,
        Object state,
        Liveness liveness,
        AppState appState,
        int remainingRequests,
        List<PendingTimer> timers,
        NodeSet suspected,
        int leader,
        NodeSet causalPast,
        MembershipHistory history) {

    /** Whether a node is up. A node cannot know that it is paused, so that is not part of its state. */
    public enum Liveness {
        /** The node has not joined yet. */
        ABSENT,
        DOWN,
        UP,
        /** The node has left, and only forwards messages. */
        LEFT,
        /**
         * The node has just resumed, and no time has passed since. It handles the waiting messages and timeouts in any
         * order, except that a message that arrived before the timeout comes first: {@link PendingMessage#early}.
         */
        JUST_RESUMED
    }

    /** A timer that is set, with the ticks from now after which it may fire and must have fired. */
    public record PendingTimer(Enum<?> timer, int minTicks, int maxTicks) {}

    private static final Comparator<PendingTimer> ORDER = Comparator.comparing((PendingTimer pendingTimer) ->
                    pendingTimer.timer.getDeclaringClass().getName())
            .thenComparingInt(pendingTimer -> pendingTimer.timer.ordinal());

    NodeState withState(Object next) {
        return new NodeState(
                node, next, liveness, appState, remainingRequests, timers, suspected, leader, causalPast, history);
    }

    NodeState withLiveness(Liveness next) {
        return new NodeState(
                node, state, next, appState, remainingRequests, timers, suspected, leader, causalPast, history);
    }

    public boolean isUp() {
        return liveness != Liveness.DOWN && liveness != Liveness.ABSENT;
    }

    NodeState withAppState(AppState next) {
        return new NodeState(
                node, state, liveness, next, remainingRequests, timers, suspected, leader, causalPast, history);
    }

    NodeState withOneRequestLess() {
        int remaining = remainingRequests == Scope.UNBOUNDED ? remainingRequests : remainingRequests - 1;
        return new NodeState(
                node, state, liveness, appState, remaining, timers, suspected, leader, causalPast, history);
    }

    /** Calls to a replicated log are always counted: the count is the id of the next one. */
    NodeState withOneCallLess() {
        return new NodeState(
                node, state, liveness, appState, remainingRequests - 1, timers, suspected, leader, causalPast, history);
    }

    NodeState withSuspected(NodeSet next) {
        return new NodeState(
                node, state, liveness, appState, remainingRequests, timers, next, leader, causalPast, history);
    }

    NodeState withLeader(int next) {
        return new NodeState(
                node, state, liveness, appState, remainingRequests, timers, suspected, next, causalPast, history);
    }

    public NodeState withCausalPast(NodeSet next) {
        return new NodeState(
                node, state, liveness, appState, remainingRequests, timers, suspected, leader, next, history);
    }

    /** The node is down, and keeps only its durable state. */
    NodeState afterCrash(Object durableState) {
        return new NodeState(
                node,
                durableState,
                Liveness.DOWN,
                AppState.IDLE,
                remainingRequests,
                List.of(),
                NodeSet.NONE,
                0,
                causalPast,
                history);
    }

    /** The node leaves: it has no timers and suspects no node. */
    NodeState afterLeave(MembershipHistory next) {
        return new NodeState(
                node, state, Liveness.LEFT, appState, 0, List.of(), NodeSet.NONE, leader, causalPast, next);
    }

    NodeState withHistory(MembershipHistory next) {
        return new NodeState(
                node, state, liveness, appState, remainingRequests, timers, suspected, leader, causalPast, next);
    }

    NodeState withoutTimer(Enum<?> timer) {
        return withTimers(
                timers.stream().filter(pending -> pending.timer != timer).toList());
    }

    NodeState withTimer(PendingTimer pendingTimer) {
        var more = new ArrayList<>(withoutTimer(pendingTimer.timer).timers);
        more.add(pendingTimer);
        more.sort(ORDER);
        return withTimers(List.copyOf(more));
    }

    /** The state after some ticks; the timers of a paused node stop at zero. */
    public NodeState afterTicks(int ticks) {
        if (ticks == 0) {
            return this;
        }
        return withLiveness(liveness == Liveness.JUST_RESUMED ? Liveness.UP : liveness)
                .withTimers(timers.stream()
                        .map(pending -> new PendingTimer(
                                pending.timer,
                                Math.max(0, pending.minTicks - ticks),
                                Math.max(0, pending.maxTicks - ticks)))
                        .toList());
    }

    /** Whether a timer is set, and none may fire yet. */
    public boolean isBeforeFirstTimeout() {
        return !timers.isEmpty() && timers.stream().allMatch(pending -> pending.minTicks > 0);
    }

    /** The timer that fires in an action. */
    public PendingTimer timerOf(Action timeout) {
        return timers.stream()
                .filter(pending -> new Event.Timeout<>(pending.timer).equals(timeout.event()))
                .findFirst()
                .orElseThrow();
    }

    boolean mayRequest() {
        return isUp() && remainingRequests > 0 && appState != AppState.WAITING && appState != AppState.HOLDING;
    }

    private NodeState withTimers(List<PendingTimer> next) {
        return new NodeState(
                node, state, liveness, appState, remainingRequests, next, suspected, leader, causalPast, history);
    }

    /** A duration in ticks: at least one, so that no timer fires at the moment at which it is set. */
    static int toTicks(Duration time, Duration tick) {
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, time.toNanos() / tick.toNanos()));
    }
}
