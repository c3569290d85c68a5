package habemus.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import habemus.cli.CliRunner;
import habemus.lab.command.ExitCode;
import habemus.lab.run.Scenario;
import habemus.lab.run.ScenarioPlayer;
import habemus.simulate.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Failure detectors, alone and in an election. */
class DetectorScenariosTest {

    private static List<RunResult> outcomes(String name) throws IOException {
        var scenario =
                Scenario.parse(name, Files.readString(CliRunner.scenarios().resolve(name + ".scenario")));
        return ScenarioPlayer.play(scenario).stream()
                .map(playedCommand -> playedCommand.completedRun().runResult())
                .toList();
    }

    @Test
    void detector_mistake_shows_a_repeated_wrong_suspicion_without_adaptation() throws IOException {
        assertThat(outcomes("detector-mistake"))
                .extracting(result -> result.suspicionChanges().stream()
                        .filter(RunResult.SuspicionChange::suspected)
                        .count())
                .containsExactly(2L, 1L, 1L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"perfect", "eventually-perfect", "phi-accrual"})
    void a_detector_suspects_only_crashed_nodes(String name) {
        var run = CliRunner.line("run " + name + " -n 3 --crash 2@1000");
        assertThat(run.code()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .contains("n1 suspects n2 at ", "n3 suspects n2 at ", "(heartbeats are not drawn)")
                .doesNotContain("suspects n1", "suspects n3", "violated", "Heartbeat to");
    }

    @Test
    void heartbeats_are_counted_separately() {
        var json = JsonParser.parseString(CliRunner.line("run bully -n 3 --detector perfect --crash 3@500 --json")
                        .out())
                .getAsJsonObject();
        assertThat(json.get("heartbeats").getAsInt()).isGreaterThan(100);
        assertThat(json.get("messages").getAsInt()).isLessThan(50);
        assertThat(json.getAsJsonObject("messagesByType").keySet())
                .containsExactly("Answer", "Coordinator", "Election");
        assertThat(json.getAsJsonArray("suspicions")).hasSize(2);
        assertThat(json.get("replay").getAsString())
                .isEqualTo("./habemus run bully -n 3 --seed 1 --crash 3@500 --detector perfect");
    }

    @Test
    void an_election_with_a_detector_replaces_a_crashed_leader() {
        var run = CliRunner.line("run bully -n 5 --detector eventually-perfect --crash 5@500");
        assertThat(run.code()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .contains("bully over eventually-perfect: 5 nodes", "n4 in term 2 (announced by n1 n2 n3 n4 from ");
    }

    @Test
    void an_election_accepts_the_options_of_its_detector() {
        var run = CliRunner.line(
                "run bully -n 2 --detector perfect --period 100 --timeout 300 --crash 2@500 --until 1500");
        assertThat(run.out())
                .contains("n1 suspects n2 at 800 ms", "--detector perfect --until 1500 --period 100 --timeout 300");
    }

    @Test
    void a_check_of_an_election_with_a_detector_is_complete() {
        var check = CliRunner.line("check bully -n 2 --detector perfect --timing synchronous --crashes 1");
        assertThat(check.code()).isEqualTo(ExitCode.OK);
        assertThat(check.out()).contains("bully over perfect: 2 nodes").doesNotContain("open", "violated");
    }

    @Test
    void a_counterexample_with_a_detector_can_be_replayed() {
        var check = CliRunner.line("check perfect -n 2 --property accuracy");
        assertThat(check.code()).isEqualTo(ExitCode.VIOLATED);
        var replay = "run perfect -n 2 --require accuracy --moves 1timeout-TICK.1timeout-TICK.1timeout-TICK";
        assertThat(check.out()).contains(replay);
        assertThat(CliRunner.line(replay).out()).contains("accuracy violated");
    }

    @ParameterizedTest
    @ValueSource(strings = {"perfect", "phi-accrual", "bully --detector perfect", "bully --detector phi-accrual"})
    void fuzzing_finds_no_violation(String words) {
        assertThat(CliRunner.line("fuzz " + words + " --seeds 40").code()).isEqualTo(ExitCode.OK);
    }

    @Test
    void list_has_a_section_of_detectors() {
        assertThat(CliRunner.line("list").out()).contains("detector: failure detectors", "eventually-perfect");
        assertThat(CliRunner.line("explain eventually-perfect").out()).contains("completeness: on a lossy");
    }

    @Test
    void help_shows_the_options_of_the_named_detector() {
        assertThat(CliRunner.line("run bully --detector perfect --help").out())
                .contains("Options of perfect:", "--timeout", "--detector");
    }
}
