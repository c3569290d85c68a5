package habemus.check.liveness;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Endless runs that never leave a part of the graph, and in which everything that is due for ever is done at some time.
 * There is one if and only if there is one that visits all of a strongly connected component again and again.
 */
final class FairCycleFinder {

    private final Digraph graph;
    private final FairnessConstraint fairnessConstraint;
    private final IntUnaryOperator depth;

    /** @param depth how far a state is from the beginning */
    FairCycleFinder(Digraph graph, FairnessConstraint fairnessConstraint, IntUnaryOperator depth) {
        this.graph = graph;
        this.fairnessConstraint = fairnessConstraint;
        this.depth = depth;
    }

    /** A cycle from the nearest state that has one back to it. */
    Optional<List<ShortestPaths.Edge>> nearest(BitSet part) {
        return nearestThrough(part, part);
    }

    /** A cycle within a part of the graph, from the nearest of some states that has one back to it. */
    Optional<List<ShortestPaths.Edge>> nearestThrough(BitSet part, BitSet some) {
        var endComponentGraph = new EndComponentGraph(graph, fairnessConstraint, part);
        return endComponentGraph.components().cyclicComponents().stream()
                .filter(states -> IntStream.of(states).anyMatch(some::get) && isFair(states, endComponentGraph))
                .flatMapToInt(IntStream::of)
                .filter(some::get)
                .boxed()
                .min(Comparator.comparingInt(depth::applyAsInt))
                .map(start -> cycleFrom(start, endComponentGraph));
    }

    private boolean isFair(int[] states, EndComponentGraph endComponentGraph) {
        var pending = new HashSet<>(fairnessConstraint.obligations(states[0]));
        for (int i = 0; i < states.length && !pending.isEmpty(); i++) {
            pending.retainAll(fairnessConstraint.obligations(states[i]));
            for (int step = 0; step < graph.degree(states[i]) && !pending.isEmpty(); step++) {
                if (endComponentGraph.components().areTogether(states[i], endComponentGraph.target(states[i], step))) {
                    pending.removeAll(fairnessConstraint.discharged(states[i], step));
                }
            }
        }
        return pending.isEmpty();
    }

    /** Goes where the nearest debt is paid until there is none, then back. */
    private List<ShortestPaths.Edge> cycleFrom(int start, EndComponentGraph endComponentGraph) {
        var shortestPaths = new ShortestPaths(
                endComponentGraph, state -> endComponentGraph.components().areTogether(start, state));
        var cycle = new ArrayList<ShortestPaths.Edge>();
        var pending = new HashSet<>(fairnessConstraint.obligations(start));
        int here = start;
        while (!pending.isEmpty()) {
            var way = shortestPaths.shortestTo((state, place) -> dischargesAny(pending, state, place), here);
            way.forEach(edge -> discharge(pending, edge));
            cycle.addAll(way);
            here = shortestPaths.endOf(way);
        }
        if (here != start || cycle.isEmpty()) {
            cycle.addAll(shortestPaths.shortestTo((state, place) -> graph.target(state, place) == start, here));
        }
        return cycle;
    }

    private boolean dischargesAny(Set<FairnessObligation> pending, int state, int place) {
        return !fairnessConstraint.obligations(graph.target(state, place)).containsAll(pending)
                || fairnessConstraint.discharged(state, place).stream().anyMatch(pending::contains);
    }

    private void discharge(Set<FairnessObligation> pending, ShortestPaths.Edge edge) {
        pending.removeAll(fairnessConstraint.discharged(edge.state(), edge.index()));
        pending.retainAll(fairnessConstraint.obligations(graph.target(edge.state(), edge.index())));
    }
}
