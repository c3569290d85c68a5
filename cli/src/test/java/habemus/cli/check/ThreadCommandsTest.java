package habemus.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.cli.CliRunner;
import habemus.lab.command.ExitCode;
import habemus.world.Problem;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Programs of threads in the commands run, check, fuzz and list. */
class ThreadCommandsTest {

    static Stream<String> programs() {
        return Catalogue.ALL.stream()
                .filter(algorithm -> algorithm.problem() == Problem.THREADS)
                .map(Algorithm::name);
    }

    @Test
    void check_prints_every_final_value_and_a_run_to_the_smallest() {
        var cli = CliRunner.line("check shared-counter --threads 2 --rounds 2");
        assertThat(cli.code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(cli.out())
                .contains("final values           2, 3, 4: no run ends with another one")
                .contains("a shortest run to no-lost-update violated")
                .contains("n3 write 2, holds 2, sends done to n1\n")
                .contains("no-lost-update         violated: the smallest final value is 2");
        assertThat(CliRunner.line("check shared-counter --rounds 2 --json")
                        .json()
                        .get("finalValues"))
                .hasToString("[2,3,4]");
    }

    @Test
    void check_shows_the_deadlock_in_its_shortest_run_and_none_with_ordered_locks() {
        var json = CliRunner.line("check lock-order --json").json();
        assertThat(json.get("verdict").getAsString()).isEqualTo("stuck");
        var moves = json.get("replay").getAsString().replaceFirst(".*--moves (\\S+).*", "$1");
        assertThat(moves.split("\\.", -1)).hasSize(6);
        assertThat(CliRunner.line("check lock-order --variant ordered").code()).isEqualTo(ExitCode.OK);
    }

    @Test
    void a_counterexample_can_be_replayed() {
        var replay =
                CliRunner.line("check lock-order --json").json().get("replay").getAsString();
        var cli = CliRunner.line(replay.replaceFirst("^\\./habemus ", ""));
        assertThat(cli.code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(cli.out()).contains("deadlock-freedom").contains("violated");
    }

    @ParameterizedTest
    @MethodSource("programs")
    void run_draws_the_program(String name) {
        var cli = CliRunner.line("run " + name + (name.equals("relay") ? " --threads 2 --characters 3" : "")
                + (name.equals("readers-writers") ? " --rounds 1" : ""));
        assertThat(cli.out()).contains("n1 thread").contains("n1 started");
        assertThat(cli.err()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("programs")
    void list_shows_the_program_under_its_problem(String name) {
        var list = CliRunner.line("list").out();
        assertThat(list.substring(list.indexOf("threads: "))).containsPattern("(?m)^  " + name + " ");
    }

    @Test
    void fuzz_finds_what_the_checker_finds() {
        assertThat(CliRunner.line("fuzz shared-counter --latency uniform:1..5 --seeds 50 --json")
                        .out())
                .contains("no-lost-update");
        assertThat(CliRunner.line("fuzz shared-counter --variant atomic --seeds 50")
                        .code())
                .isEqualTo(ExitCode.OK);
    }

    @Test
    void the_number_of_nodes_follows_from_the_number_of_threads() {
        var cli = CliRunner.line("check shared-counter -n 3");
        assertThat(cli.code()).isEqualTo(ExitCode.USAGE);
        assertThat(cli.err())
                .contains("-n is for nodes on a network, and shared-counter has threads")
                .contains("use --threads 3");
        assertThat(CliRunner.line("run lock-order --threads 0").err()).contains("--threads must be at least 1, was 0");
        assertThat(CliRunner.line("run shared-counter --entries 2").err()).contains("a program of threads has none");
        assertThat(CliRunner.line("run shared-counter --variant lock").err())
                .contains("--variant must be race|lock-each|lock-loop|atomic|compare-and-set|thread-local, was 'lock'");
    }
}
