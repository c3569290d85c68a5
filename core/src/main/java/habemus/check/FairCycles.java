package habemus.check;

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
 * Endless runs that never leave a part of the graph, and in which everything that is due for ever is done at some time.
 * There is one if and only if there is one that visits all of a strongly connected component again and again.
 */
final class FairCycles {

    private final Digraph graph;
    private final Fairness fairness;
    private final IntUnaryOperator depth;

    /** @param depth how far a state is from the beginning */
    FairCycles(Digraph graph, Fairness fairness, IntUnaryOperator depth) {
        this.graph = graph;
        this.fairness = fairness;
        this.depth = depth;
    }

    /** A cycle from the nearest state that has one back to it. */
    Optional<List<Walk.Step>> nearest(BitSet part) {
        return through(part, part);
    }

    /** A cycle within a part of the graph, from the nearest of some states that has one back to it. */
    Optional<List<Walk.Step>> through(BitSet part, BitSet some) {
        var lasting = new Lasting(graph, fairness, part);
        return lasting.components().cycles().stream()
                .filter(states -> IntStream.of(states).anyMatch(some::get) && isFair(states, lasting))
                .flatMapToInt(IntStream::of)
                .filter(some::get)
                .boxed()
                .min(Comparator.comparingInt(depth::applyAsInt))
                .map(start -> around(start, lasting));
    }

    private boolean isFair(int[] states, Lasting lasting) {
        var owed = new HashSet<>(fairness.due(states[0]));
        for (int i = 0; i < states.length && !owed.isEmpty(); i++) {
            owed.retainAll(fairness.due(states[i]));
            for (int step = 0; step < graph.degree(states[i]) && !owed.isEmpty(); step++) {
                if (lasting.components().together(states[i], lasting.target(states[i], step))) {
                    owed.removeAll(fairness.done(states[i], step));
                }
            }
        }
        return owed.isEmpty();
    }

    /** Goes where the nearest debt is paid until there is none, then back. */
    private List<Walk.Step> around(int start, Lasting lasting) {
        var walk = new Walk(lasting, state -> lasting.components().together(start, state));
        var cycle = new ArrayList<Walk.Step>();
        var owed = new HashSet<>(fairness.due(start));
        int here = start;
        while (!owed.isEmpty()) {
            var way = walk.to((state, place) -> pays(owed, state, place), here);
            way.forEach(step -> pay(owed, step));
            cycle.addAll(way);
            here = walk.end(way);
        }
        if (here != start || cycle.isEmpty()) {
            cycle.addAll(walk.to((state, place) -> graph.target(state, place) == start, here));
        }
        return cycle;
    }

    private boolean pays(Set<Duty> owed, int state, int place) {
        return !fairness.due(graph.target(state, place)).containsAll(owed)
                || fairness.done(state, place).stream().anyMatch(owed::contains);
    }

    private void pay(Set<Duty> owed, Walk.Step step) {
        owed.removeAll(fairness.done(step.state(), step.place()));
        owed.retainAll(fairness.due(graph.target(step.state(), step.place())));
    }
}
