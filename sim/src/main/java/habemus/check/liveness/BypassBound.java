package habemus.check.liveness;

import habemus.check.model.Scope;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** The most entries of other nodes while one node waits: a longest path among the states in which it waits. */
final class BypassBound {

    /**
     * @param times the most entries; {@link Scope#UNBOUNDED} if a cycle has an entry
     * @param path a path with that many entries, the last edge is one; or a cycle with an entry
     */
    record MaxBypass(int times, List<ShortestPaths.Edge> path) {}

    private final Digraph graph;
    private final ShortestPaths.EdgePredicate isEntry;
    private final IntUnaryOperator depth;
    private final BitSet waiting;
    private final StronglyConnectedComponents components;
    private final int[] times; // by state: the most entries from there on

    /**
     * @param isEntry the edges in which a node acquires the lock
     * @param depth the depth of a state in the search
     * @param waiting the states in which the same node waits
     * @param components of these states, or of all if there is no cycle
     */
    BypassBound(
            Digraph graph,
            ShortestPaths.EdgePredicate isEntry,
            IntUnaryOperator depth,
            BitSet waiting,
            StronglyConnectedComponents components) {
        this.graph = graph;
        this.isEntry = isEntry;
        this.depth = depth;
        this.waiting = waiting;
        this.components = components;
        times = new int[graph.size()];
    }

    /** The path starts at the nearest state that has one. */
    MaxBypass compute() {
        var cycle = components.cyclicComponents().stream()
                .filter(states -> IntStream.of(states).anyMatch(state -> hasEntryInComponent(state)))
                .flatMapToInt(IntStream::of)
                .boxed()
                .min(Comparator.comparingInt(depth::applyAsInt));
        if (cycle.isPresent()) {
            return new MaxBypass(Scope.UNBOUNDED, cycleFrom(cycle.get()));
        }
        computeTimes();
        int max = IntStream.of(components.order())
                .map(state -> times[state])
                .max()
                .orElse(0);
        return new MaxBypass(max, max == 0 ? List.of() : longestPath(nearest(components.order(), max), max));
    }

    private boolean hasEntryInComponent(int state) {
        for (int edge = 0; edge < graph.degree(state); edge++) {
            if (isEntry.test(state, edge) && components.areTogether(state, graph.target(state, edge))) {
                return true;
            }
        }
        return false;
    }

    private List<ShortestPaths.Edge> cycleFrom(int start) {
        var paths = new ShortestPaths(graph, state -> components.areTogether(start, state));
        var cycle = new ArrayList<>(paths.shortestTo(isEntry, start));
        if (paths.endOf(cycle) != start) {
            cycle.addAll(paths.shortestTo((state, edge) -> graph.target(state, edge) == start, paths.endOf(cycle)));
        }
        return cycle;
    }

    /** There is no entry within a component, so all of its states have the same number. */
    private void computeTimes() {
        var order = components.order();
        for (int from = 0, to; from < order.length; from = to) {
            int max = 0;
            for (to = from; to < order.length && components.areTogether(order[from], order[to]); to++) {
                max = Math.max(max, timesFrom(order[to]));
            }
            for (int i = from; i < to; i++) {
                times[order[i]] = max;
            }
        }
    }

    private int timesFrom(int state) {
        int max = 0;
        for (int edge = 0; waiting.get(state) && edge < graph.degree(state); edge++) {
            int target = graph.target(state, edge);
            if (waiting.get(target) && !components.areTogether(state, target)) {
                max = Math.max(max, times[target] + (isEntry.test(state, edge) ? 1 : 0));
            }
        }
        return max;
    }

    private int nearest(int[] states, int max) {
        return IntStream.of(states)
                .filter(state -> times[state] == max)
                .boxed()
                .min(Comparator.comparingInt(depth::applyAsInt))
                .orElseThrow();
    }

    private List<ShortestPaths.Edge> longestPath(int start, int max) {
        var paths = new ShortestPaths(graph, waiting::get);
        var path = new ArrayList<ShortestPaths.Edge>();
        int here = start;
        for (int remaining = max; remaining > 0; remaining--) {
            int after = remaining - 1;
            path.addAll(paths.shortestTo(
                    (state, edge) -> isEntry.test(state, edge) && times[graph.target(state, edge)] == after, here));
            here = paths.endOf(path);
        }
        return path;
    }
}
