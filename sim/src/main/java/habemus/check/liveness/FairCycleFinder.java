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
 * Finds fair endless runs that never leave a part of the graph: every obligation that lasts forever is discharged at
 * some time. There is one if and only if one visits all states of a strongly connected component forever.
 */
final class FairCycleFinder {

    private final Digraph graph;
    private final FairnessConstraint fairness;
    private final IntUnaryOperator depth;

    /** @param depth the depth of a state in the search */
    FairCycleFinder(Digraph graph, FairnessConstraint fairness, IntUnaryOperator depth) {
        this.graph = graph;
        this.fairness = fairness;
        this.depth = depth;
    }

    /** A fair cycle from the nearest state that is on one. */
    Optional<List<ShortestPaths.Edge>> nearest(BitSet part) {
        return nearestThrough(part, part);
    }

    /** A fair cycle within a part, from the nearest of some states that is on one. */
    Optional<List<ShortestPaths.Edge>> nearestThrough(BitSet part, BitSet wanted) {
        var endComponents = new EndComponentGraph(graph, fairness, part);
        return endComponents.components().cyclicComponents().stream()
                .filter(states -> IntStream.of(states).anyMatch(wanted::get) && isFair(states, endComponents))
                .flatMapToInt(IntStream::of)
                .filter(wanted::get)
                .boxed()
                .min(Comparator.comparingInt(depth::applyAsInt))
                .map(start -> cycleFrom(start, endComponents));
    }

    private boolean isFair(int[] states, EndComponentGraph endComponents) {
        var pending = new HashSet<>(fairness.obligations(states[0]));
        for (int i = 0; i < states.length && !pending.isEmpty(); i++) {
            pending.retainAll(fairness.obligations(states[i]));
            for (int edge = 0; edge < graph.degree(states[i]) && !pending.isEmpty(); edge++) {
                if (endComponents.components().areTogether(states[i], endComponents.target(states[i], edge))) {
                    pending.removeAll(fairness.discharged(states[i], edge));
                }
            }
        }
        return pending.isEmpty();
    }

    /** Goes to the nearest edge that discharges an obligation until none is pending, then back to the start. */
    private List<ShortestPaths.Edge> cycleFrom(int start, EndComponentGraph endComponents) {
        var paths = new ShortestPaths(
                endComponents, state -> endComponents.components().areTogether(start, state));
        var cycle = new ArrayList<ShortestPaths.Edge>();
        var pending = new HashSet<>(fairness.obligations(start));
        int here = start;
        while (!pending.isEmpty()) {
            var path = paths.shortestTo((state, edge) -> dischargesAny(pending, state, edge), here);
            path.forEach(edge -> discharge(pending, edge));
            cycle.addAll(path);
            here = paths.endOf(path);
        }
        if (here != start || cycle.isEmpty()) {
            cycle.addAll(paths.shortestTo((state, edge) -> graph.target(state, edge) == start, here));
        }
        return cycle;
    }

    private boolean dischargesAny(Set<FairnessObligation> pending, int state, int edge) {
        return !fairness.obligations(graph.target(state, edge)).containsAll(pending)
                || fairness.discharged(state, edge).stream().anyMatch(pending::contains);
    }

    private void discharge(Set<FairnessObligation> pending, ShortestPaths.Edge edge) {
        pending.removeAll(fairness.discharged(edge.state(), edge.index()));
        pending.retainAll(fairness.obligations(graph.target(edge.state(), edge.index())));
    }
}
