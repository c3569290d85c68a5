package habemus.check.liveness;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * The edges that a run can take forever within a part of the graph: the end components of a Markov decision process.
 * If one outcome of a random draw leaves a component, a run that repeats the draw leaves it, so all its outcomes are
 * removed.
 */
final class EndComponentGraph implements Digraph {

    private final Digraph graph;
    private final FairnessConstraint fairness;
    private final Map<Integer, BitSet> removed = new HashMap<>();
    private StronglyConnectedComponents components;

    /** @param part the states that the run does not leave */
    EndComponentGraph(Digraph graph, FairnessConstraint fairness, BitSet part) {
        this.graph = graph;
        this.fairness = fairness;
        components = StronglyConnectedComponents.of(this, part);
        while (remove()) {
            components = StronglyConnectedComponents.of(this, part);
        }
    }

    /** The components that the remaining edges connect. */
    StronglyConnectedComponents components() {
        return components;
    }

    private boolean remove() {
        boolean isChanged = false;
        for (int[] states : components.cyclicComponents()) {
            for (int state : states) {
                for (int[] draw : fairness.randomChoices(state)) {
                    isChanged |= mayLeave(state, draw) && remove(state, draw);
                }
            }
        }
        return isChanged;
    }

    private boolean mayLeave(int state, int[] draw) {
        for (int edge : draw) {
            if (!components.areTogether(state, target(state, edge))) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the edges were not removed before. */
    private boolean remove(int state, int[] draw) {
        var edges = removed.computeIfAbsent(state, key -> new BitSet());
        boolean wasRemoved = edges.get(draw[0]);
        for (int edge : draw) {
            edges.set(edge);
        }
        return !wasRemoved;
    }

    /** One more than the states: the target of the removed edges. */
    @Override
    public int size() {
        return graph.size() + 1;
    }

    @Override
    public int degree(int state) {
        return state == graph.size() ? 0 : graph.degree(state);
    }

    @Override
    public int target(int state, int edge) {
        var edges = removed.get(state);
        return edges != null && edges.get(edge) ? graph.size() : graph.target(state, edge);
    }
}
