package habemus.check.liveness;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** A small graph of steps drawn by lot, in which everything can be tried. */
final class RandomGraph implements Digraph, FairnessConstraint {

    private static final int OBLIGATIONS = 3;

    private final List<List<Integer>> targets = new ArrayList<>();
    private final List<Set<FairnessObligation>> due = new ArrayList<>();
    private final List<List<Set<FairnessObligation>>> done = new ArrayList<>();
    private final List<List<int[]>> rolls = new ArrayList<>();
    private final int[] depths;

    RandomGraph(SplittableRandom random, int states) {
        for (int state = 0; state < states; state++) {
            due.add(draw(random, 3));
            targets.add(new ArrayList<>());
            done.add(new ArrayList<>());
            int steps = random.nextInt(4);
            for (int step = 0; step < steps; step++) {
                targets.getLast().add(random.nextInt(states));
                done.getLast().add(draw(random, 1));
            }
            boolean rolled = steps > 1 && random.nextBoolean();
            rolls.add(
                    rolled
                            ? List.of(IntStream.range(random.nextInt(steps - 1), steps)
                                    .toArray())
                            : List.of());
        }
        depths = random.ints(states, 0, 10).toArray();
    }

    /** @param often of four times */
    private static Set<FairnessObligation> draw(SplittableRandom random, int often) {
        var drawn = new HashSet<FairnessObligation>();
        for (int node = 0; node < OBLIGATIONS; node++) {
            if (random.nextInt(4) < often) {
                drawn.add(new FairnessObligation(node, "duty"));
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
    public int target(int state, int step) {
        return targets.get(state).get(step);
    }

    @Override
    public Set<FairnessObligation> obligations(int state) {
        return due.get(state);
    }

    @Override
    public Set<FairnessObligation> discharged(int state, int step) {
        return done.get(state).get(step);
    }

    @Override
    public List<int[]> randomChoices(int state) {
        return rolls.get(state);
    }

    int depth(int state) {
        return depths[state];
    }

    /** Whether some steps are taken to be those by which somebody gets in. */
    boolean isEntry(int state, int step) {
        return discharged(state, step).contains(new FairnessObligation(0, "duty"));
    }

    List<ShortestPaths.Edge> edges(BitSet within) {
        return within.stream()
                .boxed()
                .flatMap(state -> IntStream.range(0, degree(state))
                        .filter(step -> within.get(target(state, step)))
                        .mapToObj(step -> new ShortestPaths.Edge(state, step)))
                .toList();
    }

    /** The same without those whose dice may fall so that they lead out. */
    List<ShortestPaths.Edge> endComponentEdges(BitSet within) {
        return edges(within).stream()
                .filter(edge -> randomChoices(edge.state()).stream()
                        .filter(roll -> IntStream.of(roll).anyMatch(place -> place == edge.index()))
                        .flatMapToInt(IntStream::of)
                        .allMatch(place -> within.get(target(edge.state(), place))))
                .toList();
    }

    int target(ShortestPaths.Edge edge) {
        return target(edge.state(), edge.index());
    }

    /** Where one can get from a state by one of these steps or more. */
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

    /** Whether these states and steps, again and again, are fair. */
    boolean isFair(List<ShortestPaths.Edge> edges) {
        return IntStream.range(0, OBLIGATIONS)
                .mapToObj(node -> new FairnessObligation(node, "duty"))
                .allMatch(fairnessObligation -> edges.stream()
                        .anyMatch(edge -> !obligations(edge.state()).contains(fairnessObligation)
                                || discharged(edge.state(), edge.index()).contains(fairnessObligation)));
    }
}
