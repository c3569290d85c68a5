package habemus.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.CliRunner;
import habemus.lab.command.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A property counts if the algorithm guarantees it in this world, or if it is required. */
class RequiredPropertiesTest {

    /** In each of these runs, a property is not true that the algorithm does not guarantee there. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "run gallery:anonymous-one",
                "run gallery:bully-stable",
                "run gallery:max-alive-wrong",
                "run gallery:itai-rodeh-again",
                "run bully-stable -n 3 --crash 3@0 --restart 3@400",
                "check bully-stable -n 2 --restarts 1 --timing synchronous",
                "check anonymous-ring -n 3 --initiators 1",
                "check max-alive -n 2 --mistakes 1"
            })
    void what_is_not_guaranteed_is_no_violation(String command) {
        var cli = CliRunner.line(command + " --no-diagram");
        assertThat(cli.out()).contains("not guaranteed (here: no)").doesNotContain("violated");
        assertThat(cli.code()).isEqualTo(ExitCode.OK);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run bully-stable -n 3 --crash 3@0 --restart 3@400",
                "run bully-stable -n 3 --crash 3@0 --restart 3@400 --seed 1 --require uniqueness",
                "check bully-stable -n 2 --restarts 1 --timing synchronous"
            })
    void a_required_property_counts_in_every_world(String command) {
        var cli = CliRunner.line(command + " --require best-wins");
        assertThat(cli.out()).contains("best-wins              violated: the eventual leader is the best live node");
        assertThat(cli.code()).isEqualTo(ExitCode.VIOLATED);
    }

    @Test
    void a_guaranteed_property_counts() {
        assertThat(CliRunner.line("run gallery:ra-priority").code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(CliRunner.line("check ricart-agrawala-by-priority").code()).isEqualTo(ExitCode.VIOLATED);
    }

    @Test
    void a_property_that_check_is_asked_for_counts() {
        var cli = CliRunner.line("check bully -n 2 --property uniqueness");
        assertThat(cli.code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(cli.out()).contains("replay with  ./habemus run bully -n 2 --require uniqueness --moves ");
    }

    @Test
    void a_guarantee_ends_with_its_assumptions() {
        var crash = "check central -n 2 --crashes 1 --victim holder";
        assertThat(CliRunner.line(crash).out())
                .contains("mutual-exclusion       holds")
                .contains("deadlock-freedom       not guaranteed (here: no)");
        var early = CliRunner.line("check bully -n 2 --json");
        assertThat(early.json().get("verdict").getAsString()).isEqualTo("nothing-guaranteed");
        var inTime = CliRunner.line("check bully -n 2 --timing synchronous --json");
        assertThat(inTime.json().get("verdict").getAsString()).isEqualTo("holds");
    }

    @Test
    void nothing_is_guaranteed_on_a_disconnected_graph() {
        var cli = CliRunner.line("run yo-yo --topology graph:1-2,3-4 --disconnected --json");
        assertThat(cli.json().getAsJsonObject("properties").size()).isZero();
        assertThat(cli.code()).isEqualTo(ExitCode.OK);
    }

    @Test
    void json_and_trace_keep_what_does_not_count_apart() {
        var cli = CliRunner.line("run max-alive -n 3 --initiators 1 --suspect 2>3@10..50 --json --trace -");
        var json = cli.json();
        assertThat(json.getAsJsonObject("properties").keySet())
                .containsExactly("termination", "agreement", "best-wins");
        assertThat(json.getAsJsonObject("notGuaranteed").get("uniqueness").getAsString())
                .isEqualTo("no");
        assertThat(json.getAsJsonArray("trace").toString())
                .contains("\"what\":\"not-guaranteed\",\"property\":\"uniqueness\"")
                .doesNotContain("\"what\":\"violated\"");
    }

    @Test
    void an_unknown_property_is_rejected() {
        var cli = CliRunner.line("run bully --require best-win");
        assertThat(cli.code()).isEqualTo(ExitCode.USAGE);
        assertThat(cli.err())
                .contains("--require: bully has no property 'best-win'")
                .contains("hint: did you mean best-wins?");
    }
}
