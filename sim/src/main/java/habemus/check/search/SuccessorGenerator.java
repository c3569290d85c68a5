package habemus.check.search;

import static java.util.Objects.requireNonNull;

import habemus.check.model.Action;
import habemus.check.model.FaultBudget;
import habemus.check.model.Scope;
import habemus.check.reduction.EagerDelivery;
import habemus.check.reduction.SymmetryCanonicalizer;
import habemus.check.store.GlobalStateTable;
import habemus.check.store.LocalStateTable;
import habemus.check.store.NodeTransition;
import habemus.check.store.Transition;
import habemus.world.MembershipHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Generates the successors of a state: the next-state relation. A state is an array of ids: one local state for each
 * node, then the global state. So a transition is a few table lookups. Not thread-safe.
 */
public final class SuccessorGenerator {

    /** Receives the successors of a state. */
    public interface SuccessorVisitor {

        /** @param state valid during this call only */
        void onSuccessor(int node, Transition transition, int[] state);

        /** The step of the algorithm failed: a protocol bug, or an impure step. */
        void onFailure(int node, Transition transition);
    }

    private final LocalStateTable localStates;
    private final GlobalStateTable globalStates;
    private final @Nullable EagerDelivery eagerDelivery;
    private final @Nullable SymmetryCanonicalizer canonicalizer;
    private final boolean synchronous;
    private final int maxInFlight;
    private final boolean hasPartitions;
    private final boolean hasPauses;
    private final boolean isMembershipDynamic;
    private final int nodes;
    private final int[] next;
    private boolean budgetExhausted; // whether a transition that must happen has no budget left

    /**
     * @param eagerDelivery null if every delivery is a transition of its own
     * @param canonicalizer null if the search distinguishes all node ids
     */
    SuccessorGenerator(
            Scope scope,
            LocalStateTable localStates,
            GlobalStateTable globalStates,
            @Nullable EagerDelivery eagerDelivery,
            @Nullable SymmetryCanonicalizer canonicalizer) {
        this.eagerDelivery = eagerDelivery;
        this.canonicalizer = canonicalizer;
        this.localStates = localStates;
        this.globalStates = globalStates;
        synchronous = scope.isSynchronous();
        maxInFlight = scope.timers().maxInFlight();
        hasPartitions = FaultBudget.PARTITION.initial(scope) > 0;
        hasPauses = FaultBudget.PAUSE.initial(scope) > 0;
        isMembershipDynamic = scope.isMembershipDynamic();
        nodes = scope.topology().size();
        next = new int[nodes + 1];
    }

    /** The number of ints of a state. */
    public int width() {
        return nodes + 1;
    }

    public enum StateKind {
        /** The bound of the scope ends the search at this state. */
        BEYOND_BOUND,
        /** No transition must happen any more. */
        QUIESCENT,
        /** A transition must happen, but the scope does not allow it any more. */
        BUDGET_EXHAUSTED,
        ACTIVE
    }

    /** Calls the visitor for each successor of a state, unless the state is beyond the bound. */
    public StateKind expand(int[] from, SuccessorVisitor visitor) {
        for (int node = 0; node < nodes; node++) {
            if (localStates.isBeyondBound(from[node])) {
                return StateKind.BEYOND_BOUND;
            }
        }
        boolean networkIdle = isNetworkIdle(from);
        boolean quiescent = true;
        budgetExhausted = false;
        for (int node = 0; node < nodes; node++) {
            quiescent &= expand(from, node, networkIdle, visitor);
        }
        return !quiescent ? StateKind.ACTIVE : budgetExhausted ? StateKind.BUDGET_EXHAUSTED : StateKind.QUIESCENT;
    }

    /** Whether timeouts need not wait for messages: only messages to paused nodes, or few enough, are in flight. */
    private boolean isNetworkIdle(int[] state) {
        return synchronous ? isQuiet(state) : maxInFlight == Scope.UNBOUNDED || inFlight(state) <= maxInFlight;
    }

    private boolean isQuiet(int[] state) {
        for (int node = 0; node < nodes; node++) {
            if (!localStates.isInboxEmpty(state[node]) && !isPaused(state, node)) {
                return false;
            }
        }
        return true;
    }

    private int inFlight(int[] state) {
        int messages = 0;
        for (int node = 0; node < nodes; node++) {
            messages += localStates.inboxSize(state[node]);
        }
        return messages;
    }

