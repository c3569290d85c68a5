package habemus.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.CliRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Scenario files are parsed, played, compared and rewritten. */
class ScenarioTest {

    private static final String TWO = """
            # Two runs.
            # And why.

            run bully -n 2 --initiators 1

            # The other one
            run ricart-agrawala-by-priority -n 3 --latency fixed:1 --link '3>1=fixed:20' --acquire 1@0,2@5 --hold 30
            """;

    @TempDir
    private Path folder;

    static Stream<Arguments> malformed() throws IOException {
        return CliRunner.table("wrong-scenarios.txt").entrySet().stream()
                .map(row -> Arguments.of(row.getKey(), row.getValue()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("malformed")
    void a_syntax_error_is_reported_with_its_line(String text, String message) throws IOException {
        var file = write(text.replace('/', '\n'));
        var output = CliRunner.run("run", file);
        assertThat(output.err()).isEqualTo("habemus: " + file + ":" + message + "\n");
        assertThat(output.code()).isEqualTo(2);
    }

    @Test
    void a_rewritten_file_plays_as_recorded() throws IOException {
        var file = write(TWO);
        assertThat(CliRunner.run("run", file).out()).contains("not recorded yet: --rewrite records it");
        var rewritten = CliRunner.run("run", file, "--rewrite");
        assertThat(rewritten.out()).isEqualTo(file + ": 2 of 2 outputs changed\n");
        assertThat(Files.readString(Path.of(file)))
                .startsWith("# Two runs.\n# And why.\n\nrun bully -n 2 --initiators 1\n----\n")
                .contains("\n\n# The other one\nrun ricart-agrawala-by-priority -n 3 ")
                .contains("\nmutual-exclusion       violated: at most one node holds the lock\n");
        var played = CliRunner.run("run", file);
        assertThat(played.code()).isEqualTo(1);
        assertThat(played.out())
                .startsWith("Two runs.\nAnd why.\n")
                .contains("as recorded\n")
                .doesNotContain("not as");
        assertThat(CliRunner.run("run", file, "--rewrite").out()).isEqualTo(file + ": 0 of 2 outputs changed\n");
    }

    @Test
    void a_difference_is_reported_with_its_line() throws IOException {
        var file = write("# title\n\nrun bully -n 2 --initiators 1\n----\n     0.000 ms  n1     something else\n");
        assertThat(CliRunner.run("run", file).out())
                .contains("not as recorded, first in " + file + ":5\n")
                .contains("  recorded  0.000 ms  n1     something else\n  now  ");
        assertThat(CliRunner.run("run", file, "--json").json().get("asRecorded").getAsBoolean())
                .isFalse();
    }

    @Test
    void several_runs_give_a_json_list_and_numbered_drawings() throws IOException {
        var output = CliRunner.run(
                "run", write(TWO), "--json", "--svg", folder.resolve("a.svg").toString());
        assertThat(output.json().keySet()).containsExactly("scenario", "asRecorded", "runs");
        assertThat(output.json().getAsJsonArray("runs")).hasSize(2);
        assertThat(folder.resolve("a-1.svg")).isNotEmptyFile();
        assertThat(folder.resolve("a-2.svg")).isNotEmptyFile();
    }

    @Test
    void a_scenario_with_one_run_gives_the_json_of_that_run() {
        var json = CliRunner.run("run", "gallery:bully-five", "--json").json();
        assertThat(json.get("scenario").getAsString()).isEqualTo("gallery:bully-five");
        assertThat(json.get("algorithm").getAsString()).isEqualTo("bully");
        assertThat(json.get("asRecorded").getAsBoolean()).isTrue();
    }

    private String write(String text) throws IOException {
        return Files.writeString(folder.resolve("my.scenario"), text).toString();
    }
}
