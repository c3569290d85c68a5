package habemus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lab.command.ShellSyntax;
import habemus.lab.table.DisplayWidth;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
                "explain --help",
                "advise --help",
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

    /** Wide tables and diagrams are wrapped; a command line stays whole, so that it can be copied. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "run --help",
                "list",
                "list --survives crash",
                "run ricart-agrawala -n 3",
                "run gallery:fenced-two",
                "run no-such-algorithm",
                "check ricart-agrawala-by-priority",
                "quorum -n 5 -p 0.001",
                "compare mutex -n 3",
                "timeout --runs 10",
                "threads list",
                "exercise list"
            })
    void output_fits_the_columns_of_a_narrow_terminal(String line) {
        var output = CliRunner.run(ShellSyntax.split(line), 80);
        assertThat((output.out() + output.err()).lines())
                .filteredOn(text -> !text.contains("habemus "))
                .isNotEmpty()
                .allSatisfy(text -> assertThat(DisplayWidth.of(text)).isLessThanOrEqualTo(80));
    }

    @Test
    void the_summary_of_every_command_is_a_sentence_in_both_languages() {
        var english = commands("en");
        var portuguese = commands("pt");
        assertThat(portuguese.keySet()).isEqualTo(english.keySet());
        assertThat(english).allSatisfy((name, summary) -> {
            assertThat(summary).matches("\\p{Lu}.+[^.]\\.");
            assertThat(portuguese.get(name)).matches("\\p{Lu}.+[^.]\\.").isNotEqualTo(summary);
        });
    }

    /** The commands of the help, with their summaries. */
    private static Map<String, String> commands(String language) {
        var commands = new TreeMap<String, String>();
        var name = "";
        for (String line :
                CliRunner.run("--help", "--lang", language).out().lines().toList()) {
            if (line.matches("  [a-z]+ +\\p{Lu}.*")) {
                name = line.strip().split(" ", 2)[0];
                commands.put(name, line.strip().substring(name.length()).strip());
            } else if (line.startsWith("      ") && !name.isEmpty()) {
                commands.merge(name, line.strip(), (first, next) -> first + " " + next);
            } else {
                name = "";
            }
        }
        return commands;
    }

    @Test
    void summaries_are_whole_sentences() {
        var json = CliRunner.run("list", "--json").json();
        for (String kind : List.of("algorithms", "scenarios")) {
            assertThat(json.getAsJsonArray(kind).asList())
                    .extracting(entry -> entry.getAsJsonObject().get("summary").getAsString())
                    .allSatisfy(summary -> assertThat(summary).matches("([a-z]+#\\d+: .+|\\p{Lu}.+)[^.][.?]"));
        }
    }

    @Test
    void list_shows_one_problem() {
        assertThat(CliRunner.line("list election").out())
                .contains("  bully ", "  bully-cascade ")
                .doesNotContain("  lamport ", "  raft-figure-8 ");
        assertThat(CliRunner.line("list scenarios").out())
                .contains("  ra-41-34 ")
                .doesNotContain("mutex:");
    }

    @Test
    void list_shows_what_survives_faults_and_the_option_it_needs() {
        assertThat(CliRunner.line("list mutex --survives crash").out())
                .contains("  token-ring --regenerate ", "  fenced ")
                .doesNotContain("  ricart-agrawala ", "  token-ring  ");
        assertThat(CliRunner.line("list --survives pause").out()).contains("  ricart-agrawala ");
        assertThat(CliRunner.line("list election --survives crash,restart --json")
                        .json()
                        .getAsJsonArray("algorithms")
                        .get(0)
                        .getAsJsonObject()
                        .getAsJsonArray("surviving")
                        .asList())
                .isNotEmpty();
    }
}
