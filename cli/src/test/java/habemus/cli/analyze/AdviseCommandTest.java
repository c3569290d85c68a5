package habemus.cli.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import habemus.cli.CliRunner;
import habemus.lab.command.ExitCode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code habemus advise}. */
class AdviseCommandTest {

    private static JsonObject advice(String line) {
        return CliRunner.line("advise " + line + " --json").json();
    }

    private static List<String> algorithms(JsonObject advice, String list) {
        return advice.getAsJsonArray(list).asList().stream()
                .map(one -> one.getAsJsonObject().get("algorithm").getAsString())
                .toList();
    }

    private static JsonObject find(JsonObject advice, String list, String algorithm) {
        return advice.getAsJsonArray(list).asList().stream()
                .map(one -> one.getAsJsonObject())
                .filter(one -> one.get("algorithm").getAsString().equals(algorithm))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void what_survives_the_faults_fits_and_the_others_say_why_not() {
        var advice = advice("mutex -n 5 --faults crash");
        assertThat(algorithms(advice, "fitting")).contains("fenced", "token-ring --regenerate");
        var rejected = find(advice, "rejected", "ricart-agrawala");
        assertThat(rejected.get("reason").getAsString()).contains("deadlock-freedom is not guaranteed if nodes crash");
        assertThat(rejected.get("found").getAsString()).contains("stuck after");
        assertThat(CliRunner.line(rejected.get("replay").getAsString()).code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(algorithms(advice, "rejected")).contains("ricart-agrawala-by-priority");
    }

    @Test
    void what_fails_without_faults_says_so_and_shows_a_run() {
        var rejected = find(advice("mutex"), "rejected", "maekawa");
        assertThat(rejected.get("reason").getAsString()).contains("deadlock-freedom is not guaranteed, even without");
        assertThat(rejected.get("found").getAsString()).startsWith("no fault: deadlock-freedom stuck");
    }

    @Test
    void every_algorithm_of_the_problem_is_either_in_or_out() {
        var advice = advice("election --faults crash,restart");
        assertThat(algorithms(advice, "fitting")).contains("bully-stable");
        assertThat(algorithms(advice, "rejected"))
                .contains("chang-roberts", "ring")
                .doesNotContain("bully-stable");
    }

    @Test
    void a_partition_makes_a_detector_suspect_live_nodes() {
        var advice = advice("election -n 5 --faults partition");
        assertThat(algorithms(advice, "fitting")).containsExactly("fenced", "term-majority");
        assertThat(find(advice, "rejected", "max-alive").get("reason").getAsString())
                .isEqualTo("uniqueness is not guaranteed if live nodes are suspected,"
                        + " since no timeout tells these faults from a crash");
    }

    @Test
    void wrong_suspicions_do_not_concern_an_algorithm_without_a_detector() {
        assertThat(algorithms(advice("election --faults mistake"), "fitting"))
                .contains("fenced", "chang-roberts")
                .doesNotContain("max-alive");
    }

    @Test
    void costs_are_those_of_the_given_number_of_nodes_and_few_messages_go_first() {
        var advice = advice("mutex -n 9 --matters messages");
        var costs = find(advice, "fitting", "ricart-agrawala").getAsJsonArray("costs");
        assertThat(costs.get(0).getAsJsonObject().get("value").getAsDouble()).isEqualTo(16);
        var fitting = algorithms(advice, "fitting");
        assertThat(fitting.indexOf("ricart-agrawala")).isLessThan(fitting.indexOf("lamport"));
    }

    @Test
    void timeouts_are_fitted_to_the_latency() {
        var advice = advice("election -n 5 --faults crash --latency uniform:1..30");
        double delay = advice.get("timeout").getAsDouble();
        var settings = find(advice, "fitting", "bully").getAsJsonObject("settings");
        assertThat(delay).isBetween(1.0, 30.0);
        assertThat(settings.get("answer").getAsDouble()).isBetween(2 * delay, 2 * delay + 5);
        assertThat(settings.get("coordinator").getAsDouble()
                        / settings.get("answer").getAsDouble())
                .isBetween(4.9, 5.1);
    }

    @Test
    void the_service_is_the_answer_if_holders_may_be_paused_with_fences() {
        var advice = advice("mutex -n 3 --faults crash,partition,pause");
        assertThat(algorithms(advice, "fitting")).containsExactly("fenced");
        assertThat(find(advice, "fitting", "fenced").get("needsFences").getAsBoolean())
                .isTrue();
        assertThat(CliRunner.line("advise mutex -n 3 --faults crash,partition,pause")
                        .out())
                .contains("habemus up; then habemus lock NAME -- COMMAND", "the resource must check the fence");
    }

    @Test
    void a_coordinator_is_a_single_point_of_failure() {
        assertThat(algorithms(advice("mutex"), "fitting")).contains("central");
        assertThat(algorithms(advice("mutex --matters no-single-point"), "fitting"))
                .doesNotContain("central", "ricart-agrawala")
                .contains("fenced");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mutex -n 5 --faults crash --latency lognormal:20,0.6",
                "election -n 5 --faults loss,partition --latency exp:3",
                "mutex -n 4 --matters fairness,delay",
                "election --faults crash,restart --latency fixed:5"
            })
    void a_recommended_command_runs(String line) {
        var fitting = advice(line).getAsJsonArray("fitting");
        assertThat(fitting).isNotEmpty().allSatisfy(one -> {
            var output = CliRunner.line(one.getAsJsonObject().get("command").getAsString());
            assertThat(output.err()).isEmpty();
            assertThat(output.code()).isIn(ExitCode.OK, ExitCode.VIOLATED);
        });
    }

    @Test
    void questions_are_asked_at_a_terminal_and_a_wrong_answer_is_asked_again() {
        var output = CliRunner.runInteractively(List.of("advise"), "mutx\nmutex\n5\ncrash\n\nmessages\n");
        assertThat(output.code()).isZero();
        assertThat(output.out())
                .contains("Mutual exclusion or leader election?", "unknown problem: 'mutx'", "How many nodes?")
                .contains("mutex, 5 nodes")
                .containsPattern("faults +crash")
                .containsPattern("matters +messages");
        assertThat(CliRunner.runInteractively(List.of("advise"), "mutex\n").err())
                .contains("the input ended before all questions were answered");
    }

    @Test
    void without_a_terminal_the_problem_must_be_given() {
        var output = CliRunner.line("advise");
        assertThat(output.code()).isEqualTo(ExitCode.USAGE);
        assertThat(output.err()).contains("PROBLEM is missing");
    }
}
