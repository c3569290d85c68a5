package habemus.check.liveness;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** A small random graph, in which every set of states can be tried. */
final class RandomGraph implements Digraph, FairnessConstraint {

    private static final int OBLIGATIONS = 3;

    private final List<List<Integer>> targets = new ArrayList<>();
    private final List<Set<FairnessObligation>> obligations = new ArrayList<>();
    private final List<List<Set<FairnessObligation>>> discharged = new ArrayList<>();
    private final List<List<int[]>> draws = new ArrayList<>();
    private final int[] depths;

    RandomGraph(SplittableRandom random, int states) {
        for (int state = 0; state < states; state++) {
            obligations.add(draw(random, 3));
            targets.add(new ArrayList<>());
            discharged.add(new ArrayList<>());
            int count = random.nextInt(4);
            for (int edge = 0; edge < count; edge++) {
                targets.getLast().add(random.nextInt(states));
                discharged.getLast().add(draw(random, 1));
            }
            boolean isRandom = count > 1 && random.nextBoolean();
            draws.add(
                    isRandom
                            ? List.of(IntStream.range(random.nextInt(count - 1), count)
                                    .toArray())
                            : List.of());
        }
        depths = random.ints(states, 0, 10).toArray();
    }

    /** @param quarters the probability of each obligation, in quarters */
    private static Set<FairnessObligation> draw(SplittableRandom random, int quarters) {
        var drawn = new HashSet<FairnessObligation>();
        for (int node = 0; node < OBLIGATIONS; node++) {
            if (random.nextInt(4) < quarters) {
                drawn.add(new FairnessObligation(node, "obligation"));
            }
        }
        return drawn;
    }

    @Override
    public int size() {
        return targets.size();
    }

    @Override
    public int degree(int state) {
        return targets.get(state).size();
    }

    @Override
    public int target(int state, int edge) {
        return targets.get(state).get(edge);
    }

    @Override
    public Set<FairnessObligation> obligations(int state) {
        return obligations.get(state);
    }

    @Override
    public Set<FairnessObligation> discharged(int state, int edge) {
        return discharged.get(state).get(edge);
    }

    @Override
    public List<int[]> randomChoices(int state) {
        return draws.get(state);
    }

    int depth(int state) {
        return depths[state];
    }

    /** Whether an edge counts as an entry: those that discharge the first obligation. */
    boolean isEntry(int state, int edge) {
        return discharged(state, edge).contains(new FairnessObligation(0, "obligation"));
    }

    List<ShortestPaths.Edge> edges(BitSet within) {
        return within.stream()
                .boxed()
                .flatMap(state -> IntStream.range(0, degree(state))
                        .filter(edge -> within.get(target(state, edge)))
                        .mapToObj(edge -> new ShortestPaths.Edge(state, edge)))
                .toList();
    }

    /** The edges within some states, without those whose random draw may leave them. */
    List<ShortestPaths.Edge> endComponentEdges(BitSet within) {
        return edges(within).stream()
                .filter(edge -> randomChoices(edge.state()).stream()
                        .filter(draw -> IntStream.of(draw).anyMatch(index -> index == edge.index()))
                        .flatMapToInt(IntStream::of)
                        .allMatch(index -> within.get(target(edge.state(), index))))
                .toList();
    }

    int target(ShortestPaths.Edge edge) {
        return target(edge.state(), edge.index());
    }

    /** The states that one or more of these edges reach. */
    BitSet reachableFrom(int from, List<ShortestPaths.Edge> edges) {
        var reached = new BitSet();
        int before;
        do {
            before = reached.cardinality();
            edges.stream()
                    .filter(edge -> edge.state() == from || reached.get(edge.state()))
                    .forEach(edge -> reached.set(target(edge)));
        } while (reached.cardinality() > before);
        return reached;
    }

    /** Whether repeating these edges forever is fair. */
    boolean isFair(List<ShortestPaths.Edge> edges) {
        return IntStream.range(0, OBLIGATIONS)
                .mapToObj(node -> new FairnessObligation(node, "obligation"))
                .allMatch(fairnessObligation -> edges.stream()
                        .anyMatch(edge -> !obligations(edge.state()).contains(fairnessObligation)
                                || discharged(edge.state(), edge.index()).contains(fairnessObligation)));
    }
}