    /** The transitions that must not be postponed forever in a state, with or without budget. */
    public List<NodeTransition> obligations(int[] from) {
        boolean networkIdle = isNetworkIdle(from);
        var nodeTransitions = new ArrayList<NodeTransition>();
        for (int node = 0; node < nodes; node++) {
            int[] pairs = localStates.successors(from[node]);
            for (int i = 0; i < pairs.length; i += 2) {
                var transition = localStates.transition(pairs[i]);
                if (transition.kind().mustHappen
                        && isEnabled(from, node, transition, networkIdle)
                        && isDue(from, transition, networkIdle)) {
                    nodeTransitions.add(new NodeTransition(node, transition));
                }
            }
        }
        return nodeTransitions;
    }

    private boolean isDue(int[] from, Transition transition, boolean networkIdle) {
        return !synchronous
                || transition.kind() != Action.Kind.TIMEOUT
                || localStates
                                .nodeState(transition.before())
                                .timerOf(transition.action())
                                .minTicks()
                        <= maxTicksToTimeout(from, networkIdle);
    }

    private boolean isEnabled(int[] from, int node, Transition transition, boolean networkIdle) {
        var kind = transition.kind();
        if (transition.peer() >= 0 && localStates.isUp(from[transition.peer()]) == (kind == Action.Kind.SUSPECT)) {
            return false; // the detector suspects nodes that are down, and restores nodes that are up
        }
        return (networkIdle || !kind.waitsForDelivery() || mayPrecedeDelivery(from[node], kind))
                && (!hasPartitions || isPossibleUnderPartition(from[nodes], node, transition))
                && (!hasPauses || isPossibleUnderPause(from, node, kind))
                && (!isMembershipDynamic || isPossibleInView(from, node, transition));
    }

    /** The membership changes once at a time, and nodes learn of the changes in order. */
    private boolean isPossibleInView(int[] from, int node, Transition transition) {
        return switch (transition.kind()) {
            case JOIN, LEAVE -> isLastChangeComplete(from, node);
            case VIEW_CHANGE ->
                isNextChange(from, node, requireNonNull(transition.action().viewChange()));
            default -> true;
        };
    }

    /** Whether all live nodes know the last change, and no message to a node that has left is in flight. */
    private boolean isLastChangeComplete(int[] from, int actor) {
        int view = globalStates.history(from[nodes]).view();
        for (int node = 0; node < nodes; node++) {
            var nodeState = localStates.nodeStateIn(from[node]);
            boolean isBehind = nodeState.history().view() < view;
            boolean isComplete = switch (nodeState.liveness()) {
                case ABSENT -> node != actor || !isBehind;
                case DOWN -> true;
                case UP, JUST_RESUMED -> !isBehind;
                case LEFT -> localStates.isInboxEmpty(from[node]);
            };
            if (!isComplete) {
                return false;
            }
        }
        return true;
    }

    /** A node learns that a peer has left after the last message of the peer. */
    private boolean isNextChange(int[] from, int node, MembershipHistory.ViewChange change) {
        var known = localStates.nodeStateIn(from[node]).history();
        return known.isFollowedBy(change, globalStates.history(from[nodes]))
                && (change.joins() || !localStates.hasMessageFrom(from[node], change.node()));
    }

    /** Visits the successors by one node; returns whether none of its transitions must happen. */
    private boolean expand(int[] from, int node, boolean networkIdle, SuccessorVisitor visitor) {
        int[] pairs = localStates.successors(from[node]);
        boolean quiescent = true;
        for (int i = 0; i < pairs.length; i += 2) {
            var transition = localStates.transition(pairs[i]);
            var kind = transition.kind();
            if (!isEnabled(from, node, transition, networkIdle)) {
                continue;
            }
            if (kind.mustHappen) {
                boolean hasBudget =
                        globalStates.after(from[nodes], transition.globalEffect()) != GlobalStateTable.BUDGET_EXHAUSTED;
                quiescent &= !hasBudget;
                budgetExhausted |= !hasBudget;
            }
            if (synchronous && kind == Action.Kind.TIMEOUT) {
                expandTimeout(from, node, transition, networkIdle, visitor);
            } else {
                visit(from, node, transition, pairs[i + 1], visitor);
            }
        }
        return quiescent;
    }

    /** A partition drops the messages that it separates; only an existing partition heals. */
    private boolean isPossibleUnderPartition(int global, int node, Transition transition) {
        return transition.sender() >= 0
                ? globalStates.isCut(global, transition.sender(), node)
                        == (transition.kind() == Action.Kind.DROP_BY_PARTITION)
                : transition.kind() != Action.Kind.HEAL
                        || globalStates.after(global, transition.globalEffect()) != GlobalStateTable.BUDGET_EXHAUSTED;
    }

