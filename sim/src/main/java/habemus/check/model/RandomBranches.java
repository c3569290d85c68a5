package habemus.check.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Random draws with every outcome, one branch after the other. A draw after the given prefix is zero. */
final class RandomBranches {

    private final List<Integer> prefix;
    private final List<Integer> bounds = new ArrayList<>();

    private RandomBranches(List<Integer> prefix) {
        this.prefix = prefix;
    }

    /** The outcomes of all branches: repeats the action until every combination of draws was used. */
    static List<ActionOutcome> outcomes(Function<RandomBranches, ActionOutcome> action) {
        var actionOutcomes = new ArrayList<ActionOutcome>();
        var randomBranches = new RandomBranches(List.of());
        while (true) {
            actionOutcomes.add(action.apply(randomBranches));
            int last = randomBranches.lastIncrementable();
            if (last < 0) {
                return List.copyOf(actionOutcomes);
            }
            var next = new ArrayList<Integer>();
            for (int i = 0; i <= last; i++) {
                next.add(randomBranches.drawn(i) + (i == last ? 1 : 0));
            }
            randomBranches = new RandomBranches(next);
        }
    }

    /** For an action that draws nothing. */
    static RandomBranches none() {
        return new RandomBranches(List.of());
    }

    int draw(int bound) {
        bounds.add(bound);
        return drawn(bounds.size() - 1);
    }

    private int drawn(int i) {
        return i < prefix.size() ? prefix.get(i) : 0;
    }

    private int lastIncrementable() {
        for (int i = bounds.size() - 1; i >= 0; i--) {
            if (drawn(i) + 1 < bounds.get(i)) {
                return i;
            }
        }
        return -1;
    }
}
