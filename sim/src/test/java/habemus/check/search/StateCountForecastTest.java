package habemus.check.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The forecast of the number of states from the sizes of the levels so far. */
class StateCountForecastTest {

    /** The binomial coefficient of 40: the levels sum up to 2 to the 40. */
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
    void the_total_is_predicted_within_a_tenth_at_the_largest_level() {
        assertThat((double) after(21).total().orElseThrow() / (1L << 40)).isCloseTo(1, within(0.1));
    }

    @Test
    void the_total_is_predicted_closely_near_the_end() {
        assertThat((double) after(36).total().orElseThrow() / (1L << 40)).isCloseTo(1, within(0.001));
    }

    @Test
    void exponential_growth_has_no_forecast() {
        var stateCountForecast = new StateCountForecast();
        IntStream.range(0, 30).forEach(level -> stateCountForecast.add(1L << level));
        assertThat(stateCountForecast.total()).isEmpty();
    }

    @Test
    void a_few_levels_have_no_forecast() {
        assertThat(after(8).total()).isEmpty();
    }
}
