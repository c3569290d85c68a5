package habemus.check.liveness;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/** Shortest ways in a part of a graph. */
final class ShortestPaths {

    /** @param index among the steps after the state */
    record Edge(int state, int index) {}

    /** Tells a step from others. */
    interface EdgePredicate {
        boolean test(int state, int place);
    }

    private final Digraph graph;
    private final IntPredicate part;

    /** @param part the states to which it keeps */
    ShortestPaths(Digraph graph, IntPredicate part) {
        this.graph = graph;
        this.part = part;
    }

    /** The fewest steps, at least one, of which the last reaches the goal. */
    List<Edge> shortestTo(EdgePredicate edgePredicate, int start) {
        var before = new HashMap<Integer, Edge>();
        var next = new ArrayDeque<Integer>();
        next.add(start);
        while (!next.isEmpty()) {
            int state = next.remove();
            for (int place = 0; place < graph.degree(state); place++) {
                int target = graph.target(state, place);
                if (!part.test(target)) {
                    continue;
                }
                var edge = new Edge(state, place);
                if (edgePredicate.test(state, place)) {
                    return path(start, before, edge);
                }
                if (target != start && before.putIfAbsent(target, edge) == null) {
                    next.add(target);
                }
            }
        }
        throw new IllegalStateException("there is no way from " + start);
    }

    private static List<Edge> path(int start, Map<Integer, Edge> before, Edge last) {
        var edges = new ArrayList<Edge>();
        edges.add(last);
        for (int state = last.state; state != start; state = edges.getLast().state) {
            edges.add(before.get(state));
        }
        return edges.reversed();
    }

    /** Where a way ends. */
    int endOf(List<Edge> way) {
        return graph.target(way.getLast().state, way.getLast().index);
    }
}
