package habemus.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.CliRunner;
import habemus.lab.command.ExitCode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The findings of {@code habemus fuzz}. */
@Tag("slow")
class FuzzCommandTest {

    @Test
    void the_broken_variant_violates_mutual_exclusion_and_can_be_replayed() {
        var output = CliRunner.line("fuzz ricart-agrawala-by-priority -n 3 --seeds 1000 --json");
        assertThat(output.code()).isEqualTo(1);
        var row = output.json().getAsJsonArray("rows").get(0).getAsJsonObject();
        assertThat(row.keySet())
                .containsExactly("algorithm", "seeds", "steps", "violations", "notGuaranteed", "shrunk");
        for (var element : row.getAsJsonArray("violations")) {
            var violation = element.getAsJsonObject();
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
    void all_other_algorithms_keep_their_guarantees() {
        var output = CliRunner.line("fuzz --seeds 300");
        assertThat(output.code()).as(output.out()).isZero();
        assertThat(output.out()).contains("bully").doesNotContain("by-priority");
    }

    @Test
    void the_findings_do_not_depend_on_the_number_of_threads() {
        var command = "fuzz ricart-agrawala-by-priority bully --swarm=crash,loss --seeds 300 --json";
        assertThat(CliRunner.line(command)).isEqualTo(CliRunner.line(command));
    }

    @Test
    void a_violation_is_printed_with_its_replay_command() {
        var output = CliRunner.line("fuzz chang-roberts --swarm=crash --seeds 50 --require termination");
        assertThat(output.out()).contains("chang-roberts: termination").contains("  ./habemus run chang-roberts -n ");
        assertThat(output.code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(output.err()).isEmpty();
    }

    @Test
    void what_is_not_guaranteed_with_these_faults_is_printed_apart_and_does_not_count() {
        var output = CliRunner.line("fuzz chang-roberts --swarm=crash --seeds 50");
        assertThat(output.out()).contains("nothing").contains("chang-roberts: not guaranteed (here: no): termination");
        assertThat(output.code()).isEqualTo(ExitCode.OK);
    }

    @Test
    void the_first_violation_is_shrunk_and_can_be_replayed() {
        var output = CliRunner.line("fuzz ricart-agrawala-by-priority -n 3 --entries 9 --seeds 20 --json");
        var shrunk =
                output.json().getAsJsonArray("rows").get(0).getAsJsonObject().getAsJsonObject("shrunk");
        assertThat(shrunk.keySet()).containsExactly("property", "from", "moves", "shortest", "replay");
        assertThat(shrunk.get("moves").getAsInt()).isEqualTo(10);
        assertThat(shrunk.get("shortest").getAsBoolean()).isTrue();
        var replayed = CliRunner.line(shrunk.get("replay").getAsString());
        assertThat(replayed.code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(replayed.out()).contains("mutual-exclusion       violated");
    }

    @Test
    void the_shrunk_run_is_printed_by_default() {
        var command = "fuzz ricart-agrawala -n 3 --loss 0.2 --seeds 20";
        assertThat(CliRunner.line(command).out())
                .contains(" moves shrunk to 4, a shortest run:")
                .contains(" is lost")
                .contains("  ./habemus run ricart-agrawala -n 3 --require deadlock-freedom --moves ");
        assertThat(CliRunner.line(command + " --no-shrink").out())
                .doesNotContain("shrunk")
                .doesNotContain("--moves");
    }
}
