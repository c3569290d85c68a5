package habemus;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.world.Property;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every algorithm keeps its promises in every world that they are about; its broken twin does not. */
class FuzzTest {

    private static final int SEEDS = 2_000;

    static Stream<String> correctAlgorithms() {
        return Catalogue.ALL.stream().filter(one -> !one.broken()).map(Algorithm::name);
    }

    static Stream<String> brokenTwins() {
        return Catalogue.ALL.stream().filter(Algorithm::broken).map(Algorithm::name);
    }

    @ParameterizedTest
    @MethodSource("sound")
    void no_seed_breaks_a_promise(String name) {
        assertThat(violations(name))
                .as("what %s breaks, and the first seed of RandomWorlds that shows it", name)
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("brokenTwins")
    void a_broken_twin_is_caught(String name) {
        assertThat(violations(name)).containsKey(Property.MUTUAL_EXCLUSION.toString());
    }

    /** Each promise that some seed breaks, with the first such seed. */
    private static Map<String, Long> violations(String name) {
        var algorithm = Catalogue.find(name).orElseThrow();
        var first = new TreeMap<String, Long>();
        LongStream.rangeClosed(1, SEEDS)
                .forEach(seed -> RandomWorlds.withinGuarantees(algorithm, seed)
                        .violations()
                        .forEach(promise -> first.putIfAbsent(promise, seed)));
        return first;
    }
}
