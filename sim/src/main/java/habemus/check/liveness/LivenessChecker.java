package habemus.check.liveness;

import habemus.check.model.NodeSemantics;
import habemus.check.model.Scope;
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

/** Judges the runs of a search that have no end, and how long one waits in them. */
public final class LivenessChecker {

    /**
     * A violation that more than a shortest way leads to.
     *
     * @param state to which there is a shortest way
     * @param nodeTransitions what happens from there on
     * @param repeats whether they lead back to the state, to happen for ever
     */
    public record Continuation(int state, List<NodeTransition> nodeTransitions, boolean repeats) {}

    /** @param times how often one is passed at most; {@link Scope#UNBOUNDED} for without end */
    public record BypassResult(int times, Optional<Continuation> continuation) {

        /** @param allowed how often it may be; if nothing is said, any number will do but not without end */
        public boolean exceeds(OptionalInt allowed) {
            return times == Scope.UNBOUNDED || allowed.isPresent() && times > allowed.getAsInt();
        }

        public String describeViolation(OptionalInt allowed) {
            return "passed " + (times == Scope.UNBOUNDED ? "without end" : describeTimes(times))
                    + (allowed.isPresent() ? ", " + allowed.getAsInt() + " promised" : "");
        }

        public String describeBound() {
            return times == 0 ? "nobody is passed" : "nobody is passed more than " + describeTimes(times);
        }

        private static String describeTimes(int times) {
            return times == 1 ? "once" : times + " times";
        }
    }

    private final StateGraph stateGraph;
    private final GlobalStateTable globalStateTable;
    private final LocalStateTable localStateTable;
    private final int nodes;
    private final FairCycleFinder cycles;
    private final StronglyConnectedComponents components;
    private final BitSet cyclic; // the states to which one can come back

    public LivenessChecker(
            StateGraph stateGraph,
            NodeSemantics<?, ?> nodeSemantics,
            LocalStateTable localStateTable,
            GlobalStateTable globalStateTable) {
        this.stateGraph = stateGraph;
        this.globalStateTable = globalStateTable;
        this.localStateTable = localStateTable;
        nodes = nodeSemantics.scope().topology().size();
        cycles = new FairCycleFinder(
                stateGraph, new WeakFairness(stateGraph, nodeSemantics, localStateTable), stateGraph::depth);
        cyclic = new BitSet(stateGraph.size());
        components = stateGraph.hasNoBackEdge()
                ? StronglyConnectedComponents.ofAcyclic(stateGraph, stateGraph.deepestFirst())
                : StronglyConnectedComponents.of(stateGraph, stateGraph.states(state -> true));
        components.cyclicComponents().forEach(states -> IntStream.of(states).forEach(cyclic::set));
    }

    /** A fair run without end in which a property in the end is never true again, or never for good if it must last. */
    public Optional<Continuation> findEndlessViolation(Property property) {
        return cyclic.isEmpty()
                ? Optional.empty()
                : violatingStates(property)
                        .flatMap(open -> (property.isPersistence()
                                        ? cycles.nearestThrough(cyclic, open)
                                        : cycles.nearest(open))
                                .stream())
                        .min(Comparator.comparingInt(cycle -> length(cycle)))
                        .map(cycle -> continuation(cycle, true));
    }

    /** Where each of those that could be aggrieved is: everybody who waits, or all together. */
    private Stream<BitSet> violatingStates(Property property) {
        return property == Property.NO_STARVATION
                ? IntStream.range(0, nodes).mapToObj(node -> onCycles(waiting(node)))
                : Stream.of(onCycles(stateGraph.states(state -> globalStateTable
                        .properties(globalStateTable.violatedIfQuiescent(state[nodes]))
                        .contains(property))));
    }

    private BitSet onCycles(BitSet states) {
        states.and(cyclic);
        return states;
    }

    private BitSet waiting(int node) {
        return stateGraph.states(state -> localStateTable.isWaiting(state[node]));
    }

    private int length(List<ShortestPaths.Edge> cycle) {
        return stateGraph.depth(cycle.getFirst().state()) + cycle.size();
    }

    /** How often one who waits is passed at most, and the run in which that happens. */
    public BypassResult maxBypass() {
        var maxBypass = IntStream.range(0, nodes)
                .mapToObj(node -> maxBypassAmong(waiting(node)))
                .max(Comparator.comparingInt(BypassBound.MaxBypass::times))
                .orElseThrow();
        return new BypassResult(
                maxBypass.times(),
                Optional.of(maxBypass.path())
                        .filter(way -> !way.isEmpty())
                        .map(way -> continuation(way, maxBypass.times() == Scope.UNBOUNDED)));
    }

    private BypassBound.MaxBypass maxBypassAmong(BitSet waiting) {
        var stronglyConnectedComponents =
                cyclic.isEmpty() ? components : StronglyConnectedComponents.of(stateGraph, waiting);
        return new BypassBound(stateGraph, stateGraph::isEntry, stateGraph::depth, waiting, stronglyConnectedComponents)
                .compute();
    }

    private Continuation continuation(List<ShortestPaths.Edge> way, boolean again) {
        var nodeTransitions = new ArrayList<NodeTransition>();
        way.forEach(edge ->
                nodeTransitions.add(stateGraph.nodeTransitions(edge.state()).get(edge.index())));
        return new Continuation(way.getFirst().state(), nodeTransitions, again);
    }
}
