package habemus.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmSpec;
import habemus.catalogue.Catalogue;
import habemus.cli.CliRunner;
import habemus.cli.terminal.ExitCode;
import habemus.world.Problem;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What may run where data matters: the production service, and no algorithm of the catalogue. */
class ProductionProfileTest {

    private static final String SERVE = "serve --cluster 127.0.0.1:7601 --me n1 --profile production ";

    static Stream<Algorithm> classics() {
        return Catalogue.ALL.stream().filter(one -> one.problem() != Problem.DETECTOR && !one.isService());
    }

    @ParameterizedTest
    @MethodSource("classics")
    void a_classic_is_refused_by_name_with_the_reason(Algorithm algorithm) {
        var commandException = ProductionProfile.rejection(AlgorithmSpec.parse(algorithm.name(), algorithm.problem()));
        assertThat(commandException.message())
                .matches(algorithm.name() + " is refused in production: it does (not promise|no harm).*");
        assertThat(commandException.code()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void the_reason_names_what_it_does_not_survive() {
        var commandOutput = CliRunner.line(SERVE + "--algorithm central");
        assertThat(commandOutput.code()).isEqualTo(ExitCode.USAGE);
        assertThat(commandOutput.err())
                .startsWith("habemus: central is refused in production: it does not promise that ")
                .contains("crashed nodes come back with their memory")
                .endsWith("; leave --algorithm and --election out for the production service, or --profile to try"
                        + " this\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--algorithm 'quorum --durable'", "--election term-majority"})
    void what_does_no_harm_is_refused_too_since_it_tells_nobody(String option) {
        var commandOutput = CliRunner.line(SERVE + "--data x " + option);
        assertThat(commandOutput.code()).isEqualTo(ExitCode.USAGE);
        assertThat(commandOutput.err())
                .contains(" is refused in production: it does no harm, but tells nobody of a loss before");
    }

    @Test
    void a_node_in_production_has_a_disk() {
        var commandOutput = CliRunner.line(SERVE);
        assertThat(commandOutput.code()).isEqualTo(ExitCode.USAGE);
        assertThat(commandOutput.err()).contains("give --data DIR");
    }
}
