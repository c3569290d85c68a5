package habemus.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import habemus.catalogue.AlgorithmSpec;
import habemus.cli.CliRunner;
import habemus.harness.count.CounterExperiment;
import habemus.lab.command.ExitCode;
import habemus.world.Problem;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code habemus count}: real processes that share a file. */
@Timeout(180)
@Tag("slow")
class CountCommandTest {

    @Test
    void with_a_lock_no_increment_is_lost() {
        var output = CliRunner.line("count --workers 4 --times 50 --algorithm central --json");
        assertThat(output.code()).as(output.out() + output.err()).isEqualTo(ExitCode.OK);
        var count = count(output);
        assertThat(count.keySet())
                .containsExactly("lock", "asked", "incremented", "counted", "lost", "stuck", "seconds");
        assertThat(count.get("lock").getAsString()).isEqualTo("central");
        assertThat(count.get("counted").getAsLong()).isEqualTo(200);
        assertThat(count.get("stuck").getAsBoolean()).isFalse();
    }

    @Test
    void without_a_lock_increments_are_lost_and_the_command_succeeds() {
        var output = CliRunner.line("count --workers 4 --times 200 --algorithm none --json");
        assertThat(output.code()).isEqualTo(ExitCode.OK);
        assertThat(count(output).get("incremented").getAsLong()).isEqualTo(800);
        assertThat(count(output).get("lost").getAsLong()).isPositive();
    }

    private static JsonObject count(CliRunner.CommandOutput output) {
        return output.json().getAsJsonArray("counts").get(0).getAsJsonObject();
    }

    @Test
    void a_lock_must_lose_no_increment_and_must_progress_if_it_guarantees_progress() {
        assertThat(result("central", 100, 100).meetsGuarantees()).isTrue();
        assertThat(result("central", 60, 60).meetsGuarantees()).isFalse();
        assertThat(result("maekawa", 60, 60).meetsGuarantees())
                .as("it may deadlock")
                .isTrue();
        assertThat(result("maekawa", 60, 59).meetsGuarantees()).isFalse();
    }

    private static CounterExperiment.Result result(String algorithm, long incremented, long counted) {
        var spec = AlgorithmSpec.parse(algorithm, Problem.MUTEX);
        return new CounterExperiment.Result(Optional.of(spec), 100, incremented, counted, 1);
    }
}
