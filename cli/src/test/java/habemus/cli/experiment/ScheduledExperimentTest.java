package habemus.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.CliRunner;
import habemus.lab.command.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code habemus run --moves} and {@code --shrink}. */
class ScheduledExperimentTest {

    /** Every kind of fault, synchronous time, a random ring, ranks and options of algorithms. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ricart-agrawala-by-priority --property mutual-exclusion",
                "ricart-agrawala -n 3 --entries 2 --property happened-before-order",
                "ricart-agrawala -n 2 --losses 1 --require no-starvation",
                "ricart-agrawala -n 2 --duplicates 1",
                "lamport -n 2 --network bag --property mutual-exclusion",
                "bully -n 2 --crashes 1 --timeouts 1 --property uniqueness",
                "bully -n 3 --crashes 1 --amnesias 1 --cuts --timing synchronous --property uniqueness",
                "bully -n 3 --mistakes 1 --timing synchronous --property uniqueness",
                "central -n 2 --lease 400 --pauses 1 --timing synchronous --property mutual-exclusion",
                "central -n 2 --crashes 1 --victim holder --require deadlock-freedom",
                "bully -n 2 --rank 1=5 --crashes 1 --restarts 1 --timing synchronous --property stability",
                "chang-roberts -n 3 --topology ring:random --crashes 1 --property termination"
            })
    void a_counterexample_of_check_is_replayed_exactly(String check) {
        var found = CliRunner.line("check " + check);
        var replay = found.out()
                .lines()
                .filter(line -> line.startsWith("replay with  "))
                .findFirst()
                .orElseThrow()
                .replace("replay with  ", "");
        var played = CliRunner.line(replay);
        assertThat(played.code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(diagram(played.out())).isEqualTo(diagram(found.out())).contains(" step\n");
    }

    @Test
    void json_contains_the_replay_command() {
        var json =
                CliRunner.line("check ricart-agrawala -n 2 --losses 1 --json").json();
        assertThat(json.get("replay").getAsString())
                .isEqualTo("./habemus run ricart-agrawala -n 2 --moves 1request.2lost1");
        assertThat(CliRunner.line("check chang-roberts -n 2 --json")
                        .json()
                        .get("replay")
                        .getAsString())
                .isEmpty();
    }

    private static String diagram(String output) {
        int begin = output.indexOf("\n n");
        return output.substring(begin, output.indexOf("\n\n", begin));
    }

    @Test
    void a_run_by_moves_is_counted_and_checked_like_any_run() {
        var output = CliRunner.line("run ricart-agrawala -n 2 --moves 1request.2from1.1from2 --json");
        assertThat(output.code()).isEqualTo(ExitCode.OK);
        var json = output.json();
        assertThat(json.get("end").getAsString()).isEqualTo("last_move");
        assertThat(json.get("messages").getAsInt()).isEqualTo(2);
        assertThat(json.get("entries").getAsInt()).isEqualTo(1);
        assertThat(json.get("properties")
                        .getAsJsonObject()
                        .get("mutual-exclusion")
                        .getAsString())
                .isEqualTo("holds");
        assertThat(json.get("replay").getAsString())
                .isEqualTo("./habemus run ricart-agrawala -n 2 --moves 1request.2from1.1from2");
    }

    @Test
    void a_waiting_node_is_named() {
        var output = CliRunner.line("run ricart-agrawala -n 2 --require no-starvation --moves 1request.2lost1");
        assertThat(output.code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(output.out()).contains("still waiting          n1").contains("at rest after");
    }

    @Test
    void a_violating_simulated_run_is_shrunk() {
        var output = CliRunner.line("run ricart-agrawala -n 3 --entries 5 --loss 0.1 --shrink");
        assertThat(output.code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(output.out())
                .contains(" moves shrunk to 4, a shortest run\n")
                .contains("--moves ");
        var json = CliRunner.line("run ricart-agrawala -n 3 --entries 5 --loss 0.1 --shrink --json")
                .json();
        assertThat(json.getAsJsonObject("shrunk").get("replay")).isEqualTo(json.get("replay"));
    }

    @Test
    void a_run_without_violations_is_not_shrunk() {
        var output = CliRunner.line("run ricart-agrawala -n 3 --shrink");
        assertThat(output.code()).isEqualTo(ExitCode.OK);
        assertThat(output.out())
                .startsWith("nothing to shrink: every property is true here\n")
                .contains("--seed 1");
    }
}
