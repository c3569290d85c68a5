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
 * The duties in the states of a search. Where links keep their order a link owes that its first letter arrives, else
 * every letter does, be it one of several that are equal. An alarm that is set again or calmed owes nothing for the
 * time before. Nobody must ask, and no hazard must strike.
 */
final class WeakFairness implements FairnessConstraint {

    private final StateGraph stateGraph;
    private final NodeSemantics<?, ?> nodeSemantics;
    private final LocalStateTable localStateTable;
    private final IdentityHashMap<Transition, Set<FairnessObligation>> dischargedBy = new IdentityHashMap<>();

    WeakFairness(StateGraph stateGraph, NodeSemantics<?, ?> nodeSemantics, LocalStateTable localStateTable) {
        this.stateGraph = stateGraph;
        this.nodeSemantics = nodeSemantics;
        this.localStateTable = localStateTable;
    }

    @Override
    public Set<FairnessObligation> obligations(int state) {
        return stateGraph.obligations(state).stream().map(this::obligation).collect(Collectors.toSet());
    }

    @Override
    public Set<FairnessObligation> discharged(int state, int step) {
        var nodeTransition = stateGraph.nodeTransitions(state).get(step);
        return dischargedBy.computeIfAbsent(
                nodeTransition.transition(), transition -> computeDischarged(nodeTransition));
    }

    @Override
    public List<int[]> randomChoices(int state) {
        return nodeSemantics.protocol() instanceof Randomized
                ? groupRandomChoices(stateGraph.nodeTransitions(state))
                : List.of();
    }

    /** The outcomes of one choice, made at one time: an alarm may ring at several. */
    private static List<int[]> groupRandomChoices(List<NodeTransition> nodeTransitions) {
        record Roll(int node, Action action, int cut, int time) {}
        var times = new HashMap<NodeTransition, Integer>();
        var rolls = new LinkedHashMap<Roll, List<Integer>>();
        for (int step = 0; step < nodeTransitions.size(); step++) {
            var nodeTransition = nodeTransitions.get(step);
            var transition = nodeTransition.transition();
            var roll = new Roll(
                    nodeTransition.node(),
                    transition.action(),
                    transition.branch().crashAfter(),
                    times.merge(nodeTransition, 1, Integer::sum));
            rolls.computeIfAbsent(roll, key -> new ArrayList<>()).add(step);
        }
        return rolls.values().stream()
                .filter(steps -> steps.size() > 1)
                .map(steps -> steps.stream().mapToInt(Integer::intValue).toArray())
                .toList();
    }

    private Set<FairnessObligation> computeDischarged(NodeTransition nodeTransition) {
        var done = new HashSet<FairnessObligation>();
        var transition = nodeTransition.transition();
        if (transition.kind().mustHappen) {
            done.add(obligation(nodeTransition));
        }
        var actionOutcome = nodeSemantics
                .outcomes(localStateTable.nodeState(transition.before()), transition.action())
                .get(transition.branch().outcome());
        for (var output : actionOutcome.outputs()) {
            if (output instanceof ActionOutcome.Output.StepTaken stepTaken) {
                stepTaken.effects().forEach(effect -> addTimerObligation(done, nodeTransition.node(), effect));
            }
        }
        return done;
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

    private static void addTimerObligation(Set<FairnessObligation> done, int node, Effect<?> effect) {
        switch (effect) {
            case Effect.SetTimer<?>(var alarm, var atLeast, var atMost) ->
                done.add(new FairnessObligation(node, new Event.Timeout<>(alarm)));
            case Effect.CancelTimer<?>(var alarm) -> done.add(new FairnessObligation(node, new Event.Timeout<>(alarm)));
            default -> {}
        }
    }
}
