package habemus.cli.course;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonElement;
import habemus.cli.CliRunner;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.Terminal;
import habemus.course.chapter.Demonstrations;
import habemus.course.threads.StressReport;
import habemus.lab.command.CommandException;
import habemus.lab.command.ExitCode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class ThreadsCommandTest {

    @Test
    void the_list_names_every_program_and_its_claim() {
        assertThat(CliRunner.line("threads list").out())
                .contains("counter", "deadlock", "false-sharing", "throughput", "stress", "linearizability");
        var programs = CliRunner.line("threads list --json").json().getAsJsonArray("programs");
        assertThat(programs)
                .hasSize(6 + Demonstrations.ALL.size())
                .allMatch(program -> !text(program, "claim").isEmpty());
    }

    private static String text(JsonElement object, String field) {
        return object.getAsJsonObject().get(field).getAsString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"counter", "deadlock", "false-sharing", "throughput", "stress", "linearizability"})
    void the_help_of_a_program_has_an_example(String program) {
        var help = CliRunner.line("threads " + program + " --help");
        assertThat(help.code()).isEqualTo(ExitCode.OK);
        assertThat(help.out())
                .contains("Examples:\n  habemus threads " + program)
                .contains("--json");
    }

    @Test
    void the_cures_of_the_counter_are_exact_and_the_checked_values_stand_beside() {
        var output = CliRunner.line("threads counter --threads 2 --rounds 20000 --kind platform --json");
        assertThat(output.code()).isEqualTo(ExitCode.OK);
        var counters = output.json().getAsJsonArray("counters");
        assertThat(counters).hasSize(8);
        assertThat(counters.asList().subList(2, 8))
                .allMatch(row -> row.getAsJsonObject().get("lost").getAsLong() == 0);
        assertThat(output.json().getAsJsonObject("checked").get("values").toString())
                .isEqualTo("[2,3,4,5,6]");
        assertThat(text(output.json(), "checker")).isEqualTo("./habemus check shared-counter --threads 2 --rounds 3");
    }

    @Test
    void a_deadlock_is_shown_as_a_cycle_with_the_command_that_checks_it() {
        var output = CliRunner.line("threads deadlock");
        assertThat(output.code()).isEqualTo(ExitCode.OK);
        assertThat(output.out())
                .contains("transfer-ab", "transfer-ba", "lock a", "lock b", "LockOrderRun.java:")
                .containsPattern("transfer-(ab|ba) → lock [ab] → transfer-(ab|ba) → lock [ab]")
                .contains("ignores virtual threads")
                .contains("./habemus check lock-order");
    }

    @Test
    void without_module_stress_the_error_says_how_to_build_it() {
        var output = CliRunner.line("threads stress");
        assertThat(output.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(output.err()).contains("module stress is not built").contains("hint: start ./habemus");
    }

    @Test
    @Tag("slow")
    void a_failure_of_the_other_jvm_is_reported_with_its_reason() {
        var progress = new ProgressLine(Terminal.system());
        var jvm = new StressJvm(System.getProperty("java.class.path"));
        assertThatThrownBy(() -> jvm.run(StressReport.Stress.class, progress, "frob"))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("unknown program: frob");
    }
}
