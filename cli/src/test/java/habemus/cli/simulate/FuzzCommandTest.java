package habemus.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.CliRunner;
import habemus.cli.terminal.ExitCode;
import org.junit.jupiter.api.Test;

/** What {@code habemus fuzz} finds. */
class FuzzCommandTest {

    @Test
    void the_broken_twin_lets_two_in_and_the_replay_shows_it() {
        var commandOutput = CliRunner.line("fuzz ricart-agrawala-by-priority -n 3 --seeds 1000 --json");
        assertThat(commandOutput.code()).isEqualTo(1);
        var row = commandOutput.json().getAsJsonArray("rows").get(0).getAsJsonObject();
        assertThat(row.keySet()).containsExactly("algorithm", "seeds", "steps", "violations", "shrunk");
        for (var each : row.getAsJsonArray("violations")) {
            var violation = each.getAsJsonObject();
            assertThat(violation.keySet()).containsExactly("property", "seed", "replay");
            var replayed = CliRunner.line(violation.get("replay").getAsString() + " --json");
            var property = violation.get("property").getAsString();
            assertThat(replayed.json()
                            .getAsJsonObject("properties")
                            .get(property)
                            .getAsString())
                    .isEqualTo("violated");
        }
        assertThat(row.getAsJsonArray("violations").asList())
                .extracting(
                        violation -> violation.getAsJsonObject().get("property").getAsString())
                .contains("mutual-exclusion");
    }

    @Test
    void all_others_keep_what_they_promise() {
        var commandOutput = CliRunner.line("fuzz --seeds 300");
        assertThat(commandOutput.code()).as(commandOutput.out()).isZero();
        assertThat(commandOutput.out()).contains("bully").doesNotContain("by-priority");
    }

    @Test
    void what_is_found_does_not_depend_on_how_it_is_searched() {
        var command = "fuzz ricart-agrawala-by-priority bully --swarm=crash,loss --seeds 300 --json";
        assertThat(CliRunner.line(command)).isEqualTo(CliRunner.line(command));
    }

    @Test
    void a_violation_is_printed_with_its_replay() {
        var commandOutput = CliRunner.line("fuzz chang-roberts --swarm=crash --seeds 50");
        assertThat(commandOutput.out()).contains("chang-roberts: ").contains("  ./habemus run chang-roberts -n ");
        assertThat(commandOutput.code()).isEqualTo(1);
        assertThat(commandOutput.err()).isEmpty();
    }

    @Test
    void the_first_violation_is_made_short_and_can_be_played() {
        var commandOutput = CliRunner.line("fuzz ricart-agrawala-by-priority -n 3 --entries 9 --seeds 20 --json");
        var shrunk = commandOutput
                .json()
                .getAsJsonArray("rows")
                .get(0)
                .getAsJsonObject()
                .getAsJsonObject("shrunk");
        assertThat(shrunk.keySet()).containsExactly("property", "from", "moves", "shortest", "replay");
        assertThat(shrunk.get("moves").getAsInt()).isEqualTo(10);
        assertThat(shrunk.get("shortest").getAsBoolean()).isTrue();
        var replayed = CliRunner.line(shrunk.get("replay").getAsString());
        assertThat(replayed.code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(replayed.out()).contains("mutual-exclusion       violated");
    }

    @Test
    void it_is_shown_unless_it_is_not_wanted() {
        var command = "fuzz ricart-agrawala -n 3 --loss 0.2 --seeds 20";
        assertThat(CliRunner.line(command).out())
                .contains(" moves shrunk to 4, a shortest run:")
                .contains(" is lost")
                .contains("  ./habemus run ricart-agrawala -n 3 --moves ");
        assertThat(CliRunner.line(command + " --no-shrink").out())
                .doesNotContain("shrunk")
                .doesNotContain("--moves");
    }
}
