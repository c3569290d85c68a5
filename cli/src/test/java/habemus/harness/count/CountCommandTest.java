package habemus.harness.count;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import habemus.catalogue.AlgorithmSpec;
import habemus.cli.CliRunner;
import habemus.cli.terminal.ExitCode;
import habemus.world.Problem;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code habemus count}: real processes and a file. */
@Timeout(180)
class CountCommandTest {

    @Test
    void with_a_lock_nothing_is_lost() {
        var commandOutput = CliRunner.line("count --workers 4 --times 50 --algorithm central --json");
        assertThat(commandOutput.code())
                .as(commandOutput.out() + commandOutput.err())
                .isEqualTo(ExitCode.OK);
        var count = count(commandOutput);
        assertThat(count.keySet())
                .containsExactly("lock", "asked", "incremented", "counted", "lost", "stuck", "seconds");
        assertThat(count.get("lock").getAsString()).isEqualTo("central");
        assertThat(count.get("counted").getAsLong()).isEqualTo(200);
        assertThat(count.get("stuck").getAsBoolean()).isFalse();
    }

    @Test
    void without_one_something_is_and_that_is_no_failure() {
        var commandOutput = CliRunner.line("count --workers 4 --times 200 --algorithm none --json");
        assertThat(commandOutput.code()).isEqualTo(ExitCode.OK);
        assertThat(count(commandOutput).get("incremented").getAsLong()).isEqualTo(800);
        assertThat(count(commandOutput).get("lost").getAsLong()).isPositive();
    }

    private static JsonObject count(CliRunner.CommandOutput commandOutput) {
        return commandOutput.json().getAsJsonArray("counts").get(0).getAsJsonObject();
    }

    @Test
    void who_promises_to_go_on_must_not_be_stuck_and_nobody_may_lose_anything() {
        assertThat(result("central", 100, 100).meetsGuarantees()).isTrue();
        assertThat(result("central", 60, 60).meetsGuarantees()).isFalse();
        assertThat(result("maekawa", 60, 60).meetsGuarantees())
                .as("it may deadlock")
                .isTrue();
        assertThat(result("maekawa", 60, 59).meetsGuarantees()).isFalse();
    }

    private static CounterExperiment.Result result(String algorithm, long incremented, long counted) {
        var algorithmSpec = AlgorithmSpec.parse(algorithm, Problem.MUTEX);
        return new CounterExperiment.Result(Optional.of(algorithmSpec), 100, incremented, counted, 1);
    }
}
