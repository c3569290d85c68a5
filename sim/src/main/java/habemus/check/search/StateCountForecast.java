package habemus.check.search;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Predicts the number of states from the sizes of the levels so far. The logarithm of the size of a level is roughly a
 * concave parabola of its depth. A parabola fitted to the last levels predicts the next ones.
 */
final class StateCountForecast {

    private static final int HALF_WINDOW = 4; // levels before and after the middle of the window
    private static final int WINDOW = 2 * HALF_WINDOW + 1;
    private static final int MAX_LEVELS_AHEAD = 10_000;

    private final List<Long> levels = new ArrayList<>();
    private long sum;

    void add(long level) {
        levels.add(level);
        sum += level;
    }

    /** The predicted total; empty if the levels do not predict an end. */
    OptionalLong total() {
        if (levels.size() < WINDOW) {
            return OptionalLong.empty();
        }
        double curvature = curvature();
        double slope = slope() + curvature * HALF_WINDOW; // at the last level
        double size = Math.log(levels.getLast());
        double more = 0;
        for (int ahead = 0; ahead < MAX_LEVELS_AHEAD; ahead++) {
            size += slope + curvature / 2; // the slope half way to the next level
            slope += curvature;
            if (size < 0) {
                return OptionalLong.of(sum + Math.round(more));
            }
            more += Math.exp(size);
        }
        return OptionalLong.empty();
    }

    /** The slope of the parabola in the middle of the window, by least squares. */
    private double slope() {
        double squares = 0;
        double products = 0;
        for (int x = -HALF_WINDOW; x <= HALF_WINDOW; x++) {
            squares += x * x;
            products += x * logSize(x);
        }
        return products / squares;
    }

    /** The change of the slope per level, by least squares; never positive. */
    private double curvature() {
        double squares = 0;
        double fourths = 0;
        double sizes = 0;
        double products = 0;
        for (int x = -HALF_WINDOW; x <= HALF_WINDOW; x++) {
            squares += x * x;
            fourths += x * x * x * x;
            sizes += logSize(x);
            products += x * x * logSize(x);
        }
        return Math.min(0, 2 * (products - squares * sizes / WINDOW) / (fourths - squares * squares / WINDOW));
    }

    /** The logarithm of the size of a level, counted from the middle of the window. */
    private double logSize(int x) {
        return Math.log(levels.get(levels.size() - 1 - HALF_WINDOW + x));
    }
}
