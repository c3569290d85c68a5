package habemus.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.CliRunner;
import habemus.cli.terminal.ExitCode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code habemus check} as its users meet it. */
class CheckCommandTest {

    private static final String SAFE = "mutual-exclusion,deadlock-freedom,no-starvation,fences-grow";

    @Test
    void what_holds_in_every_run_holds() {
        var commandOutput = CliRunner.line("check ricart-agrawala -n 3 --entries 2 --json --property " + SAFE);
        assertThat(commandOutput.code()).isEqualTo(ExitCode.OK);
        var json = commandOutput.json();
        assertThat(json.get("verdict").getAsString()).isEqualTo("holds");
        assertThat(json.get("complete").getAsBoolean()).isTrue();
        assertThat(json.getAsJsonArray("counterexample")).isEmpty();
    }

    @Test
    void the_answer_for_programs_has_stable_names() {
        var json = CliRunner.line("check chang-roberts -n 2 --json").json();
        assertThat(json.keySet())
                .containsExactly(
                        "algorithm",
                        "nodes",
                        "network",
                        "timing",
                        "victim",
                        "states",
                        "transitions",
                        "depth",
                        "complete",
                        "reductions",
                        "bounds",
                        "verdict",
                        "properties",
                        "counterexample",
                        "replay",
                        "loop",
                        "maxBypass",
                        "seconds");
    }

    @Test
    void what_is_violated_has_a_shortest_run_to_it() {
        var commandOutput = CliRunner.line("check ricart-agrawala-by-priority --property mutual-exclusion");
        assertThat(commandOutput.code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(commandOutput.out())
                .contains("a shortest run to mutual-exclusion violated")
                .contains("GRANTED");
    }

    @Test
    void a_counterexample_is_drawn(@TempDir Path folder) {
        var file = folder.resolve("broken.svg");
        CliRunner.line("check ricart-agrawala-by-priority --property mutual-exclusion --svg " + file);
        assertThat(file).content().contains("mutual-exclusion violated");
    }

    @Test
    void a_search_that_was_cut_short_never_says_that_something_holds() {
        var commandOutput =
                CliRunner.line("check ricart-agrawala -n 3 --entries 3 --states 1000 --json --property " + SAFE);
        assertThat(commandOutput.code()).isEqualTo(ExitCode.VIOLATED);
        var json = commandOutput.json();
        assertThat(json.get("verdict").getAsString()).isEqualTo("incomplete");
        assertThat(json.getAsJsonArray("bounds")).isNotEmpty();
        assertThat(json.getAsJsonObject("properties").toString()).doesNotContain("holds");
    }

    @Test
    void how_often_one_is_passed_is_told() {
        var json =
                CliRunner.line("check ricart-agrawala -n 2 --entries 3 --json").json();
        assertThat(json.get("maxBypass").getAsInt()).isEqualTo(2);
        assertThat(CliRunner.line("check ricart-agrawala -n 2 --entries 3").out())
                .contains("bounded-waiting        holds: nobody is passed more than 2 times");
    }

    @Test
    void what_holds_of_hashes_is_said_with_the_chance_of_being_wrong() {
        var compact = "check chang-roberts -n 3 --compact --property uniqueness";
        assertThat(CliRunner.line(compact).out())
                .contains("states may have been mistaken")
                .contains("holds, but for a chance of ")
                .doesNotContain("holds\n");
        var json = CliRunner.line(compact + " --json").json();
        assertThat(json.get("compacted").getAsDouble()).isPositive();
        assertThat(CliRunner.line("check chang-roberts -n 3 --json").json().has("compacted"))
                .isFalse();
    }

    @Test
    void a_search_that_gave_up_says_what_makes_it_smaller() {
        assertThat(CliRunner.line("check bully --depth 3 --no-diagram").out())
                .contains("fewer runs with        -n 2, --timing synchronous, --alarms 2, --initiators 1");
        assertThat(CliRunner.line("check perfect -n 2 --timing synchronous").out())
                .doesNotContain("fewer runs");
    }

    @Test
    void a_search_ends_at_its_depth_or_when_its_memory_is_full() {
        var deep = CliRunner.line("check ricart-agrawala -n 3 --depth 5 --json").json();
        assertThat(deep.getAsJsonArray("bounds").toString()).isEqualTo("[\"at most 5 steps\"]");
        var full = CliRunner.line("check ricart-agrawala -n 3 --entries 2 --megabytes 1 --json")
                .json();
        assertThat(full.getAsJsonArray("bounds").toString()).contains("states were met");
    }

    @Test
    void a_search_that_is_reduced_says_so() {
        var small = "check ricart-agrawala -n 3 --reduce order ";
        assertThat(CliRunner.line(small + "--property " + SAFE).out()).contains("reduced                by order");
        assertThat(CliRunner.line(small + "--json --property " + SAFE).json().getAsJsonArray("reductions"))
                .hasToString("[\"order\"]");
        assertThat(CliRunner.line(small + "--property happened-before-order").out())
                .contains("not reduced            by order: happened-before-order");
        assertThat(CliRunner.line("check ricart-agrawala -n 2 --reduce all --property " + SAFE)
                        .out())
                .contains("reduced                by order: ")
                .contains("not reduced            by symmetry: names matter here");
        assertThat(CliRunner.line("check lamport --reduce luck").err()).contains("there is no reduction by luck");
    }

    @Test
    void what_may_happen_is_counted() {
        var twice = CliRunner.line("check ricart-agrawala -n 2 --duplicates 1 --json")
                .json();
        assertThat(twice.getAsJsonObject("properties").toString()).contains("protocol-bug");
        var lost =
                CliRunner.line("check ricart-agrawala -n 2 --losses 1 --json").json();
        assertThat(lost.get("verdict").getAsString()).isEqualTo("stuck");
    }

    @Test
    void bully_keeps_one_leader_only_if_messages_are_faster_than_alarms() {
        var bully = "check bully -n 3 --crashes 1 --property uniqueness,agreement ";
        assertThat(CliRunner.line(bully + "--timing synchronous").code()).isEqualTo(ExitCode.OK);
        assertThat(CliRunner.line(bully + "--alarms 1").code()).isEqualTo(ExitCode.VIOLATED);
    }

    @Test
    void wrong_input_gets_one_line_with_a_hint() {
        assertThat(CliRunner.line("check").err()).startsWith("habemus: there is nothing to check; ");
        assertThat(CliRunner.line("check lamport --timing slow").err()).contains("it is asynchronous or synchronous");
        assertThat(CliRunner.line("check lamport --network lossy").err()).contains("use --losses 1");
        assertThat(CliRunner.line("check lamport --property uniqueness").err()).contains("there is no uniqueness here");
        assertThat(CliRunner.line("check lamport --crashes x").code()).isEqualTo(ExitCode.USAGE);
    }
}
