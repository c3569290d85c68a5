package habemus.cli.analyze;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import habemus.cli.CliRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code habemus quorum} and {@code habemus timeout}. */
@Tag("slow")
class QuorumCommandTest {

    @TempDir
    private Path folder;

    @Test
    void a_probability_below_double_precision_is_printed_as_a_power_of_ten() {
        var output = CliRunner.line("quorum -n 32 -m 24 -p 0.0001 --runs 100");
        assertThat(output.code()).isZero();
        assertThat(output.out())
                .contains("two holders 7.35e-59")
                .contains("24     7.35e-59")
                .contains("32    1.00e-128");
    }

    @Test
    void the_json_output_has_stable_names() {
        var json = CliRunner.line("quorum -n 3 -m 2 -p 0.0001 --json").json();
        assertThat(json.keySet())
                .containsExactly("n", "m", "p", "violation", "log10Violation", "simulated", "byQuorum");
        assertThat(json.get("violation").getAsDouble()).isCloseTo(2e-4, within(1e-7));
        var simulated = json.getAsJsonObject("simulated");
        assertThat(json.get("violation").getAsDouble())
                .isBetween(
                        simulated.get("low").getAsDouble(),
                        simulated.get("high").getAsDouble());
    }

    @Test
    void the_smallest_quorum_for_a_target_is_found() {
        assertThat(CliRunner.line("quorum -n 9 -p 0.001 --target 1e-9 --no-simulate")
                        .out())
                .contains("smallest m  7, for at most 1.00e-9")
                .doesNotContain("simulated");
    }

    @Test
    void quorum_and_timeout_draw_charts() throws IOException {
        var quorum = folder.resolve("quorum.svg");
        var timeout = folder.resolve("timeout.svg");
        CliRunner.run("quorum", "-n", "9", "-p", "0.01", "--no-simulate", "--svg", quorum.toString());
        CliRunner.run("timeout", "--runs", "10", "--svg", timeout.toString());
        assertThat(Files.readString(quorum)).contains("probability of two holders", "m = 5");
        assertThat(Files.readString(timeout)).contains("timeout in milliseconds", "wrong suspicions");
    }

    @Test
    void the_best_timeout_is_simulated_as_a_lease() {
        var output = CliRunner.line("timeout --latency lognormal:20,0.6 --mistake 1000");
        assertThat(output.code()).isZero();
        assertThat(output.out()).contains("timeout     71.1").contains("two holders in 34 of 2,000 runs");
        var json =
                CliRunner.line("timeout --latency exp:10 --mistake 100 --json").json();
        assertThat(json.keySet()).containsExactly("waiting", "mistake", "timeout", "late", "cost", "simulated");
        assertThat(json.get("timeout").getAsDouble()).isCloseTo(10 * Math.log(10), within(0.05));
    }

    @Test
    void measured_delays_are_read_from_a_file() throws IOException {
        var samples = folder.resolve("times.txt");
        Files.writeString(samples, "# round trips\n1.5\n\n2\n80\n");
        assertThat(CliRunner.run("timeout", "--samples", samples.toString(), "--mistake", "100", "--runs", "10")
                        .out())
                .contains("timeout     2.000 ms");
        Files.writeString(samples, "1.5\nsoon\n");
        var refused = CliRunner.run("timeout", "--samples", samples.toString());
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("line 2: not a number of milliseconds: 'soon'");
        Files.writeString(samples, "");
        assertThat(CliRunner.run("timeout", "--samples", samples.toString()).err())
                .contains("has no numbers");
    }
}
