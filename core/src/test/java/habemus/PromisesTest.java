package habemus;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.world.Problem;
import habemus.world.Property;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a mutex promises, no run of a small world breaks. */
class PromisesTest {

    static Stream<String> mutexes() {
        return Catalogue.ALL.stream()
                .filter(one -> one.problem() == Problem.MUTEX && !one.broken())
                .map(Algorithm::name);
    }

    @ParameterizedTest
    @MethodSource("mutexes")
    void the_checker_finds_no_broken_promise(String name) {
        var algorithm = Catalogue.find(name).orElseThrow();
        for (var world : PromisedWorld.of(algorithm)) {
            if (world.size().equals(SmallWorlds.sizes(algorithm).get(1))) {
                for (Property property : world.promise().properties()) {
                    assertThat(world.check(world.protocol(), property).failed())
                            .as("%s in %s", property, world)
                            .isFalse();
                }
            }
        }
    }
}
