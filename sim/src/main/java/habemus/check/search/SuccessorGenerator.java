package habemus.check.search;

import habemus.check.model.Action;
import habemus.check.model.FaultBudget;
import habemus.check.model.Scope;
import habemus.check.reduction.EagerDelivery;
import habemus.check.reduction.SymmetryCanonicalizer;
import habemus.check.store.GlobalStateTable;
import habemus.check.store.LocalStateTable;
import habemus.check.store.NodeTransition;
import habemus.check.store.Transition;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tells the states that come after a state. A state is a corner for each node, and the number of what belongs to no
 * node; so a step is a handful of numbers looked up.
 */
public final class SuccessorGenerator {

    /** Whom to tell. */
    public interface SuccessorVisitor {

        /** @param state valid during this call only */
        void onSuccessor(int node, Transition transition, int[] state);

        /** The algorithm did the impossible. */
        void onFailure(int node, Transition transition);
    }

    private final LocalStateTable localStateTable;
    private final GlobalStateTable globalStateTable;
    private final @Nullable EagerDelivery eagerDelivery;
    private final @Nullable SymmetryCanonicalizer symmetryCanonicalizer;
    private final boolean synchronous;
    private final boolean hasPartitions;
    private final boolean hasPauses;
    private final int nodes;
    private final int[] next;
    private boolean budgetExhausted; // whether something that must happen could not be paid for

    /** Tells every state as it is. */
    public SuccessorGenerator(Scope scope, LocalStateTable localStateTable, GlobalStateTable globalStateTable) {
        this(scope, localStateTable, globalStateTable, null, null);
    }

    /**
     * @param eagerDelivery what becomes of each state before it is told; null if nothing does
     * @param symmetryCanonicalizer which of several states is told in its place; null if itself
     */
    SuccessorGenerator(
            Scope scope,
            LocalStateTable localStateTable,
            GlobalStateTable globalStateTable,
            @Nullable EagerDelivery eagerDelivery,
            @Nullable SymmetryCanonicalizer symmetryCanonicalizer) {
        this.eagerDelivery = eagerDelivery;
        this.symmetryCanonicalizer = symmetryCanonicalizer;
        this.localStateTable = localStateTable;
        this.globalStateTable = globalStateTable;
        synchronous = scope.isSynchronous();
        hasPartitions = FaultBudget.PARTITION.initial(scope) > 0;
        hasPauses = FaultBudget.PAUSE.initial(scope) > 0;
        nodes = scope.topology().size();
        next = new int[nodes + 1];
    }

    /** How many numbers a state has. */
    public int width() {
        return nodes + 1;
    }

    /** What kind of state it is. */
    public enum StateKind {
        /** The bound of the scope ends the search here. */
        BEYOND_BOUND,
        /** Nothing must happen any more. */
        QUIESCENT,
        /** Something must happen, but may not any more: whatever the scope allows was used up. */
        BUDGET_EXHAUSTED,
        ACTIVE
    }

    /** Tells the sink what comes after a state, if it is not beyond the bound. */
    public StateKind expand(int[] from, SuccessorVisitor successorVisitor) {
        for (int node = 0; node < nodes; node++) {
            if (localStateTable.isBeyondBound(from[node])) {
                return StateKind.BEYOND_BOUND;
            }
        }
        boolean networkIdle = isNetworkIdle(from);
        boolean quiescent = true;
        budgetExhausted = false;
        for (int node = 0; node < nodes; node++) {
            quiescent &= expand(from, node, networkIdle, successorVisitor);
        }
        return !quiescent ? StateKind.ACTIVE : budgetExhausted ? StateKind.BUDGET_EXHAUSTED : StateKind.QUIESCENT;
    }

    /** Whether nothing has to wait for messages: none is under way but to nodes that stand still. */
    private boolean isNetworkIdle(int[] state) {
        for (int node = 0; synchronous && node < nodes; node++) {
            if (!localStateTable.isInboxEmpty(state[node]) && !isPaused(state, node)) {
                return false;
            }
        }
        return true;
    }

