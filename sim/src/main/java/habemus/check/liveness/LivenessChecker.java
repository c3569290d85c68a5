package habemus.check.liveness;

import habemus.check.model.Scope;
import habemus.check.search.StateSpace;
import habemus.check.store.GlobalStateTable;
import habemus.check.store.LocalStateTable;
import habemus.check.store.NodeTransition;
import habemus.world.Property;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Checks the endless runs of a search, and how often a waiting node is bypassed. */
public final class LivenessChecker {

    /**
     * What follows the shortest path to a state, and shows a violation.
     *
     * @param nodeTransitions the transitions from the state on
     * @param repeats whether they lead back to the state, and repeat forever
     */
    public record Continuation(int state, List<NodeTransition> nodeTransitions, boolean repeats) {}

    /** @param times the most entries of other nodes while one node waits; {@link Scope#UNBOUNDED} for no bound */
    public record BypassResult(int times, Optional<Continuation> continuation) {

        /** @param allowed the most bypasses; if empty, any bound is allowed */
        public boolean exceeds(OptionalInt allowed) {
            return times == Scope.UNBOUNDED || allowed.isPresent() && times > allowed.getAsInt();
        }

        public String describeViolation(OptionalInt allowed) {
            return "bypassed " + (times == Scope.UNBOUNDED ? "without bound" : describeTimes(times))
                    + (allowed.isPresent() ? ", allowed " + describeTimes(allowed.getAsInt()) : "");
        }

        public String describeBound() {
            return times == 0 ? "never bypassed" : "bypassed at most " + describeTimes(times);
        }

        /** If no bound is stated: nothing holds, but the largest bypass of this world is known. */
        public String describeLargest() {
            return "largest bypass " + times;
        }

        private static String describeTimes(int times) {
            return times == 1 ? "once" : times + " times";
        }
    }

    private final StateGraph stateGraph;
    private final GlobalStateTable globalStates;
    private final LocalStateTable localStates;
    private final int nodes;
    private final FairCycleFinder cycles;
    private final StronglyConnectedComponents components;
    private final BitSet cyclic; // the states on cycles

    public LivenessChecker(StateGraph stateGraph, StateSpace stateSpace) {
        this.stateGraph = stateGraph;
        globalStates = stateSpace.globalStates();
        localStates = stateSpace.localStates();
        nodes = stateSpace.scope().topology().size();
        var fairness = new WeakFairness(stateGraph, stateSpace.nodeSemantics(), localStates);
        cycles = new FairCycleFinder(stateGraph, fairness, stateGraph::depth);
        cyclic = new BitSet(stateGraph.size());
        components = stateGraph.hasNoBackEdge()
                ? StronglyConnectedComponents.ofAcyclic(stateGraph, stateGraph.deepestFirst())
                : StronglyConnectedComponents.of(stateGraph, stateGraph.states(state -> true));
        components.cyclicComponents().forEach(states -> IntStream.of(states).forEach(cyclic::set));
    }

    /** A fair endless run in which a property is never true again; if it must stay true, one in which it never does. */
    public Optional<Continuation> findEndlessViolation(Property property) {
        return cyclic.isEmpty()
                ? Optional.empty()
                : violatingStates(property)
                        .flatMap(states -> (property.isPersistence()
                                        ? cycles.nearestThrough(cyclic, states)
                                        : cycles.nearest(states))
                                .stream())
                        .min(Comparator.comparingInt(cycle -> length(cycle)))
                        .map(cycle -> continuation(cycle, true));
    }

    /** The states in which the property is not true: for starvation, one set for each waiting node. */
    private Stream<BitSet> violatingStates(Property property) {
        return property == Property.NO_STARVATION
                ? IntStream.range(0, nodes).mapToObj(node -> onCycles(waiting(node)))
                : Stream.of(onCycles(stateGraph.states(state -> globalStates
                        .properties(globalStates.violatedIfQuiescent(state[nodes]))
                        .contains(property))));
    }

    private BitSet onCycles(BitSet states) {
        states.and(cyclic);
        return states;
    }

    private BitSet waiting(int node) {
        return stateGraph.states(state -> localStates.isWaiting(state[node]));
    }

    private int length(List<ShortestPaths.Edge> cycle) {
        return stateGraph.depth(cycle.getFirst().state()) + cycle.size();
    }

    /** The most entries of other nodes while one node waits, and a run in which that happens. */
    public BypassResult maxBypass() {
        var maxBypass = IntStream.range(0, nodes)
                .mapToObj(node -> maxBypassAmong(waiting(node)))
                .max(Comparator.comparingInt(BypassBound.MaxBypass::times))
                .orElseThrow();
        return new BypassResult(
                maxBypass.times(),
                Optional.of(maxBypass.path())
                        .filter(path -> !path.isEmpty())
                        .map(path -> continuation(path, maxBypass.times() == Scope.UNBOUNDED)));
    }

    private BypassBound.MaxBypass maxBypassAmong(BitSet waiting) {
        var ofWaiting = cyclic.isEmpty() ? components : StronglyConnectedComponents.of(stateGraph, waiting);
        return new BypassBound(stateGraph, stateGraph::isEntry, stateGraph::depth, waiting, ofWaiting).compute();
    }

    private Continuation continuation(List<ShortestPaths.Edge> path, boolean repeats) {
        var nodeTransitions = new ArrayList<NodeTransition>();
        path.forEach(edge ->
                nodeTransitions.add(stateGraph.nodeTransitions(edge.state()).get(edge.index())));
        return new Continuation(path.getFirst().state(), nodeTransitions, repeats);
    }
}
