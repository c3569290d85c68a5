package habemus;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.world.Problem;
import habemus.world.Property;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every algorithm keeps its guarantees in random runs under their assumptions; its broken twin does not. */
@Tag("slow")
class FuzzTest {

    private static final int SEEDS = 2_000;

    /** The model checker has walked all interleavings of a few threads. */
    private static final int SEEDS_OF_PROGRAMS = 200;

    static Stream<String> correctAlgorithms() {
        return Catalogue.ALL.stream().filter(algorithm -> !algorithm.broken()).map(Algorithm::name);
    }

    static Stream<String> brokenTwins() {
        return Catalogue.ALL.stream().filter(Algorithm::broken).map(Algorithm::name);
    }

    @ParameterizedTest
    @MethodSource("correctAlgorithms")
    void no_seed_violates_a_guarantee(String name) {
        assertThat(violations(name))
                .as("guarantees that %s violates, with the first seed of RandomWorlds", name)
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("brokenTwins")
    void a_broken_twin_violates_mutual_exclusion(String name) {
        assertThat(violations(name)).containsKey(Property.MUTUAL_EXCLUSION.toString());
    }

    /** Each violated guarantee, with the first seed that violates it. */
    private static Map<String, Long> violations(String name) {
        var algorithm = Catalogue.find(name).orElseThrow();
        var first = new TreeMap<String, Long>();
        LongStream.rangeClosed(1, algorithm.problem() == Problem.THREADS ? SEEDS_OF_PROGRAMS : SEEDS)
                .forEach(seed -> RandomWorlds.withinGuarantees(algorithm, seed)
                        .violations()
                        .forEach(violation -> first.putIfAbsent(violation, seed)));
        return first;
    }
}
