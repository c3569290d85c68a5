package habemus.check.search;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Guesses from the sizes of the levels so far how many states there will be. The logarithm of a level's size bends down
 * more or less evenly: a parabola through the last levels tells how the next ones will grow and shrink.
 */
final class StateCountForecast {

    private static final int HALF_WINDOW = 4; // so many before and after the middle of the last ones
    private static final int WINDOW = 2 * HALF_WINDOW + 1;
    private static final int MAX_LEVELS_AHEAD = 10_000;

    private final List<Long> levels = new ArrayList<>();
    private long sum;

    void add(long level) {
        levels.add(level);
        sum += level;
    }

    /** All that there will be; empty if no end is in sight. */
    OptionalLong total() {
        if (levels.size() < WINDOW) {
            return OptionalLong.empty();
        }
        double bend = curvature();
        double growth = slope() + bend * HALF_WINDOW; // at the last level
        double size = Math.log(levels.getLast());
        double more = 0;
        for (int ahead = 0; ahead < MAX_LEVELS_AHEAD; ahead++) {
            size += growth + bend / 2; // half way to the next level
            growth += bend;
            if (size < 0) {
                return OptionalLong.of(sum + Math.round(more));
            }
            more += Math.exp(size);
        }
        return OptionalLong.empty();
    }

    /** How steep the parabola is in the middle of the last levels, by least squares. */
    private double slope() {
        double squares = 0;
        double products = 0;
        for (int x = -HALF_WINDOW; x <= HALF_WINDOW; x++) {
            squares += x * x;
            products += x * logSize(x);
        }
        return products / squares;
    }

    /** How much less steep it gets with every level, by least squares; it never bends up. */
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

    /** The logarithm of a level, counted from the middle of the last ones. */
    private double logSize(int x) {
        return Math.log(levels.get(levels.size() - 1 - HALF_WINDOW + x));
    }
}
