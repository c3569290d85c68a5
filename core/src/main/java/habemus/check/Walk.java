package habemus.check;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/** Shortest ways in a part of a graph. */
final class Walk {

    /** @param place among the steps after the state */
    record Step(int state, int place) {}

    /** Tells a step from others. */
    interface Goal {
        boolean isReached(int state, int place);
    }

    private final Digraph graph;
    private final IntPredicate part;

    /** @param part the states to which it keeps */
    Walk(Digraph graph, IntPredicate part) {
        this.graph = graph;
        this.part = part;
    }

    /** The fewest steps, at least one, of which the last reaches the goal. */
    List<Step> to(Goal goal, int start) {
        var before = new HashMap<Integer, Step>();
        var next = new ArrayDeque<Integer>();
        next.add(start);
        while (!next.isEmpty()) {
            int state = next.remove();
            for (int place = 0; place < graph.degree(state); place++) {
                int target = graph.target(state, place);
                if (!part.test(target)) {
                    continue;
                }
                var step = new Step(state, place);
                if (goal.isReached(state, place)) {
                    return way(start, before, step);
                }
                if (target != start && before.putIfAbsent(target, step) == null) {
                    next.add(target);
                }
            }
        }
        throw new IllegalStateException("there is no way from " + start);
    }

    private static List<Step> way(int start, Map<Integer, Step> before, Step last) {
        var steps = new ArrayList<Step>();
        steps.add(last);
        for (int state = last.state; state != start; state = steps.getLast().state) {
            steps.add(before.get(state));
        }
        return steps.reversed();
    }

    /** Where a way ends. */
    int end(List<Step> way) {
        return graph.target(way.getLast().state, way.getLast().place);
    }
}
