package habemus;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.small.PromisedWorld;
import habemus.small.SmallWorlds;
import habemus.world.Property;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What an algorithm promises, no run of a small world breaks. */
class PromisesTest {

    static Stream<String> algorithms() {
        return Catalogue.ALL.stream().filter(one -> !one.broken()).map(Algorithm::name);
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void the_checker_finds_no_broken_promise(String name) {
        var algorithm = Catalogue.find(name).orElseThrow();
        for (var world : PromisedWorld.of(algorithm)) {
            if (world.size().equals(SmallWorlds.sizes(algorithm).get(1))) {
                var promised = world.promise().properties().toArray(Property[]::new);
                var report = world.check(world.protocol(), promised);
                assertThat(report.failed())
                        .as("%s of %s", report.findings(), world)
                        .isFalse();
            }
        }
    }
}
