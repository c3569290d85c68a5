package habemus.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.CliRunner;
import habemus.cli.terminal.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code habemus run --moves}: what a check has found, played. */
class ScheduledExperimentTest {

    /** Loss, duplicate, crash, return, mistake, pause, cut, time that passes, a drawn ring, ranks, options. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ricart-agrawala-by-priority --property mutual-exclusion",
                "ricart-agrawala -n 3 --entries 2 --property happened-before-order",
                "ricart-agrawala -n 2 --losses 1",
                "ricart-agrawala -n 2 --duplicates 1",
                "lamport -n 2 --network bag --property mutual-exclusion",
                "bully -n 2 --crashes 1 --alarms 1 --property uniqueness",
                "bully -n 3 --crashes 1 --amnesias 1 --cuts --timing synchronous --property uniqueness",
                "bully -n 3 --mistakes 1 --timing synchronous --property uniqueness",
                "central -n 2 --lease 400 --pauses 1 --timing synchronous --property mutual-exclusion",
                "central -n 2 --crashes 1 --victim holder",
                "bully -n 2 --rank 1=5 --crashes 1 --restarts 1 --timing synchronous --property stability",
                "chang-roberts -n 3 --topology ring:random --crashes 1 --property termination"
            })
    void what_a_check_has_found_is_played_to_the_last_byte(String check) {
        var found = CliRunner.line("check " + check);
        var replay = found.out()
                .lines()
                .filter(line -> line.startsWith("see it again with  "))
                .findFirst()
                .orElseThrow()
                .replace("see it again with  ", "");
        var played = CliRunner.line(replay);
        assertThat(played.code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(diagram(played.out())).isEqualTo(diagram(found.out())).contains(" ms\n");
    }

    @Test
    void programs_are_told_how_to_play_it() {
        var json =
                CliRunner.line("check ricart-agrawala -n 2 --losses 1 --json").json();
        assertThat(json.get("replay").getAsString())
                .isEqualTo("./habemus run ricart-agrawala -n 2 --moves 1ask.2lost1");
        assertThat(CliRunner.line("check chang-roberts -n 2 --json")
                        .json()
                        .get("replay")
                        .getAsString())
                .isEmpty();
    }

    private static String diagram(String said) {
        int begin = said.indexOf("\n n");
        return said.substring(begin, said.indexOf("\n\n", begin));
    }

    @Test
    void a_run_by_its_moves_is_counted_and_judged_like_any_run() {
        var commandOutput = CliRunner.line("run ricart-agrawala -n 2 --moves 1ask.2from1.1from2 --json");
        assertThat(commandOutput.code()).isEqualTo(ExitCode.OK);
        var json = commandOutput.json();
        assertThat(json.get("end").getAsString()).isEqualTo("last_move");
        assertThat(json.get("messages").getAsInt()).isEqualTo(2);
        assertThat(json.get("entries").getAsInt()).isEqualTo(1);
        assertThat(json.get("properties")
                        .getAsJsonObject()
                        .get("mutual-exclusion")
                        .getAsString())
                .isEqualTo("holds");
        assertThat(json.get("replay").getAsString())
                .isEqualTo("./habemus run ricart-agrawala -n 2 --moves 1ask.2from1.1from2");
    }

    @Test
    void who_was_left_waiting_is_said() {
        var commandOutput = CliRunner.line("run ricart-agrawala -n 2 --moves 1ask.2lost1");
        assertThat(commandOutput.code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(commandOutput.out()).contains("still waiting          n1").contains("at rest after");
    }

    @Test
    void a_simulated_run_that_violates_something_is_shown_in_short() {
        var commandOutput = CliRunner.line("run ricart-agrawala -n 3 --entries 5 --loss 0.1 --shrink");
        assertThat(commandOutput.code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(commandOutput.out())
                .contains(" moves shrunk to 4, a shortest run\n")
                .contains("--moves ");
        var json = CliRunner.line("run ricart-agrawala -n 3 --entries 5 --loss 0.1 --shrink --json")
                .json();
        assertThat(json.getAsJsonObject("shrunk").get("replay")).isEqualTo(json.get("replay"));
    }

    @Test
    void where_nothing_is_violated_there_is_nothing_to_shrink() {
        var commandOutput = CliRunner.line("run ricart-agrawala -n 3 --shrink");
        assertThat(commandOutput.code()).isEqualTo(ExitCode.OK);
        assertThat(commandOutput.out())
                .startsWith("nothing to shrink: nothing is violated\n")
                .contains("--seed 1");
    }
}
