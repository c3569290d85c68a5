package habemus.check.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Dice that fall in every way, one after the other. What is not in the script falls on zero, and is written down. */
final class RandomBranches {

    private final List<Integer> prefix;
    private final List<Integer> bounds = new ArrayList<>();

    private RandomBranches(List<Integer> script) {
        this.prefix = script;
    }

    /** Plays as often as it takes for the dice to have fallen in every way. */
    static List<ActionOutcome> outcomes(Function<RandomBranches, ActionOutcome> play) {
        var actionOutcomes = new ArrayList<ActionOutcome>();
        var randomBranches = new RandomBranches(List.of());
        while (true) {
            actionOutcomes.add(play.apply(randomBranches));
            int turned = randomBranches.lastIncrementable();
            if (turned < 0) {
                return List.copyOf(actionOutcomes);
            }
            var next = new ArrayList<Integer>();
            for (int i = 0; i <= turned; i++) {
                next.add(randomBranches.drawn(i) + (i == turned ? 1 : 0));
            }
            randomBranches = new RandomBranches(next);
        }
    }

    int draw(int ofSides) {
        bounds.add(ofSides);
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
