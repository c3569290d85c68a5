package habemus.check;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * The steps that a run can take for ever without leaving where it is. A roll of the dice of which one outcome leads
 * away does so in the end, so none of its outcomes lasts.
 */
final class Lasting implements Digraph {

    private final Digraph graph;
    private final Fairness fairness;
    private final Map<Integer, BitSet> left = new HashMap<>();
    private Components components;

    /** @param part what is not to be left */
    Lasting(Digraph graph, Fairness fairness, BitSet part) {
        this.graph = graph;
        this.fairness = fairness;
        components = Components.of(this, part);
        while (leaveOut()) {
            components = Components.of(this, part);
        }
    }

    /** What hangs together by these steps. */
    Components components() {
        return components;
    }

    private boolean leaveOut() {
        boolean any = false;
        for (int[] states : components.cycles()) {
            for (int state : states) {
                for (int[] roll : fairness.rolls(state)) {
                    any |= leadsAway(state, roll) && leaveOut(state, roll);
                }
            }
        }
        return any;
    }

    private boolean leadsAway(int state, int[] roll) {
        for (int step : roll) {
            if (!components.together(state, target(state, step))) {
                return true;
            }
        }
        return false;
    }

    /** Tells whether that is new. */
    private boolean leaveOut(int state, int[] roll) {
        var out = left.computeIfAbsent(state, key -> new BitSet());
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
        var out = left.get(state);
        return out != null && out.get(step) ? graph.size() : graph.target(state, step);
    }
}
