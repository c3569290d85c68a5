package habemus.check;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** A small graph of steps drawn by lot, in which everything can be tried. */
final class DrawnGraph implements Digraph, Fairness {

    private static final int DUTIES = 3;

    private final List<List<Integer>> targets = new ArrayList<>();
    private final List<Set<Duty>> due = new ArrayList<>();
    private final List<List<Set<Duty>>> done = new ArrayList<>();
    private final List<List<int[]>> rolls = new ArrayList<>();
    private final int[] depths;

    DrawnGraph(SplittableRandom random, int states) {
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
    private static Set<Duty> draw(SplittableRandom random, int often) {
        var drawn = new HashSet<Duty>();
        for (int node = 0; node < DUTIES; node++) {
            if (random.nextInt(4) < often) {
                drawn.add(new Duty(node, "duty"));
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
    public Set<Duty> due(int state) {
        return due.get(state);
    }

    @Override
    public Set<Duty> done(int state, int step) {
        return done.get(state).get(step);
    }

    @Override
    public List<int[]> rolls(int state) {
        return rolls.get(state);
    }

    int depth(int state) {
        return depths[state];
    }

    /** Whether some steps are taken to be those by which somebody gets in. */
    boolean enters(int state, int step) {
        return done(state, step).contains(new Duty(0, "duty"));
    }

    List<Walk.Step> steps(BitSet within) {
        return within.stream()
                .boxed()
                .flatMap(state -> IntStream.range(0, degree(state))
                        .filter(step -> within.get(target(state, step)))
                        .mapToObj(step -> new Walk.Step(state, step)))
                .toList();
    }

    /** The same without those whose dice may fall so that they lead out. */
    List<Walk.Step> lasting(BitSet within) {
        return steps(within).stream()
                .filter(step -> rolls(step.state()).stream()
                        .filter(roll -> IntStream.of(roll).anyMatch(place -> place == step.place()))
                        .flatMapToInt(IntStream::of)
                        .allMatch(place -> within.get(target(step.state(), place))))
                .toList();
    }

    int target(Walk.Step step) {
        return target(step.state(), step.place());
    }

    /** Where one can get from a state by one of these steps or more. */
    BitSet reached(int from, List<Walk.Step> steps) {
        var reached = new BitSet();
        int before;
        do {
            before = reached.cardinality();
            steps.stream()
                    .filter(step -> step.state() == from || reached.get(step.state()))
                    .forEach(step -> reached.set(target(step)));
        } while (reached.cardinality() > before);
        return reached;
    }

    /** Whether these states and steps, again and again, are fair. */
    boolean isFair(List<Walk.Step> steps) {
        return IntStream.range(0, DUTIES)
                .mapToObj(node -> new Duty(node, "duty"))
                .allMatch(duty -> steps.stream()
                        .anyMatch(step -> !due(step.state()).contains(duty)
                                || done(step.state(), step.place()).contains(duty)));
    }
}
