package habemus.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmSpec;
import habemus.catalogue.Catalogue;
import habemus.cli.CliRunner;
import habemus.lab.command.ExitCode;
import habemus.world.Problem;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The profile {@code production} accepts the production service only. */
class ProductionProfileTest {

    private static final String SERVE = "serve --cluster 127.0.0.1:7601 --node n1 --profile production ";

    static Stream<Algorithm> classics() {
        return Catalogue.ALL.stream()
                .filter(candidate -> candidate.problem() != Problem.DETECTOR && !candidate.isService());
    }

    @ParameterizedTest
    @MethodSource("classics")
    void a_classic_algorithm_is_rejected_with_the_reason(Algorithm algorithm) {
        var commandException = ProductionProfile.rejection(AlgorithmSpec.parse(algorithm.name(), algorithm.problem()));
        assertThat(commandException.message())
                .matches(algorithm.name() + " is not allowed in production: it (does not guarantee|is safe, but).*");
        assertThat(commandException.code()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void the_reason_names_the_fault_that_is_not_tolerated() {
        var output = CliRunner.line(SERVE + "--algorithm central");
        assertThat(output.code()).isEqualTo(ExitCode.USAGE);
        assertThat(output.err())
                .startsWith("habemus: central is not allowed in production: it does not guarantee that ")
                .contains("crashed nodes restart with their durable state")
                .endsWith("\nhint: leave out --algorithm and --election for the production service,"
                        + " or leave out --profile\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--algorithm 'quorum --durable'", "--election term-majority"})
    void a_safe_algorithm_is_rejected_because_it_does_not_notify_holders(String option) {
        var output = CliRunner.line(SERVE + "--data x " + option);
        assertThat(output.code()).isEqualTo(ExitCode.USAGE);
        assertThat(output.err())
                .contains(" is not allowed in production: it is safe, but does not notify a holder of a loss");
    }

    @Test
    void the_production_service_requires_a_data_folder() {
        var output = CliRunner.line(SERVE);
        assertThat(output.code()).isEqualTo(ExitCode.USAGE);
        assertThat(output.err()).contains("add --data DIR");
    }
}
