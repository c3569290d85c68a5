package habemus.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.catalogue.Recipe;
import habemus.world.Problem;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What may run where data matters. */
class ProductionTest {

    static Stream<Algorithm> classics() {
        return Catalogue.ALL.stream()
                .filter(one -> one.problem() != Problem.DETECTOR && !one.isService())
                .filter(one -> !one.name().equals("term-majority"));
    }

    @ParameterizedTest
    @MethodSource("classics")
    void a_classic_is_refused_by_name_with_the_reason(Algorithm algorithm) {
        var recipe = Recipe.parse(algorithm.name(), algorithm.problem());
        assertThatThrownBy(() -> Production.require(recipe))
                .isInstanceOf(Refusal.class)
                .hasMessageStartingWith(algorithm.name() + " is refused in production: it does not promise that ")
                .extracting(refused -> ((Refusal) refused).code())
                .isEqualTo(ExitCode.WRONG_USAGE);
    }

    /** Which is what the hints advise. */
    @Test
    void what_does_no_harm_may_run() {
        assertThatCode(() -> Production.require(Recipe.parse("quorum --durable", Problem.MUTEX)))
                .doesNotThrowAnyException();
        assertThatCode(() -> Production.require(Recipe.parse("term-majority", Problem.ELECTION)))
                .doesNotThrowAnyException();
    }

    @Test
    void the_reason_names_what_it_does_not_survive() {
        var said = Cli.line("serve --cluster 127.0.0.1:7601 --me n1 --profile production --algorithm central");
        assertThat(said.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(said.err())
                .startsWith("habemus: central is refused in production: it does not promise that ")
                .contains("crashed nodes come back with their memory")
                .endsWith("; take --algorithm 'quorum --durable', or leave --profile out to try it\n");
    }

    @Test
    void a_node_in_production_has_a_disk() {
        var said = Cli.line("serve --cluster 127.0.0.1:7601 --me n1 --profile production");
        assertThat(said.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(said.err()).contains("give --data DIR");
    }
}
