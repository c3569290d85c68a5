package habemus.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.CliRunner;
import habemus.lab.command.ExitCode;
import habemus.lab.mutation.Mutant;
import habemus.lab.mutation.MutationReport;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line of {@code habemus mutants}. */
@Tag("slow")
class MutantsCommandTest {

    @TempDir
    Path folder;

    @Test
    void all_mutants_of_an_algorithm_are_printed_with_line_and_broken_property() {
        var output = CliRunner.line("mutants chang-roberts");
        assertThat(output.code()).isEqualTo(ExitCode.OK);
        assertThat(output.err()).isEmpty();
        for (Mutant mutant : Mutant.of("chang-roberts")) {
            var change = mutant.changes().getFirst();
            assertThat(output.out())
                    .contains(mutant + " breaks " + mutant.breaks())
                    .contains(mutant.rationale())
                    .contains("ChangRoberts.java:" + mutant.lineNumber(change) + "\n- " + change.originalCode() + "\n+ "
                            + change.mutatedCode())
                    .contains("!! " + mutant.breaks() + " violated");
        }
        assertThat(output.out()).contains("3 nodes, each campaigns once: a shortest run, 4 steps");
    }

    @Test
    void a_protocol_bug_is_printed_below_its_run() {
        assertThat(CliRunner.line("mutants ricart-agrawala/reply-twice").out().strip())
                .endsWith("Reply from n1 cannot happen in"
                        + " State[self=n2, peers={n1}, clock=2, phase=Idle[], deferred={}]");
    }

    @Test
    void an_infinite_run_shows_its_loop() {
        assertThat(CliRunner.line("mutants anonymous-ring/follow-any-announcement")
                        .out())
                .contains("2 nodes, each campaigns once: an infinite run, 7 steps")
                .contains("repeats forever from here:");
    }

    @Test
    void one_mutant_can_be_drawn() {
        var picture = folder.resolve("news.svg");
        CliRunner.run("mutants", "chang-roberts/keep-the-announcement", "--svg", picture.toString());
        assertThat(picture).content().contains("chang-roberts/keep-the-announcement: agreement violated");
    }

    @Test
    void the_json_output_has_stable_names() {
        var json = CliRunner.line("mutants anonymous-ring/follow-any-announcement --json")
                .json();
        assertThat(json.keySet()).containsExactly("mutants", "survivors");
        assertThat(json.getAsJsonArray("survivors")).isEmpty();
        var mutant = json.getAsJsonArray("mutants").get(0).getAsJsonObject();
        assertThat(mutant.keySet())
                .containsExactly(
                        "algorithm",
                        "name",
                        "temptation",
                        "changes",
                        "breaks",
                        "verdict",
                        "world",
                        "steps",
                        "shortest",
                        "moves",
                        "loop",
                        "trace");
        assertThat(mutant.get("moves").getAsString()).isEqualTo("1request.2from1.1from2.2from1.1from2.2from1.1from2");
        assertThat(mutant.get("verdict").getAsString())
                .isEqualTo("termination violated: a leader is eventually elected, forever");
        assertThat(mutant.getAsJsonArray("trace")).isNotEmpty();
    }

    @Test
    void the_table_lists_killed_and_surviving_mutants() {
        var mutants = Mutant.of("lamport");
        var first = MutationReport.load()
                .replayOrSearch(mutants.getFirst(), world -> {})
                .orElseThrow();
        var shown = new MutantsOutput(List.of(first), List.of(mutants.getLast()));
        assertThat(shown.table()).isEqualTo("""
                        algorithm  mutant                           breaks            steps  in this world
                        lamport    enters-without-acknowledgements  mutual-exclusion      2  \
                        2 nodes, each requests twice

                        1 of 2 mutants are killed; habemus mutants ALGORITHM shows the runs
                        lamport/no-check-after-release survives in every small world: it should break no-starvation
                        """);
    }
}
