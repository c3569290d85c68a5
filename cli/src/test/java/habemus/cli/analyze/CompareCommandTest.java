package habemus.cli.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.catalogue.Algorithm;
import habemus.cli.CliRunner;
import habemus.lab.compare.Comparison;
import habemus.lab.compare.ComparisonNotes;
import habemus.world.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code habemus compare}, and the page that it writes. */
@Tag("slow")
class CompareCommandTest {

    @TempDir
    private Path folder;

    /** Every message takes one unit of time, so that the values are exact. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "central 3 2 2",
                "ricart-agrawala 12 2 1",
                "lamport 18 2 1",
                "maekawa 6 2 2", // a set has three of the seven nodes
                "maekawa-deadlock-free 6 2 2",
            })
    void messages_and_delays_match_the_textbook(String line) {
        var words = line.split(" ", -1);
        var json = CliRunner.line("compare mutex -n 7 --json").json();
        var row = json.getAsJsonArray("rows").asList().stream()
                .map(element -> element.getAsJsonObject())
                .filter(element -> element.get("algorithm").getAsString().equals(words[0]))
                .findFirst()
                .orElseThrow();
        var measured = row.getAsJsonObject("measured");
        assertThat(row.getAsJsonArray("expected").asList().stream()
                        .map(element -> element.getAsJsonObject())
                        .filter(element -> element.get("what").getAsString().startsWith("messages_per_entry"))
                        .map(element -> element.get("measured").getAsString()))
                .contains(words[1]);
        assertThat(measured.get("clientDelay").getAsDouble()).isEqualTo(Double.parseDouble(words[2]));
        assertThat(measured.get("handoverDelay").getAsDouble()).isEqualTo(Double.parseDouble(words[3]));
    }

    @Test
    void the_json_output_has_stable_names() {
        var json = CliRunner.line("compare election -n 3 --json").json();
        assertThat(json.keySet()).containsExactly("problem", "rows");
        var row = json.getAsJsonArray("rows").get(0).getAsJsonObject();
        assertThat(row.keySet()).containsExactly("algorithm", "n", "measured", "expected", "agrees");
        assertThat(row.get("agrees").getAsBoolean()).isTrue();
    }

    @Test
    void a_deviation_from_the_textbook_is_marked_and_explained() {
        var output = CliRunner.line("compare mutex -n 3").out();
        assertThat(output).contains("central ¹ ", "\n¹ central: the coordinator requests from itself");
        for (Problem problem : List.of(Problem.MUTEX, Problem.ELECTION)) {
            var names =
                    Comparison.algorithms(problem).stream().map(Algorithm::name).toList();
            assertThat(ComparisonNotes.of(problem))
                    .isNotEmpty()
                    .allSatisfy(note -> assertThat(names).contains(note.substring(2, note.indexOf(':'))));
        }
    }

    @Test
    void rounds_are_counted_without_timeouts() {
        var rows = CliRunner.line("compare election -n 4 --json")
                .json()
                .getAsJsonArray("rows")
                .asList();
        assertThat(rows.stream()
                        .map(element -> element.getAsJsonObject())
                        .filter(element ->
                                element.get("algorithm").getAsString().equals("bully-stable"))
                        .map(element -> element.getAsJsonObject("measured")))
                .singleElement()
                .satisfies(row -> assertThat(row.get("rounds").getAsInt()).isEqualTo(2))
                .satisfies(row -> assertThat(row.get("clientDelay").getAsInt()).isEqualTo(101));
    }

    /** {@code -Dhabemus.rewrite=true} writes the page again. */
    @ParameterizedTest
    @ValueSource(strings = {"mutex", "election"})
    void the_page_shows_the_measured_values(String problem) throws IOException {
        var docs = CliRunner.root().resolve("docs");
        boolean rewrite = Boolean.getBoolean("habemus.rewrite");
        var page = rewrite ? docs.resolve("comparison.md") : folder.resolve("comparison.md");
        var picture = (rewrite ? docs.resolve("pictures") : folder).resolve("compare-" + problem + ".svg");
        if (!rewrite) {
            Files.copy(docs.resolve("comparison.md"), page);
        }
        var output = CliRunner.run(
                "compare", problem, "-n", "4,8,16", "--svg", picture.toString(), "--write", page.toString());
        assertThat(output.out()).contains("Theory is right everywhere.");
        assertThat(page).hasSameTextualContentAs(docs.resolve("comparison.md"));
        assertThat(picture).hasSameTextualContentAs(docs.resolve("pictures").resolve("compare-" + problem + ".svg"));
    }
}