    /** What must not be put off for ever in a state, whether or not it can be paid for. */
    public List<NodeTransition> obligations(int[] from) {
        boolean networkIdle = isNetworkIdle(from);
        var nodeTransitions = new ArrayList<NodeTransition>();
        for (int node = 0; node < nodes; node++) {
            int[] run = localStateTable.successors(from[node]);
            for (int i = 0; i < run.length; i += 2) {
                var transition = localStateTable.transition(run[i]);
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
                || localStateTable
                                .nodeState(transition.before())
                                .timerOf(transition.action())
                                .minTicks()
                        <= maxTicksToTimeout(from, networkIdle);
    }

    private boolean isEnabled(int[] from, int node, Transition transition, boolean networkIdle) {
        var kind = transition.kind();
        if (transition.peer() >= 0 && localStateTable.isUp(from[transition.peer()]) == (kind == Action.Kind.SUSPECT)) {
            return false; // who is up is not suspected but by mistake, and who is down is not restored
        }
        return (networkIdle || !kind.waitsForDelivery() || mayPrecedeDelivery(from[node], kind))
                && (!hasPartitions || isPossibleUnderPartition(from[nodes], node, transition))
                && (!hasPauses || isPossibleUnderPause(from, node, kind));
    }

    /** What may happen at one node; tells whether nothing of it must. */
    private boolean expand(int[] from, int node, boolean networkIdle, SuccessorVisitor successorVisitor) {
        int[] run = localStateTable.successors(from[node]);
        boolean quiescent = true;
        for (int i = 0; i < run.length; i += 2) {
            var transition = localStateTable.transition(run[i]);
            var kind = transition.kind();
            if (!isEnabled(from, node, transition, networkIdle)) {
                continue;
            }
            if (kind.mustHappen) {
                boolean affordable = globalStateTable.after(from[nodes], transition.globalEffect())
                        != GlobalStateTable.BUDGET_EXHAUSTED;
                quiescent &= !affordable;
                budgetExhausted |= !affordable;
            }
            if (synchronous && kind == Action.Kind.TIMEOUT) {
                expandTimeout(from, node, transition, networkIdle, successorVisitor);
            } else {
                visit(from, node, transition, run[i + 1], successorVisitor);
            }
        }
        return quiescent;
    }

    /** Whether messages arrive, and links are mended, depends on what is cut now. */
    private boolean isPossibleUnderPartition(int global, int node, Transition transition) {
        return transition.sender() >= 0
                ? globalStateTable.isCut(global, transition.sender(), node)
                        == (transition.kind() == Action.Kind.DROP_BY_PARTITION)
                : transition.kind() != Action.Kind.HEAL
                        || globalStateTable.after(global, transition.globalEffect())
                                != GlobalStateTable.BUDGET_EXHAUSTED;
    }

    /** Who stands still does nothing, and only who stands still is resumed. */
    private boolean isPossibleUnderPause(int[] from, int node, Action.Kind kind) {
        return isPaused(from, node) ? kind.isPossibleWhilePaused() : kind != Action.Kind.RESUME;
    }

    /** Whether it may happen at a node that has just resumed, before what else has piled up there. */
    private boolean mayPrecedeDelivery(int corner, Action.Kind kind) {
        return localStateTable.isJustResumed(corner)
                && !(kind == Action.Kind.TIMEOUT && localStateTable.hasEarlyMessage(corner));
    }

    private boolean isPaused(int[] state, int node) {
        return hasPauses && globalStateTable.isPaused(state[nodes], node);
    }

    /** Time passes until the alarm is due, if no other must ring before. */
    private void expandTimeout(
            int[] from, int node, Transition transition, boolean networkIdle, SuccessorVisitor successorVisitor) {
        int latest = maxTicksToTimeout(from, networkIdle);
        var due = localStateTable.nodeState(transition.before()).timerOf(transition.action());
        for (int ticks = due.minTicks(); ticks <= Math.min(due.maxTicks(), latest); ticks++) {
            var aged = from.clone();
            for (int other = 0; other < nodes; other++) {
                aged[other] = isPaused(from, other) && ticks > 0
                        ? localStateTable.afterPausedTicks(from[other], ticks)
                        : localStateTable.afterTicks(from[other], ticks);
            }
            int[] run = localStateTable.successors(aged[node]);
            for (int i = 0; i < run.length; i += 2) {
                var same = localStateTable.transition(run[i]);
                if (same.action().equals(transition.action()) && same.branch().equals(transition.branch())) {
                    visit(aged, node, same, run[i + 1], successorVisitor);
                }
            }
        }
    }

    /** In how many ticks one of all alarms must ring; no time passes while messages are under way. */
    private int maxTicksToTimeout(int[] state, boolean networkIdle) {
        int latest = networkIdle ? Integer.MAX_VALUE : 0;
        for (int node = 0; node < nodes; node++) {
            latest = isPaused(state, node) ? latest : Math.min(latest, localStateTable.maxTicksToTimeout(state[node]));
        }
        return latest;
    }

    private void visit(int[] from, int node, Transition transition, int corner, SuccessorVisitor successorVisitor) {
        int global = globalStateTable.after(from[nodes], transition.globalEffect());
        if (global == GlobalStateTable.BUDGET_EXHAUSTED) {
            return;
        }
        if (transition.failure() != null) {
            successorVisitor.onFailure(node, transition);
            return;
        }
        System.arraycopy(from, 0, next, 0, nodes);
        next[nodes] = global;
        next[node] = corner;
        localStateTable.deliver(next, transition.outgoing());
        if (transition.clearsRequest()) {
            for (int other = 0; other < nodes; other++) {
                next[other] = localStateTable.withoutRequest(next[other], node);
            }
        }
        reduce(next);
        successorVisitor.onSuccessor(node, transition, next);
    }

    /** Makes a state the one that is met in its place. */
    public void reduce(int[] state) {
        if (eagerDelivery != null) {
            eagerDelivery.deliverAll(state);
        }
        if (symmetryCanonicalizer != null) {
            symmetryCanonicalizer.canonicalize(state);
        }
    }

    /** Every state in which a run can begin, and how: one, unless dice are rolled at the start. */
    public List<InitialState> initialStates() {
        var initialStates = List.of(new InitialState(List.of(), new int[nodes + 1]));
        for (int node = 0; node < nodes; node++) {
            var longer = new ArrayList<InitialState>();
            for (InitialState initialState : initialStates) {
                for (Transition start : localStateTable.starts(node)) {
                    longer.add(initialState.withStart(start, localStateTable.initial(start), globalStateTable));
                }
            }
            initialStates = longer;
        }
        for (InitialState initialState : initialStates) {
            initialState.starts().forEach(start -> localStateTable.deliver(initialState.state, start.outgoing()));
        }
        return initialStates;
    }

    /** A state in which everybody has just come up, one after the other. */
    public static final class InitialState {

        private final List<Transition> starts;
        private final int[] state;

        private InitialState(List<Transition> starts, int[] state) {
            this.starts = starts;
            this.state = state;
        }

        private InitialState withStart(Transition start, int corner, GlobalStateTable globalStateTable) {
            var next = state.clone();
            next[starts.size()] = corner;
            next[state.length - 1] = globalStateTable.after(state[state.length - 1], start.globalEffect());
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
