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
                .contains("two holders  7.35e-59")
                .containsPattern("24 +7.35e-59")
                .containsPattern("32 +1.00e-128");
    }

    @Test
    void the_json_output_has_stable_names() {
        var json = CliRunner.line("quorum -n 3 -m 2 -p 0.0001 --json").json();
        assertThat(json.keySet())
                .containsExactly(
                        "n",
                        "p",
                        "down",
                        "m",
                        "violation",
                        "log10Violation",
                        "blocked",
                        "log10Blocked",
                        "toleratedCrashes",
                        "oneCrashBlocks",
                        "simulated",
                        "byQuorum");
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
                .contains("smallest m   7, for at most 1.00e-9", "if more than 2 of 9 are down")
                .doesNotContain("simulated", "warning");
    }

    @Test
    void a_target_that_needs_all_coordinators_warns_that_one_crash_blocks() {
        var line = "quorum -n 3 -p 0.001 --target 1e-8 --no-simulate";
        assertThat(CliRunner.line(line).out())
                .contains("smallest m   3", "blocked      0.003, if more than 0 of 3 are down")
                .contains("warning      all 3 coordinators are needed: one crash blocks every node");
        var json = CliRunner.line(line + " --json").json();
        assertThat(json.get("oneCrashBlocks").getAsBoolean()).isTrue();
        assertThat(json.get("toleratedCrashes").getAsInt()).isZero();
    }

    @Test
    void the_probability_of_a_restart_is_computed_from_the_mean_time_between_failures() {
        var line = "quorum -n 5 --mtbf 30d --hold 2s --repair 5m --no-simulate";
        assertThat(CliRunner.line(line).out())
                .contains("each restarts with probability 7.72e-7")
                .contains("p = 1 - e^(-hold/mtbf) = 1 - e^(-2s/30d)")
                .contains("down = repair/(mtbf + repair) = 5m/(30d + 5m)")
                .contains("each is down with probability 0.000116");
        var json = CliRunner.line(line + " --json").json();
        assertThat(json.get("p").getAsDouble()).isCloseTo(2.0 / (30 * 86_400), within(1e-12));
        assertThat(json.get("down").getAsDouble()).isCloseTo(5.0 / (30 * 1_440 + 5), within(1e-12));
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
                .contains("timeout     2.000 ms")
                .contains("samples     3: with 99 % confidence at most")
                .contains("p90 and above are beyond the data: p90 needs 10 samples")
                .containsPattern("p99 \\? +80.000")
                .doesNotContain("p50 ?", "no sample is later");
        assertThat(CliRunner.run("timeout", "--samples", samples.toString(), "--mistake", "1e6", "--runs", "10")
                        .out())
                .contains("timeout     80.000 ms, at which 0 of the replies are late")
                .contains("no sample is later than this timeout: the tail is beyond the data");
        var json = CliRunner.run("timeout", "--samples", samples.toString(), "--mistake", "1e6", "--json")
                .json();
        assertThat(json.get("samples").getAsInt()).isEqualTo(3);
        assertThat(json.get("beyondData").getAsBoolean()).isTrue();
        assertThat(json.get("lateAtMost").getAsDouble()).isBetween(0.8, 0.9);
        Files.writeString(samples, "1.5\nsoon\n");
        var refused = CliRunner.run("timeout", "--samples", samples.toString());
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("line 2: not a number of milliseconds: 'soon'");
        Files.writeString(samples, "");
        assertThat(CliRunner.run("timeout", "--samples", samples.toString()).err())
                .contains("has no numbers");
    }
}
