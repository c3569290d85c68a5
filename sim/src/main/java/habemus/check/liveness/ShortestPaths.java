package habemus.check.liveness;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/** Shortest paths in a part of a graph. */
final class ShortestPaths {

    /** @param index the index among the edges of the state */
    record Edge(int state, int index) {}

    interface EdgePredicate {
        boolean test(int state, int index);
    }

    private final Digraph graph;
    private final IntPredicate part;

    /** @param part the states that a path may visit */
    ShortestPaths(Digraph graph, IntPredicate part) {
        this.graph = graph;
        this.part = part;
    }

    /** A shortest path, of at least one edge, whose last edge matches. */
    List<Edge> shortestTo(EdgePredicate edgePredicate, int start) {
        var before = new HashMap<Integer, Edge>();
        var next = new ArrayDeque<Integer>();
        next.add(start);
        while (!next.isEmpty()) {
            int state = next.remove();
            for (int index = 0; index < graph.degree(state); index++) {
                int target = graph.target(state, index);
                if (!part.test(target)) {
                    continue;
                }
                var edge = new Edge(state, index);
                if (edgePredicate.test(state, index)) {
                    return path(start, before, edge);
                }
                if (target != start && before.putIfAbsent(target, edge) == null) {
                    next.add(target);
                }
            }
        }
        throw new IllegalStateException("no path from state " + start);
    }

    private static List<Edge> path(int start, Map<Integer, Edge> before, Edge last) {
        var edges = new ArrayList<Edge>();
        edges.add(last);
        for (int state = last.state; state != start; state = edges.getLast().state) {
            edges.add(before.get(state));
        }
        return edges.reversed();
    }

    /** The state at the end of a path. */
    int endOf(List<Edge> path) {
        return graph.target(path.getLast().state, path.getLast().index);
    }
}
