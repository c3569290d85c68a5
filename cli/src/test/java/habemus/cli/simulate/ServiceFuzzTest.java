package habemus.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.CliRunner;
import habemus.cli.terminal.ExitCode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The whole service in virtual time. */
@Tag("slow")
class ServiceFuzzTest {

    @Test
    void the_service_keeps_its_promises_under_faults() {
        var output = CliRunner.line("fuzz service --seeds 150 --json");
        assertThat(output.code()).as(output.out()).isEqualTo(ExitCode.OK);
        assertThat(output.json().getAsJsonArray("violations")).isEmpty();
    }

    @Test
    void the_runs_do_not_depend_on_each_other() {
        var together = CliRunner.line("fuzz service --seed 21 --seeds 2 --json").json();
        var first = CliRunner.line("fuzz service --seed 21 --seeds 1 --json").json();
        var second = CliRunner.line("fuzz service --seed 22 --seeds 1 --json").json();
        assertThat(together.get("events").getAsLong())
                .isEqualTo(
                        first.get("events").getAsLong() + second.get("events").getAsLong());
    }

    @Test
    void a_run_can_leave_out_faults_and_clients() {
        var output = CliRunner.line("fuzz service --seed 3 --seeds 1 --nodes 5 --clients 2 --faults none --json");
        assertThat(output.code()).as(output.out()).isEqualTo(ExitCode.OK);
        for (var fault : output.json().getAsJsonObject("faults").entrySet()) {
            assertThat(fault.getValue().getAsLong()).as(fault.getKey()).isZero();
        }
    }

    @Test
    void a_wrong_list_of_faults_is_rejected() {
        var output = CliRunner.line("fuzz service --faults 1,x");
        assertThat(output.code()).isEqualTo(ExitCode.USAGE);
        assertThat(output.err()).contains("--faults must be numbers separated by commas, or none, was '1,x'");
    }

    @Test
    void there_are_at_least_fifteen_planted_defects() {
        assertThat(ServiceDefects.all()).hasSizeGreaterThanOrEqualTo(15);
    }
}
