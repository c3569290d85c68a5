package habemus.check.liveness;

import static java.util.Objects.requireNonNullElse;

import habemus.check.model.Action;
import habemus.check.model.ActionOutcome;
import habemus.check.model.NodeSemantics;
import habemus.check.store.LocalStateTable;
import habemus.check.store.NodeTransition;
import habemus.check.store.Transition;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.Randomized;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Weak fairness of the transitions that must happen. If links keep their order, the obligation is that a link delivers
 * its first message; else that each message is delivered, equal ones as one. Setting or cancelling a timer ends the
 * obligation of the timer so far. Requests and faults are no obligations.
 */
final class WeakFairness implements FairnessConstraint {

    private final StateGraph stateGraph;
    private final NodeSemantics<?, ?> nodeSemantics;
    private final LocalStateTable localStates;
    private final IdentityHashMap<Transition, Set<FairnessObligation>> dischargedBy = new IdentityHashMap<>();

    WeakFairness(StateGraph stateGraph, NodeSemantics<?, ?> nodeSemantics, LocalStateTable localStates) {
        this.stateGraph = stateGraph;
        this.nodeSemantics = nodeSemantics;
        this.localStates = localStates;
    }

    @Override
    public Set<FairnessObligation> obligations(int state) {
        return stateGraph.obligations(state).stream().map(this::obligation).collect(Collectors.toSet());
    }

    @Override
    public Set<FairnessObligation> discharged(int state, int edge) {
        var nodeTransition = stateGraph.nodeTransitions(state).get(edge);
        return dischargedBy.computeIfAbsent(
                nodeTransition.transition(), transition -> computeDischarged(nodeTransition));
    }

    @Override
    public List<int[]> randomChoices(int state) {
        return nodeSemantics.protocol() instanceof Randomized
                ? groupRandomChoices(stateGraph.nodeTransitions(state))
                : List.of();
    }

    /** Groups the outcomes of one action at one time: a timer may fire at several times. */
    private static List<int[]> groupRandomChoices(List<NodeTransition> nodeTransitions) {
        record Draw(int node, Action action, int crashAfter, int time) {}
        var times = new HashMap<NodeTransition, Integer>();
        var draws = new LinkedHashMap<Draw, List<Integer>>();
        for (int edge = 0; edge < nodeTransitions.size(); edge++) {
            var nodeTransition = nodeTransitions.get(edge);
            var transition = nodeTransition.transition();
            var draw = new Draw(
                    nodeTransition.node(),
                    transition.action(),
                    transition.branch().crashAfter(),
                    times.merge(nodeTransition, 1, Integer::sum));
            draws.computeIfAbsent(draw, key -> new ArrayList<>()).add(edge);
        }
        return draws.values().stream()
                .filter(edges -> edges.size() > 1)
                .map(edges -> edges.stream().mapToInt(Integer::intValue).toArray())
                .toList();
    }

    private Set<FairnessObligation> computeDischarged(NodeTransition nodeTransition) {
        var discharged = new HashSet<FairnessObligation>();
        var transition = nodeTransition.transition();
        if (transition.kind().mustHappen) {
            discharged.add(obligation(nodeTransition));
        }
        var actionOutcome = nodeSemantics
                .outcomes(localStates.nodeState(transition.before()), transition.action())
                .get(transition.branch().outcome());
        for (var output : actionOutcome.outputs()) {
            if (output instanceof ActionOutcome.Output.StepTaken stepTaken) {
                stepTaken.effects().forEach(effect -> addTimerObligation(discharged, nodeTransition.node(), effect));
            }
        }
        return discharged;
    }

    private FairnessObligation obligation(NodeTransition nodeTransition) {
        var action = nodeTransition.transition().action();
        var pendingMessage = action.pendingMessage();
        if (pendingMessage == null) {
            return new FairnessObligation(nodeTransition.node(), requireNonNullElse(action.event(), action.kind()));
        }
        return new FairnessObligation(
                nodeTransition.node(), nodeSemantics.scope().inOrder() ? pendingMessage.from() : pendingMessage);
    }

    private static void addTimerObligation(Set<FairnessObligation> discharged, int node, Effect<?> effect) {
        switch (effect) {
            case Effect.SetTimer<?>(var timer, var atLeast, var atMost) ->
                discharged.add(new FairnessObligation(node, new Event.Timeout<>(timer)));
            case Effect.CancelTimer<?>(var timer) ->
                discharged.add(new FairnessObligation(node, new Event.Timeout<>(timer)));
            default -> {}
        }
    }
}
