package habemus;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.smallscope.GuaranteeScope;
import habemus.smallscope.SmallScopes;
import habemus.world.Property;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What an algorithm promises, no run of a small world breaks. */
class GuaranteeTest {

    static Stream<String> algorithms() {
        return Catalogue.ALL.stream().filter(one -> !one.broken()).map(Algorithm::name);
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void the_checker_finds_no_broken_promise(String name) {
        var algorithm = Catalogue.find(name).orElseThrow();
        for (var world : GuaranteeScope.of(algorithm)) {
            if (world.size().equals(SmallScopes.sizes(algorithm).get(1))) {
                var promised = world.guarantee().properties().toArray(Property[]::new);
                var checkReport = world.check(world.protocol(), promised);
                assertThat(checkReport.hasViolation())
                        .as("%s of %s", checkReport.findings(), world)
                        .isFalse();
            }
        }
    }
}
