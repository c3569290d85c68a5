package habemus.check;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Dice that fall in every way, one after the other. What is not in the script falls on zero, and is written down. */
final class Dice {

    private final List<Integer> script;
    private final List<Integer> sides = new ArrayList<>();

    private Dice(List<Integer> script) {
        this.script = script;
    }

    /** Plays as often as it takes for the dice to have fallen in every way. */
    static List<Outcome> outcomes(Function<Dice, Outcome> play) {
        var outcomes = new ArrayList<Outcome>();
        var dice = new Dice(List.of());
        while (true) {
            outcomes.add(play.apply(dice));
            int turned = dice.lastThatCanTurn();
            if (turned < 0) {
                return List.copyOf(outcomes);
            }
            var next = new ArrayList<Integer>();
            for (int i = 0; i <= turned; i++) {
                next.add(dice.fallen(i) + (i == turned ? 1 : 0));
            }
            dice = new Dice(next);
        }
    }

    int roll(int ofSides) {
        sides.add(ofSides);
        return fallen(sides.size() - 1);
    }

    private int fallen(int i) {
        return i < script.size() ? script.get(i) : 0;
    }

    private int lastThatCanTurn() {
        for (int i = sides.size() - 1; i >= 0; i--) {
            if (fallen(i) + 1 < sides.get(i)) {
                return i;
            }
        }
        return -1;
    }
}