    /** A paused node does nothing; only a paused node resumes. */
    private boolean isPossibleUnderPause(int[] from, int node, Action.Kind kind) {
        return isPaused(from, node) ? kind.isPossibleWhilePaused() : kind != Action.Kind.RESUME;
    }

    /** Whether a node that has just resumed may do this before it receives the messages that wait there. */
    private boolean mayPrecedeDelivery(int localState, Action.Kind kind) {
        return localStates.isJustResumed(localState)
                && !(kind == Action.Kind.TIMEOUT && localStates.hasEarlyMessage(localState));
    }

    private boolean isPaused(int[] state, int node) {
        return hasPauses && globalStates.isPaused(state[nodes], node);
    }

    /** Lets time pass until the timer fires, unless another timer must fire before. */
    private void expandTimeout(
            int[] from, int node, Transition transition, boolean networkIdle, SuccessorVisitor visitor) {
        int latest = maxTicksToTimeout(from, networkIdle);
        var timer = localStates.nodeState(transition.before()).timerOf(transition.action());
        for (int ticks = timer.minTicks(); ticks <= Math.min(timer.maxTicks(), latest); ticks++) {
            var later = from.clone();
            for (int other = 0; other < nodes; other++) {
                later[other] = isPaused(from, other) && ticks > 0
                        ? localStates.afterPausedTicks(from[other], ticks)
                        : localStates.afterTicks(from[other], ticks);
            }
            int[] pairs = localStates.successors(later[node]);
            for (int i = 0; i < pairs.length; i += 2) {
                var same = localStates.transition(pairs[i]);
                if (same.action().equals(transition.action()) && same.branch().equals(transition.branch())) {
                    visit(later, node, same, pairs[i + 1], visitor);
                }
            }
        }
    }

    /** The ticks after which one of all timers must have fired; zero while messages are in flight. */
    private int maxTicksToTimeout(int[] state, boolean networkIdle) {
        int latest = networkIdle ? Integer.MAX_VALUE : 0;
        for (int node = 0; node < nodes; node++) {
            latest = isPaused(state, node) ? latest : Math.min(latest, localStates.maxTicksToTimeout(state[node]));
        }
        return latest;
    }

    private void visit(int[] from, int node, Transition transition, int localState, SuccessorVisitor visitor) {
        int global = globalStates.after(from[nodes], transition.globalEffect());
        if (global == GlobalStateTable.BUDGET_EXHAUSTED) {
            return;
        }
        if (transition.failure() != null) {
            visitor.onFailure(node, transition);
            return;
        }
        System.arraycopy(from, 0, next, 0, nodes);
        next[nodes] = global;
        next[node] = localState;
        localStates.deliver(next, transition.outgoing());
        if (transition.clearsRequest()) {
            for (int other = 0; other < nodes; other++) {
                next[other] = localStates.withoutRequest(next[other], node);
            }
        }
        reduce(next);
        visitor.onSuccessor(node, transition, next);
    }

    /** Replaces a state by its representative. */
    public void reduce(int[] state) {
        if (eagerDelivery != null) {
            eagerDelivery.deliverAll(state);
        }
        if (canonicalizer != null) {
            canonicalizer.canonicalize(state);
        }
    }

    /** The initial states: one, unless nodes draw random numbers when they start. */
    public List<InitialState> initialStates() {
        var initialStates = List.of(new InitialState(List.of(), new int[nodes + 1]));
        for (int node = 0; node < nodes; node++) {
            var extended = new ArrayList<InitialState>();
            for (InitialState initialState : initialStates) {
                for (Transition start : localStates.starts(node)) {
                    extended.add(initialState.withStart(start, localStates.initial(start), globalStates));
                }
            }
            initialStates = extended;
        }
        for (InitialState initialState : initialStates) {
            initialState.starts().forEach(start -> localStates.deliver(initialState.state, start.outgoing()));
        }
        return initialStates;
    }

    /** The state after the starts of all nodes, in the order of the topology. */
    public static final class InitialState {

        private final List<Transition> starts;
        private final int[] state;

        private InitialState(List<Transition> starts, int[] state) {
            this.starts = starts;
            this.state = state;
        }

        private InitialState withStart(Transition start, int localState, GlobalStateTable globalStates) {
            var next = state.clone();
            next[starts.size()] = localState;
            next[state.length - 1] = globalStates.after(state[state.length - 1], start.globalEffect());
            return new InitialState(
                    Stream.concat(starts.stream(), Stream.of(start)).toList(), next);
        }

        public List<Transition> starts() {
            return starts;
        }

        public int[] state() {
            return state.clone();
        }
    }
}
