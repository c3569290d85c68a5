package habemus.cli.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.cli.CliRunner;
import habemus.lab.command.ExitCode;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code habemus explain}, in both languages. */
class ExplainCommandTest {

    @TempDir
    private Path folder;

    static Stream<String> algorithms() {
        return Catalogue.ALL.stream().map(Algorithm::name);
    }

    private static List<String> commands(String name, String language) {
        var json = CliRunner.run("explain", name, "--json", "--lang", language).json();
        return json.getAsJsonArray("commands").asList().stream()
                .map(JsonElement::getAsString)
                .toList();
    }

    @Test
    void idea_rules_costs_guarantees_faults_and_commands_are_printed() {
        assertThat(CliRunner.line("explain ricart-agrawala -n 7").out())
                .contains("ricart-agrawala: a reply is the permission")
                .contains("There is no token, no queue and no coordinator")
                .containsPattern("  Request +answers Reply, unless it holds the lock")
                .contains("Costs, for n = 7", "2(n-1) = 12")
                .contains("mutual-exclusion, deadlock-freedom, no-starvation, fences-grow: on a bag network")
                .containsPattern("survives +no fault")
                .contains("one message is lost: deadlock-freedom stuck after 2 steps")
                .containsPattern("Try\n.*\n    \\./habemus run gallery:");
    }

    @Test
    void the_explanation_is_portuguese_on_request() {
        assertThat(CliRunner.line("explain bully --lang pt").out())
                .contains("Um nó que suspeita do seu líder", "Regras", "Custos, para n = 5")
                .contains("sobrevive a", "Experimente")
                .doesNotContain("Rules", "survives", "Try\n");
        assertThat(CliRunner.line("--lang pt --help").out()).contains("Explica um algoritmo");
        assertThat(CliRunner.line("run --lang=pt --help").out()).contains("Simula uma execução");
        assertThat(CliRunner.line("list mutex --lang pt").out()).contains("no máximo um nó detém a trava");
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void every_algorithm_has_three_commands_to_try_the_same_in_both_languages(String name) {
        assertThat(commands(name, "en")).hasSize(3).isEqualTo(commands(name, "pt"));
    }

    static Stream<String> commandsToTry() {
        return algorithms().flatMap(name -> commands(name, "en").stream()).distinct();
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("commandsToTry")
    void a_command_to_try_runs(String line) {
        var output = CliRunner.line(line.replace("--svg ", "--svg " + folder + "/"));
        assertThat(output.err()).isEmpty();
        assertThat(output.code()).isIn(ExitCode.OK, ExitCode.VIOLATED);
        assertThat(output.out()).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void an_explanation_fits_80_columns(String name) {
        for (String language : List.of("en", "pt")) {
            assertThat(CliRunner.run(List.of("explain", name, "--lang", language), 80)
                            .out()
                            .lines())
                    .filteredOn(line -> !line.contains("./habemus "))
                    .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        }
    }
}
