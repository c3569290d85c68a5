package habemus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Help, version and list. */
class MainTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "list --help",
                "run --help",
                "run bully --help",
                "fuzz -h",
                "quorum --help",
                "timeout --help",
                "serve --help",
                "up --help",
                "status --help",
                "locks --help",
                "leaders --help",
                "watch --help",
                "lock --help",
                "elect --help",
                "release --help",
                "transfer --help",
                "sessions --help",
                "deadlocks --help",
                "audit --help",
                "members --help",
                "backup --help",
                "restore --help",
                "threads --help",
                "threads counter --help",
                "threads throughput --help"
            })
    void help_ends_with_an_example_and_fits_100_columns(String line) {
        var output = CliRunner.line(line);
        assertThat(output.code()).isZero();
        assertThat(output.err()).isEmpty();
        assertThat(output.out()).containsPattern("Examples?:\n(  habemus .*\n)+$");
        assertThat(output.out().lines()).allSatisfy(text -> assertThat(text).hasSizeLessThanOrEqualTo(100));
    }

    @Test
    void no_arguments_print_the_help() {
        assertThat(CliRunner.run()).isEqualTo(CliRunner.run("--help"));
    }

    @Test
    void help_of_run_lists_the_options_of_the_named_algorithm() {
        assertThat(CliRunner.line("run bully --help").out())
                .contains("Options of bully:")
                .contains("--answer MS");
        assertThat(CliRunner.line("run --help").out()).doesNotContain("--answer");
    }

    @Test
    void version_is_printed() {
        assertThat(CliRunner.run("--version").out()).startsWith("habemus ");
    }

    @Test
    void list_fits_100_columns_and_names_everything() {
        var output = CliRunner.run("list");
        assertThat(output.code()).isZero();
        assertThat(output.out()).contains("mutex: ", "  ricart-agrawala ", "election: ", "  bully ", "  ra-41-34 ");
        assertThat(output.out().lines()).allSatisfy(text -> assertThat(text).hasSizeLessThanOrEqualTo(100));
    }

    @Test
    void the_json_list_has_stable_names() {
        var json = CliRunner.run("list", "--json").json();
        assertThat(json.keySet()).containsExactly("algorithms", "scenarios");
        var algorithm = json.getAsJsonArray("algorithms").get(0).getAsJsonObject();
        assertThat(algorithm.keySet())
                .containsExactly("name", "problem", "summary", "broken", "topology", "cost", "assumes", "options");
        assertThat(algorithm
                        .getAsJsonObject("cost")
                        .get("messagesPerEntryWorst")
                        .getAsString())
                .isEqualTo("3");
        assertThat(algorithm.getAsJsonArray("assumes").get(0).getAsJsonObject().keySet())
                .containsExactly("properties", "network", "faults", "timing");
        assertThat(algorithm.getAsJsonArray("options").get(0).getAsJsonObject().keySet())
                .containsExactly("name", "form", "default", "help");
        assertThat(json.getAsJsonArray("scenarios").get(0).getAsJsonObject().keySet())
                .containsExactly("name", "summary");
    }
}
