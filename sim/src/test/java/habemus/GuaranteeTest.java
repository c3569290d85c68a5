package habemus;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.smallscope.GuaranteeScope;
import habemus.smallscope.SmallScopes;
import habemus.world.Property;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No run in a small scope violates a guarantee of an algorithm. */
@Tag("slow")
class GuaranteeTest {

    static Stream<String> algorithms() {
        return Catalogue.ALL.stream().filter(algorithm -> !algorithm.broken()).map(Algorithm::name);
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void the_checker_finds_no_violated_guarantee(String name) {
        var algorithm = Catalogue.find(name).orElseThrow();
        for (var scope : GuaranteeScope.of(algorithm)) {
            if (scope.size().equals(SmallScopes.sizes(algorithm).get(1))) {
                var guaranteed = scope.guarantee().properties().toArray(Property[]::new);
                var checkReport = scope.check(scope.protocol(), guaranteed);
                assertThat(checkReport.hasViolation())
                        .as("%s of %s", checkReport.findings(), scope)
                        .isFalse();
            }
        }
    }
}
