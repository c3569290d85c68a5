package habemus.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.CliRunner;
import habemus.cli.terminal.ExitCode;
import habemus.lab.mutation.Mutant;
import habemus.lab.mutation.MutationReport;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code habemus museum}; what it shows is judged in lab. */
class MutantsCommandTest {

    @TempDir
    Path folder;

    @Test
    void all_mutants_of_an_algorithm_are_shown_with_their_lines_and_what_they_break() {
        var commandOutput = CliRunner.line("museum chang-roberts");
        assertThat(commandOutput.code()).isEqualTo(ExitCode.OK);
        assertThat(commandOutput.err()).isEmpty();
        for (Mutant mutant : Mutant.of("chang-roberts")) {
            assertThat(commandOutput.out())
                    .contains(mutant + " breaks " + mutant.breaks())
                    .contains(mutant.rationale())
                    .contains("ChangRoberts.java:" + mutant.lineNumber() + "\n- " + mutant.originalLine() + "\n+ "
                            + mutant.mutatedLine())
                    .contains("!! " + mutant.breaks() + " violated");
        }
        assertThat(commandOutput.out()).contains("3 nodes, each campaigns once: a shortest run, 4 steps");
    }

    @Test
    void what_should_be_impossible_is_told_beneath_its_run() {
        assertThat(CliRunner.line("museum ricart-agrawala/answer-twice").out().strip())
                .endsWith("Reply from n1 cannot happen in"
                        + " State[self=n2, peers={n1}, clock=2, phase=Idle[], deferred={}]");
    }

    @Test
    void a_run_without_end_says_what_happens_again() {
        assertThat(CliRunner.line("museum anonymous-ring/be-polite").out())
                .contains("2 nodes, each campaigns once: a run without end, 7 steps")
                .contains("again and again from here:");
    }

    @Test
    void one_mutant_can_be_drawn() {
        var picture = folder.resolve("news.svg");
        CliRunner.run("museum", "chang-roberts/keep-the-news", "--svg", picture.toString());
        assertThat(picture).content().contains("chang-roberts/keep-the-news: agreement violated");
    }

    @Test
    void the_answer_for_programs_has_stable_names() {
        var json = CliRunner.line("museum anonymous-ring/be-polite --json").json();
        assertThat(json.keySet()).containsExactly("mutants", "survivors");
        assertThat(json.getAsJsonArray("survivors")).isEmpty();
        var mutant = json.getAsJsonArray("mutants").get(0).getAsJsonObject();
        assertThat(mutant.keySet())
                .containsExactly(
                        "algorithm",
                        "name",
                        "temptation",
                        "file",
                        "line",
                        "before",
                        "after",
                        "breaks",
                        "verdict",
                        "world",
                        "steps",
                        "shortest",
                        "moves",
                        "loop",
                        "trace");
        assertThat(mutant.get("moves").getAsString()).isEqualTo("1ask.2from1.1from2.2from1.1from2.2from1.1from2");
        assertThat(mutant.get("verdict").getAsString())
                .isEqualTo("termination violated: in the end somebody leads, for ever");
        assertThat(mutant.getAsJsonArray("trace")).isNotEmpty();
    }

    @Test
    void a_table_names_all_and_says_who_survives() {
        var mutants = Mutant.of("lamport");
        var first = MutationReport.load()
                .replayOrSearch(mutants.getFirst(), world -> {})
                .orElseThrow();
        var shown = new MutantsOutput(List.of(first), List.of(mutants.getLast()));
        assertThat(shown.table()).isEqualTo("""
                        algorithm  mutant                           breaks            steps  in this world
                        lamport    enters-without-acknowledgements  mutual-exclusion      2  2 nodes, each asks twice

                        1 of 2 mutants die; habemus museum ALGORITHM shows how
                        lamport/release-is-not-looked-at survives in every small world: it should break no-starvation
                        """);
    }
}
