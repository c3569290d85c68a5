package habemus.check.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How many states there will be, by the sizes of the levels so far. */
class StateCountForecastTest {

    /** As many ways as there are to throw heads so often with 40 coins: 2 to the 40 in all. */
    private static long level(int heads) {
        double ways = 1;
        for (int i = 0; i < heads; i++) {
            ways = ways * (40 - i) / (i + 1);
        }
        return Math.round(ways);
    }

    private static StateCountForecast after(int levels) {
        var stateCountForecast = new StateCountForecast();
        IntStream.range(0, levels).forEach(heads -> stateCountForecast.add(level(heads)));
        return stateCountForecast;
    }

    @Test
    void levels_that_rise_and_fall_are_foreseen_at_the_top() {
        assertThat((double) after(21).total().orElseThrow() / (1L << 40)).isCloseTo(1, within(0.1));
    }

    @Test
    void near_the_end_little_is_left_to_guess() {
        assertThat((double) after(36).total().orElseThrow() / (1L << 40)).isCloseTo(1, within(0.001));
    }

    @Test
    void what_grows_without_a_bend_has_no_end_in_sight() {
        var stateCountForecast = new StateCountForecast();
        IntStream.range(0, 30).forEach(level -> stateCountForecast.add(1L << level));
        assertThat(stateCountForecast.total()).isEmpty();
    }

    @Test
    void a_few_levels_tell_nothing() {
        assertThat(after(8).total()).isEmpty();
    }
}
