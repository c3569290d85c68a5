package habemus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lab.museum.Museum;
import habemus.lab.museum.Mutant;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code habemus museum}; what it shows is judged in lab. */
class MuseumCommandTest {

    @TempDir
    Path folder;

    @Test
    void all_mutants_of_an_algorithm_are_shown_with_their_lines_and_what_they_break() {
        var said = Cli.line("museum chang-roberts");
        assertThat(said.code()).isEqualTo(ExitCode.DONE);
        assertThat(said.err()).isEmpty();
        for (Mutant mutant : Mutant.of("chang-roberts")) {
            assertThat(said.out())
                    .contains(mutant + " breaks " + mutant.breaks())
                    .contains(mutant.temptation())
                    .contains(
                            "ChangRoberts.java:" + mutant.number() + "\n- " + mutant.line() + "\n+ " + mutant.instead())
                    .contains("!! " + mutant.breaks() + " violated");
        }
        assertThat(said.out()).contains("3 nodes, each campaigns once: a shortest run, 4 steps");
    }

    @Test
    void what_should_be_impossible_is_told_beneath_its_run() {
        assertThat(Cli.line("museum ricart-agrawala/answer-twice").out().strip())
                .endsWith("Reply from n1 cannot happen in"
                        + " State[self=n2, peers={n1}, clock=2, phase=Idle[], deferred={}]");
    }

    @Test
    void a_run_without_end_says_what_happens_again() {
        assertThat(Cli.line("museum anonymous-ring/be-polite").out())
                .contains("2 nodes, each campaigns once: a run without end, 7 steps")
                .contains("again and again from here:");
    }

    @Test
    void one_mutant_can_be_drawn() {
        var picture = folder.resolve("news.svg");
        Cli.run("museum", "chang-roberts/keep-the-news", "--svg", picture.toString());
        assertThat(picture).content().contains("chang-roberts/keep-the-news: agreement violated");
    }

    @Test
    void the_answer_for_programs_has_stable_names() {
        var json = Cli.line("museum anonymous-ring/be-polite --json").json();
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
        var first = Museum.open().show(mutants.getFirst(), world -> {}).orElseThrow();
        var shown = new Exhibited(List.of(first), List.of(mutants.getLast()));
        assertThat(shown.table()).isEqualTo("""
                        algorithm  mutant                           breaks            steps  in this world
                        lamport    enters-without-acknowledgements  mutual-exclusion      2  2 nodes, each asks twice

                        1 of 2 mutants die; habemus museum ALGORITHM shows how
                        lamport/release-is-not-looked-at survives in every small world: it should break no-starvation
                        """);
    }
}
