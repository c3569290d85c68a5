package habemus.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.CliRunner;
import habemus.lab.command.ExitCode;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line of {@code habemus check}. */
@Tag("slow")
class CheckCommandTest {

    private static final String SAFE = "mutual-exclusion,deadlock-freedom,no-starvation,fences-grow";

    @Test
    void a_property_that_holds_in_every_run_holds() {
        var output = CliRunner.line("check ricart-agrawala -n 3 --entries 2 --json --property " + SAFE);
        assertThat(output.code()).isEqualTo(ExitCode.OK);
        var json = output.json();
        assertThat(json.get("verdict").getAsString()).isEqualTo("holds");
        assertThat(json.get("complete").getAsBoolean()).isTrue();
        assertThat(json.getAsJsonArray("counterexample")).isEmpty();
    }

    @Test
    void the_json_output_has_stable_names() {
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
                        "notGuaranteed",
                        "counterexample",
                        "replay",
                        "loop",
                        "maxBypass",
                        "seconds");
    }

    @Test
    void a_violated_property_has_a_shortest_run() {
        var output = CliRunner.line("check ricart-agrawala-by-priority --property mutual-exclusion");
        assertThat(output.code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(output.out())
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
    void an_incomplete_search_never_reports_holds() {
        var output = CliRunner.line("check ricart-agrawala -n 3 --entries 3 --states 1000 --json --property " + SAFE);
        assertThat(output.code()).isEqualTo(ExitCode.INCOMPLETE);
        var json = output.json();
        assertThat(json.get("verdict").getAsString()).isEqualTo("incomplete");
        assertThat(json.getAsJsonArray("bounds")).isNotEmpty();
        assertThat(json.getAsJsonObject("properties").toString()).doesNotContain("holds");
    }

    @Test
    void the_maximum_bypass_is_reported() {
        var json =
                CliRunner.line("check ricart-agrawala -n 2 --entries 3 --json").json();
        assertThat(json.get("maxBypass").getAsInt()).isEqualTo(2);
        assertThat(CliRunner.line("check ricart-agrawala -n 2 --entries 3").out())
                .contains("bounded-waiting        holds: bypassed at most 2 times");
    }

    @Test
    void without_a_stated_bound_the_largest_bypass_and_its_growth_are_reported() {
        var central = "check central -n 3 --entries 3 --property bounded-waiting";
        var cli = CliRunner.line(central);
        assertThat(cli.out())
                .contains("bounded-waiting        not guaranteed (here: largest bypass 6, grows: 2, 4, 6)")
                .doesNotContain("holds");
        assertThat(cli.code()).isEqualTo(ExitCode.OK);
        assertThat(CliRunner.line(central + " --json").json().get("bypasses")).hasToString("[2,4,6]");
        assertThat(CliRunner.line("check central --require bounded-waiting").err())
                .startsWith("habemus: --require: central states no bound, so nothing can exceed it: bounded-waiting\n");
    }

    @Test
    void a_check_of_named_properties_stops_when_they_are_decided() {
        var cli = CliRunner.line("check bully -n 3 --property uniqueness");
        assertThat(cli.code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(cli.out()).contains("stopped                every property is decided");
        assertThat(CliRunner.line("check bully -n 3 --property uniqueness --json")
                        .json()
                        .get("states")
                        .getAsInt())
                .isLessThan(1_000);
    }

    @Test
    void a_check_stops_at_the_first_property_that_is_not_true_if_asked_to() {
        var cli = CliRunner.line("check bully -n 3 --stop-at-first");
        assertThat(cli.code()).isEqualTo(ExitCode.INCOMPLETE);
        assertThat(cli.out())
                .contains("stopped                at the first property that is not true")
                .contains("agreement              not guaranteed (here: open)");
    }

    @Test
    void the_time_of_a_checked_run_is_its_steps(@TempDir Path folder) {
        var text = folder.resolve("run.txt");
        var json = folder.resolve("run.jsonl");
        var check = "check ricart-agrawala-by-priority --property mutual-exclusion --trace ";
        assertThat(CliRunner.line(check + text).out()).contains(" step\n").doesNotContain(" ms\n");
        assertThat(text).content().contains("step 10  !!     mutual-exclusion violated");
        CliRunner.line(check + json);
        assertThat(json)
                .content()
                .contains("{\"step\":10,\"what\":\"violated\"")
                .doesNotContain("\"at\":");
        var replay = CliRunner.line("run ricart-agrawala -n 2 --moves 1request.2from1.1from2")
                .out();
        assertThat(replay).contains("with the last move given after 3 steps").contains("n1 at step 3");
    }

    @Test
    void a_compacted_search_reports_its_error_probability() {
        var compact = "check chang-roberts -n 3 --compact --property uniqueness";
        assertThat(CliRunner.line(compact).out())
                .contains("two states may have the same hash")
                .contains("holds, except with probability ")
                .doesNotContain("holds\n");
        var json = CliRunner.line(compact + " --json").json();
        assertThat(json.get("compacted").getAsDouble()).isPositive();
        assertThat(CliRunner.line("check chang-roberts -n 3 --json").json().has("compacted"))
                .isFalse();
    }

    @Test
    void an_incomplete_search_suggests_a_smaller_scope() {
        assertThat(CliRunner.line("check bully --depth 3 --no-diagram").out())
                .contains("fewer runs with        -n 2, --timing synchronous, --timeouts 2, --initiators 1");
        assertThat(CliRunner.line("check perfect -n 2 --timing synchronous").out())
                .doesNotContain("fewer runs");
    }

    @Test
    void a_search_ends_at_its_depth_or_memory_limit() {
        var deep = CliRunner.line("check ricart-agrawala -n 3 --depth 5 --json").json();
        assertThat(deep.getAsJsonArray("bounds").toString()).isEqualTo("[\"at most 5 steps\"]");
        var full = CliRunner.line("check ricart-agrawala -n 3 --entries 2 --megabytes 1 --json")
                .json();
        assertThat(full.getAsJsonArray("bounds").toString()).contains("states visited");
    }

    @Test
    void a_reduced_search_reports_its_reductions() {
        var small = "check ricart-agrawala -n 3 --reduce order ";
        assertThat(CliRunner.line(small + "--property " + SAFE).out()).contains("reduced                by order");
        assertThat(CliRunner.line(small + "--json --property " + SAFE).json().getAsJsonArray("reductions"))
                .hasToString("[\"order\"]");
        assertThat(CliRunner.line(small + "--property happened-before-order").out())
                .contains("not reduced            by order: happened-before-order");
        assertThat(CliRunner.line("check ricart-agrawala -n 2 --reduce all --property " + SAFE)
                        .out())
                .contains("reduced                by order: ")
                .contains("not reduced            by symmetry: the nodes are not interchangeable");
        assertThat(CliRunner.line("check lamport --reduce luck").err()).contains("unknown reduction 'luck'");
    }

    @Test
    void fault_budgets_bound_the_faults() {
        var twice = CliRunner.line("check ricart-agrawala -n 2 --duplicates 1 --json")
                .json();
        assertThat(twice.getAsJsonObject("properties").toString()).contains("protocol-bug");
        var lost = CliRunner.line("check ricart-agrawala -n 2 --losses 1 --require no-starvation --json")
                .json();
        assertThat(lost.get("verdict").getAsString()).isEqualTo("stuck");
    }

    @Test
    void bully_keeps_one_leader_only_if_messages_are_faster_than_timeouts() {
        var bully = "check bully -n 3 --crashes 1 --property uniqueness,agreement ";
        assertThat(CliRunner.line(bully + "--timing synchronous").code()).isEqualTo(ExitCode.OK);
        assertThat(CliRunner.line(bully + "--timeouts 1").code()).isEqualTo(ExitCode.VIOLATED);
    }

    @Test
    void wrong_input_gets_a_message_with_a_hint() {
        assertThat(CliRunner.line("check").err()).startsWith("habemus: ALGORITHM is missing\nhint: ");
        assertThat(CliRunner.line("check lamport --timing slow").err())
                .contains("must be one of asynchronous, synchronous, was 'slow'");
        assertThat(CliRunner.line("check lamport --network lossy").err()).contains("use --losses 1");
        assertThat(CliRunner.line("check lamport --property uniqueness").err())
                .contains("lamport has no property 'uniqueness'");
        assertThat(CliRunner.line("check lamport --crashes x").code()).isEqualTo(ExitCode.USAGE);
    }
}
