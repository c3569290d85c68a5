package habemus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code habemus compare}, and the page that it writes. */
class CompareCommandTest {

    @TempDir
    private Path folder;

    /** With every message taking one unit of time the figures are exact. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "central 2 2",
                "ricart-agrawala 2 1",
                "lamport 2 1",
                "maekawa-deadlock-free 2 2",
            })
    void delays_are_those_of_the_textbook(String line) {
        var words = line.split(" ", -1);
        var json = Cli.line("compare mutex -n 7 --json").json();
        var row = json.getAsJsonArray("rows").asList().stream()
                .map(each -> each.getAsJsonObject())
                .filter(each -> each.get("algorithm").getAsString().equals(words[0]))
                .findFirst()
                .orElseThrow();
        var measured = row.getAsJsonObject("measured");
        assertThat(measured.get("clientDelay").getAsDouble()).isEqualTo(Double.parseDouble(words[1]));
        assertThat(measured.get("handoverDelay").getAsDouble()).isEqualTo(Double.parseDouble(words[2]));
    }

    @Test
    void the_answer_for_programs_has_stable_names() {
        var json = Cli.line("compare election -n 3 --json").json();
        assertThat(json.keySet()).containsExactly("problem", "rows");
        var row = json.getAsJsonArray("rows").get(0).getAsJsonObject();
        assertThat(row.keySet()).containsExactly("algorithm", "n", "measured", "expected", "agrees");
        assertThat(row.get("agrees").getAsBoolean()).isTrue();
    }

    /** Renewed by -Dhabemus.rewrite=true. */
    @ParameterizedTest
    @ValueSource(strings = {"mutex", "election"})
    void the_page_says_what_is_measured(String problem) throws IOException {
        var docs = Cli.root().resolve("docs");
        boolean rewrite = Boolean.getBoolean("habemus.rewrite");
        var page = rewrite ? docs.resolve("comparison.md") : folder.resolve("comparison.md");
        var picture = (rewrite ? docs.resolve("pictures") : folder).resolve("compare-" + problem + ".svg");
        if (!rewrite) {
            Files.copy(docs.resolve("comparison.md"), page);
        }
        var said = Cli.run("compare", problem, "-n", "4,8,16", "--svg", picture.toString(), "--write", page.toString());
        assertThat(said.out()).contains("Theory is right everywhere.");
        assertThat(page).hasSameTextualContentAs(docs.resolve("comparison.md"));
        assertThat(picture).hasSameTextualContentAs(docs.resolve("pictures").resolve("compare-" + problem + ".svg"));
    }
}
