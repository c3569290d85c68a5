package habemus.lab.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PortableRandomTest {

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, 42, Long.MIN_VALUE, 0x5DEECE66DL})
    void draws_the_numbers_of_the_random_generator_of_the_jdk(long seed) {
        var expected = new Random(seed);
        var random = new PortableRandom(seed);
        for (int bound : new int[] {1, 2, 3, 12, 1 << 20, (1 << 30) + 1, Integer.MAX_VALUE}) {
            assertThat(random.nextInt(bound)).isEqualTo(expected.nextInt(bound));
            assertThat(random.nextInt()).isEqualTo(expected.nextInt());
            assertThat(random.nextDouble()).isEqualTo(expected.nextDouble());
        }
    }
}
