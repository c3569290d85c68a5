package habemus.check;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** How often others get in while one waits: a longest way among the states in which it does. */
final class Bypass {

    /**
     * @param times how often one is passed at most; {@link Scope#MANY} for without end
     * @param way of which the last step passes it so often; or a cycle in which it is passed
     */
    record Largest(int times, List<Walk.Step> way) {}

    private final Digraph graph;
    private final Walk.Goal enters;
    private final IntUnaryOperator depth;
    private final BitSet waiting;
    private final Components components;
    private final int[] times; // by state, how often it can be passed from there on

    /**
     * @param enters the steps by which somebody gets in
     * @param depth how far a state is from the beginning
     * @param waiting the states in which the same node waits
     * @param components of these states, or of all if there is no cycle
     */
    Bypass(Digraph graph, Walk.Goal enters, IntUnaryOperator depth, BitSet waiting, Components components) {
        this.graph = graph;
        this.enters = enters;
        this.depth = depth;
        this.waiting = waiting;
        this.components = components;
        times = new int[graph.size()];
    }

    /** A run to it begins at the nearest state from which it can be reached. */
    Largest largest() {
        var cycle = components.cycles().stream()
                .filter(states -> IntStream.of(states).anyMatch(state -> passesWithin(state)))
                .flatMapToInt(IntStream::of)
                .boxed()
                .min(Comparator.comparingInt(depth::applyAsInt));
        if (cycle.isPresent()) {
            return new Largest(Scope.MANY, around(cycle.get()));
        }
        count();
        int most = IntStream.of(components.order())
                .map(state -> times[state])
                .max()
                .orElse(0);
        return new Largest(most, most == 0 ? List.of() : longest(nearest(components.order(), most), most));
    }

    private boolean passesWithin(int state) {
        for (int step = 0; step < graph.degree(state); step++) {
            if (enters.isReached(state, step) && components.together(state, graph.target(state, step))) {
                return true;
            }
        }
        return false;
    }

    private List<Walk.Step> around(int start) {
        var walk = new Walk(graph, state -> components.together(start, state));
        var cycle = new ArrayList<>(walk.to(enters, start));
        if (walk.end(cycle) != start) {
            cycle.addAll(walk.to((state, place) -> graph.target(state, place) == start, walk.end(cycle)));
        }
        return cycle;
    }

    /** Nobody passes within a component, so that all of its states have the same future. */
    private void count() {
        var order = components.order();
        for (int from = 0, to; from < order.length; from = to) {
            int most = 0;
            for (to = from; to < order.length && components.together(order[from], order[to]); to++) {
                most = Math.max(most, after(order[to]));
            }
            for (int i = from; i < to; i++) {
                times[order[i]] = most;
            }
        }
    }

    private int after(int state) {
        int most = 0;
        for (int step = 0; waiting.get(state) && step < graph.degree(state); step++) {
            int target = graph.target(state, step);
            if (waiting.get(target) && !components.together(state, target)) {
                most = Math.max(most, times[target] + (enters.isReached(state, step) ? 1 : 0));
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

    private List<Walk.Step> longest(int start, int most) {
        var walk = new Walk(graph, waiting::get);
        var way = new ArrayList<Walk.Step>();
        int here = start;
        for (int left = most; left > 0; left--) {
            int rest = left - 1;
            way.addAll(walk.to(
                    (state, place) -> enters.isReached(state, place) && times[graph.target(state, place)] == rest,
                    here));
            here = walk.end(way);
        }
        return way;
    }
}
