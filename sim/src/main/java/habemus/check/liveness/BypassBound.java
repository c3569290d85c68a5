package habemus.check.liveness;

import habemus.check.model.Scope;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** How often others get in while one waits: a longest way among the states in which it does. */
final class BypassBound {

    /**
     * @param times how often one is passed at most; {@link Scope#UNBOUNDED} for without end
     * @param path of which the last step passes it so often; or a cycle in which it is passed
     */
    record MaxBypass(int times, List<ShortestPaths.Edge> path) {}

    private final Digraph graph;
    private final ShortestPaths.EdgePredicate isEntry;
    private final IntUnaryOperator depth;
    private final BitSet waiting;
    private final StronglyConnectedComponents stronglyConnectedComponents;
    private final int[] times; // by state, how often it can be passed from there on

    /**
     * @param enters the steps by which somebody gets in
     * @param depth how far a state is from the beginning
     * @param waiting the states in which the same node waits
     * @param stronglyConnectedComponents of these states, or of all if there is no cycle
     */
    BypassBound(
            Digraph graph,
            ShortestPaths.EdgePredicate enters,
            IntUnaryOperator depth,
            BitSet waiting,
            StronglyConnectedComponents stronglyConnectedComponents) {
        this.graph = graph;
        this.isEntry = enters;
        this.depth = depth;
        this.waiting = waiting;
        this.stronglyConnectedComponents = stronglyConnectedComponents;
        times = new int[graph.size()];
    }

    /** A run to it begins at the nearest state from which it can be reached. */
    MaxBypass compute() {
        var cycle = stronglyConnectedComponents.cyclicComponents().stream()
                .filter(states -> IntStream.of(states).anyMatch(state -> hasEntryInComponent(state)))
                .flatMapToInt(IntStream::of)
                .boxed()
                .min(Comparator.comparingInt(depth::applyAsInt));
        if (cycle.isPresent()) {
            return new MaxBypass(Scope.UNBOUNDED, cycleFrom(cycle.get()));
        }
        computeTimes();
        int most = IntStream.of(stronglyConnectedComponents.order())
                .map(state -> times[state])
                .max()
                .orElse(0);
        return new MaxBypass(
                most, most == 0 ? List.of() : longestPath(nearest(stronglyConnectedComponents.order(), most), most));
    }

    private boolean hasEntryInComponent(int state) {
        for (int step = 0; step < graph.degree(state); step++) {
            if (isEntry.test(state, step)
                    && stronglyConnectedComponents.areTogether(state, graph.target(state, step))) {
                return true;
            }
        }
        return false;
    }

    private List<ShortestPaths.Edge> cycleFrom(int start) {
        var shortestPaths = new ShortestPaths(graph, state -> stronglyConnectedComponents.areTogether(start, state));
        var cycle = new ArrayList<>(shortestPaths.shortestTo(isEntry, start));
        if (shortestPaths.endOf(cycle) != start) {
            cycle.addAll(shortestPaths.shortestTo(
                    (state, place) -> graph.target(state, place) == start, shortestPaths.endOf(cycle)));
        }
        return cycle;
    }

    /** Nobody passes within a component, so that all of its states have the same future. */
    private void computeTimes() {
        var order = stronglyConnectedComponents.order();
        for (int from = 0, to; from < order.length; from = to) {
            int most = 0;
            for (to = from;
                    to < order.length && stronglyConnectedComponents.areTogether(order[from], order[to]);
                    to++) {
                most = Math.max(most, timesFrom(order[to]));
            }
            for (int i = from; i < to; i++) {
                times[order[i]] = most;
            }
        }
    }

    private int timesFrom(int state) {
        int most = 0;
        for (int step = 0; waiting.get(state) && step < graph.degree(state); step++) {
            int target = graph.target(state, step);
            if (waiting.get(target) && !stronglyConnectedComponents.areTogether(state, target)) {
                most = Math.max(most, times[target] + (isEntry.test(state, step) ? 1 : 0));
            }
        }
        return most;
    }

    private int nearest(int[] states, int most) {
        return IntStream.of(states)
                .filter(state -> times[state] == most)
                .boxed()
                .min(Comparator.comparingInt(depth::applyAsInt))
                .orElseThrow();
    }

    private List<ShortestPaths.Edge> longestPath(int start, int most) {
        var shortestPaths = new ShortestPaths(graph, waiting::get);
        var way = new ArrayList<ShortestPaths.Edge>();
        int here = start;
        for (int left = most; left > 0; left--) {
            int rest = left - 1;
            way.addAll(shortestPaths.shortestTo(
                    (state, place) -> isEntry.test(state, place) && times[graph.target(state, place)] == rest, here));
            here = shortestPaths.endOf(way);
        }
        return way;
    }
}
