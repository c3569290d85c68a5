package habemus.check.liveness;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * The steps that a run can take for ever without leaving where it is. A roll of the dice of which one outcome leads
 * away does so in the end, so none of its outcomes lasts.
 */
final class EndComponentGraph implements Digraph {

    private final Digraph graph;
    private final FairnessConstraint fairnessConstraint;
    private final Map<Integer, BitSet> removed = new HashMap<>();
    private StronglyConnectedComponents stronglyConnectedComponents;

    /** @param part what is not to be left */
    EndComponentGraph(Digraph graph, FairnessConstraint fairnessConstraint, BitSet part) {
        this.graph = graph;
        this.fairnessConstraint = fairnessConstraint;
        stronglyConnectedComponents = StronglyConnectedComponents.of(this, part);
        while (remove()) {
            stronglyConnectedComponents = StronglyConnectedComponents.of(this, part);
        }
    }

    /** What hangs together by these steps. */
    StronglyConnectedComponents components() {
        return stronglyConnectedComponents;
    }

    private boolean remove() {
        boolean any = false;
        for (int[] states : stronglyConnectedComponents.cyclicComponents()) {
            for (int state : states) {
                for (int[] roll : fairnessConstraint.randomChoices(state)) {
                    any |= mayLeave(state, roll) && remove(state, roll);
                }
            }
        }
        return any;
    }

    private boolean mayLeave(int state, int[] roll) {
        for (int step : roll) {
            if (!stronglyConnectedComponents.areTogether(state, target(state, step))) {
                return true;
            }
        }
        return false;
    }

    /** Tells whether that is new. */
    private boolean remove(int state, int[] roll) {
        var out = removed.computeIfAbsent(state, key -> new BitSet());
        boolean before = out.get(roll[0]);
        for (int step : roll) {
            out.set(step);
        }
        return !before;
    }

    /** One more than the states: nowhere. */
    @Override
    public int size() {
        return graph.size() + 1;
    }

    @Override
    public int degree(int state) {
        return state == graph.size() ? 0 : graph.degree(state);
    }

    @Override
    public int target(int state, int step) {
        var out = removed.get(state);
        return out != null && out.get(step) ? graph.size() : graph.target(state, step);
    }
}
