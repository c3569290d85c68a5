package habemus.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers of a seed never change: recorded runs, links and documents name seeds. */
class SeededRandomTest {

    /** The generator of the JDK is SplitMix64 too, but its derived numbers are not part of its contract. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, 42, Long.MIN_VALUE, 0x5DEECE66DL})
    void it_draws_the_numbers_of_the_published_algorithm(long seed) {
        var random = new SeededRandom(seed);
        var reference = new SplittableRandom(seed);
        for (int i = 1; i < 2_000; i++) {
            int bound = 1 << (i % 31) | i;
            assertThat(random.nextLong()).isEqualTo(reference.nextLong());
            assertThat(random.nextBoolean()).isEqualTo(reference.nextBoolean());
            assertThat(random.nextInt(i)).isEqualTo(reference.nextInt(i));
            assertThat(random.nextInt(bound)).isEqualTo(reference.nextInt(bound));
            assertThat(random.nextLong((long) bound << 31 | i)).isEqualTo(reference.nextLong((long) bound << 31 | i));
            assertThat(random.nextDouble()).isEqualTo(reference.nextDouble());
            assertThat(random.nextDouble(0.3)).isEqualTo(reference.nextDouble(0.3));
            assertThat(random.nextDouble(0.8, 1.25)).isEqualTo(reference.nextDouble(0.8, 1.25));
        }
    }

    @Test
    void the_order_of_a_shuffled_list_never_changes() {
        var list = new ArrayList<>(List.of(1, 2, 3, 4, 5, 6, 7, 8));
        new SeededRandom(1).shuffle(list);
        assertThat(list).containsExactly(5, 8, 7, 4, 3, 2, 1, 6);
    }

    @Test
    void every_order_is_as_likely_as_any_other() {
        var random = new SeededRandom(7);
        var counts = new TreeMap<String, Integer>();
        for (int i = 0; i < 60_000; i++) {
            var list = new ArrayList<>(List.of(1, 2, 3));
            random.shuffle(list);
            counts.merge(list.toString(), 1, Integer::sum);
        }
        assertThat(counts).hasSize(6);
        assertThat(counts.values()).allSatisfy(count -> assertThat(count).isBetween(9_600, 10_400));
    }

    @Test
    void a_bound_is_positive() {
        assertThatThrownBy(() -> new SeededRandom(1).nextInt(0)).hasMessage("bound must be positive, was 0");
        assertThatThrownBy(() -> new SeededRandom(1).nextLong(-5)).hasMessage("bound must be positive, was -5");
    }
}
