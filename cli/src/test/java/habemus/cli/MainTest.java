package habemus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What can be asked of the whole. */
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
                "restore --help"
            })
    void help_ends_with_an_example_and_fits_100_columns(String line) {
        var commandOutput = CliRunner.line(line);
        assertThat(commandOutput.code()).isZero();
        assertThat(commandOutput.err()).isEmpty();
        assertThat(commandOutput.out()).containsPattern("Examples?:\n(  habemus .*\n)+$");
        assertThat(commandOutput.out().lines())
                .allSatisfy(text -> assertThat(text).hasSizeLessThanOrEqualTo(100));
    }

    @Test
    void nothing_said_is_answered_by_help() {
        assertThat(CliRunner.run()).isEqualTo(CliRunner.run("--help"));
    }

    @Test
    void help_of_a_run_explains_the_options_of_its_algorithm() {
        assertThat(CliRunner.line("run bully --help").out())
                .contains("Options of bully:")
                .contains("--answer MS");
        assertThat(CliRunner.line("run --help").out()).doesNotContain("--answer");
    }

    @Test
    void the_version_is_told() {
        assertThat(CliRunner.run("--version").out()).startsWith("habemus ");
    }

    @Test
    void the_list_fits_100_columns_and_names_everything() {
        var commandOutput = CliRunner.run("list");
        assertThat(commandOutput.code()).isZero();
        assertThat(commandOutput.out())
                .contains("mutex: ", "  ricart-agrawala ", "election: ", "  bully ", "  ra-41-34 ");
        assertThat(commandOutput.out().lines())
                .allSatisfy(text -> assertThat(text).hasSizeLessThanOrEqualTo(100));
    }

    @Test
    void the_list_for_programs_has_stable_names() {
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
                .containsExactly("name", "form", "standard", "help");
        assertThat(json.getAsJsonArray("scenarios").get(0).getAsJsonObject().keySet())
                .containsExactly("name", "summary");
    }
}
