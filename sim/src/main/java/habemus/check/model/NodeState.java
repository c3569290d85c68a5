package habemus.check.model;

import habemus.protocol.Event;
import habemus.protocol.NodeSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * All there is at one node but its mail.
 *
 * @param node its index in the topology
 * @param state the algorithm's; of a node that is down, its memory
 * @param liveness whether it is up
 * @param remainingRequests how often its application will still ask
 * @param leader the number of the node it names; zero if it names nobody
 * @param causalPast those that wait and whose asking happened before what happens here next; only kept where it is judged
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
        NodeSet causalPast) {

    /** How a node is; whether it stands still is not for itself to know. */
    public enum Liveness {
        DOWN,
        UP,
        /**
         * It has just resumed, and no time has passed since: what has piled up comes in any order,
         * but that letters which came before an alarm ran out come before it: {@link PendingMessage#early}.
         */
        JUST_RESUMED
    }

    /** What the application is up to. */
    public enum AppState {
        IDLE,
        WAITING,
        HOLDING,
        /** It has asked for an election in this life of the node. */
        CANDIDATE
    }

    /** An alarm that is set, to ring so many ticks from now. */
    public record PendingTimer(Enum<?> timer, int minTicks, int maxTicks) {}

    private static final Comparator<PendingTimer> ORDER = Comparator.comparing((PendingTimer pendingTimer) ->
                    pendingTimer.timer.getDeclaringClass().getName())
            .thenComparingInt(pendingTimer -> pendingTimer.timer.ordinal());

    NodeState withState(Object next) {
        return new NodeState(node, next, liveness, appState, remainingRequests, timers, suspected, leader, causalPast);
    }

    NodeState withLiveness(Liveness next) {
        return new NodeState(node, state, next, appState, remainingRequests, timers, suspected, leader, causalPast);
    }

    public boolean isUp() {
        return liveness != Liveness.DOWN;
    }

    NodeState withAppState(AppState next) {
        return new NodeState(node, state, liveness, next, remainingRequests, timers, suspected, leader, causalPast);
    }

    NodeState afterRequest(AppState next) {
        int remaining = remainingRequests == Scope.UNBOUNDED ? remainingRequests : remainingRequests - 1;
        return new NodeState(node, state, liveness, next, remaining, timers, suspected, leader, causalPast);
    }

    NodeState withSuspected(NodeSet next) {
        return new NodeState(node, state, liveness, appState, remainingRequests, timers, next, leader, causalPast);
    }

    NodeState withLeader(int next) {
        return new NodeState(node, state, liveness, appState, remainingRequests, timers, suspected, next, causalPast);
    }

    public NodeState withCausalPast(NodeSet next) {
        return new NodeState(node, state, liveness, appState, remainingRequests, timers, suspected, leader, next);
    }

    /** Down, with nothing left but this. */
    NodeState afterCrash(Object memory) {
        return new NodeState(
                node, memory, Liveness.DOWN, AppState.IDLE, remainingRequests, List.of(), NodeSet.NONE, 0, causalPast);
    }

    NodeState withoutTimer(Enum<?> alarm) {
        return withTimers(timers.stream().filter(each -> each.timer != alarm).toList());
    }

    NodeState withTimer(PendingTimer pendingTimer) {
        var more = new ArrayList<>(withoutTimer(pendingTimer.timer).timers);
        more.add(pendingTimer);
        more.sort(ORDER);
        return withTimers(List.copyOf(more));
    }

    /** The same so many ticks later; an alarm that is overdue, as its node stands still, is so for long enough. */
    public NodeState afterTicks(int ticks) {
        if (ticks == 0) {
            return this;
        }
        return withLiveness(liveness == Liveness.JUST_RESUMED ? Liveness.UP : liveness)
                .withTimers(timers.stream()
                        .map(each -> new PendingTimer(
                                each.timer, Math.max(0, each.minTicks - ticks), Math.max(0, each.maxTicks - ticks)))
                        .toList());
    }

    /** Whether an alarm is set, and none of them may have run out yet. */
    public boolean isBeforeFirstTimeout() {
        return !timers.isEmpty() && timers.stream().allMatch(each -> each.minTicks > 0);
    }

    /** The alarm of which this choice is the ringing. */
    public PendingTimer timerOf(Action ringing) {
        return timers.stream()
                .filter(each -> new Event.Timeout<>(each.timer).equals(ringing.event()))
                .findFirst()
                .orElseThrow();
    }

    boolean mayRequest() {
        return isUp() && remainingRequests > 0 && appState != AppState.WAITING && appState != AppState.HOLDING;
    }

    private NodeState withTimers(List<PendingTimer> next) {
        return new NodeState(node, state, liveness, appState, remainingRequests, next, suspected, leader, causalPast);
    }

    /** How many ticks a time is: at least one, so that no alarm rings in the moment in which it is set. */
    static int toTicks(Duration time, Duration tick) {
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, time.dividedBy(tick)));
    }
}
