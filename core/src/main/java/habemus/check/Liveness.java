package habemus.check;

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
final class Liveness {

    /**
     * A violation that more than a shortest way leads to.
     *
     * @param state to which there is a shortest way
     * @param moves what happens from there on
     * @param again whether they lead back to the state, to happen for ever
     */
    record Ending(int state, List<Move> moves, boolean again) {}

    /** @param times how often one is passed at most; {@link Scope#MANY} for without end */
    record Passing(int times, Optional<Ending> ending) {

        /** @param promised how often it may be; if nothing is said, any number will do but not without end */
        boolean exceeds(OptionalInt promised) {
            return times == Scope.MANY || promised.isPresent() && times > promised.getAsInt();
        }

        String broken(OptionalInt promised) {
            return "passed " + (times == Scope.MANY ? "without end" : often(times))
                    + (promised.isPresent() ? ", " + promised.getAsInt() + " promised" : "");
        }

        String kept() {
            return times == 0 ? "nobody is passed" : "nobody is passed more than " + often(times);
        }

        private static String often(int times) {
            return times == 1 ? "once" : times + " times";
        }
    }

    private final Graph graph;
    private final Globals globals;
    private final Corners corners;
    private final int nodes;
    private final FairCycles cycles;
    private final Components all;
    private final BitSet cyclic; // the states to which one can come back

    Liveness(Graph graph, Stage<?, ?> stage, Corners corners, Globals globals) {
        this.graph = graph;
        this.globals = globals;
        this.corners = corners;
        nodes = stage.scope().topology().size();
        cycles = new FairCycles(graph, new Duties(graph, stage, corners), graph::depth);
        cyclic = new BitSet(graph.size());
        all = graph.isGraded()
                ? Components.ofAcyclic(graph, graph.farthestFirst())
                : Components.of(graph, graph.states(state -> true));
        all.cycles().forEach(states -> IntStream.of(states).forEach(cyclic::set));
    }

    /** A fair run without end in which a property in the end is never true again, or never for good if it must last. */
    Optional<Ending> endless(Property property) {
        return cyclic.isEmpty()
                ? Optional.empty()
                : grievances(property)
                        .flatMap(open ->
                                (property.isLasting() ? cycles.through(cyclic, open) : cycles.nearest(open)).stream())
                        .min(Comparator.comparingInt(cycle -> length(cycle)))
                        .map(cycle -> ending(cycle, true));
    }

    /** Where each of those that could be aggrieved is: everybody who waits, or all together. */
    private Stream<BitSet> grievances(Property property) {
        return property == Property.NO_STARVATION
                ? IntStream.range(0, nodes).mapToObj(node -> onCycles(waiting(node)))
                : Stream.of(onCycles(graph.states(state ->
                        globals.properties(globals.violatedAtRest(state[nodes])).contains(property))));
    }

    private BitSet onCycles(BitSet states) {
        states.and(cyclic);
        return states;
    }

    private BitSet waiting(int node) {
        return graph.states(state -> corners.isWaiting(state[node]));
    }

    private int length(List<Walk.Step> cycle) {
        return graph.depth(cycle.getFirst().state()) + cycle.size();
    }

    /** How often one who waits is passed at most, and the run in which that happens. */
    Passing passing() {
        var largest = IntStream.range(0, nodes)
                .mapToObj(node -> bypass(waiting(node)))
                .max(Comparator.comparingInt(Bypass.Largest::times))
                .orElseThrow();
        return new Passing(
                largest.times(),
                Optional.of(largest.way())
                        .filter(way -> !way.isEmpty())
                        .map(way -> ending(way, largest.times() == Scope.MANY)));
    }

    private Bypass.Largest bypass(BitSet waiting) {
        var components = cyclic.isEmpty() ? all : Components.of(graph, waiting);
        return new Bypass(graph, graph::enters, graph::depth, waiting, components).largest();
    }

    private Ending ending(List<Walk.Step> way, boolean again) {
        var moves = new ArrayList<Move>();
        way.forEach(step -> moves.add(graph.moves(step.state()).get(step.place())));
        return new Ending(way.getFirst().state(), moves, again);
    }
}
