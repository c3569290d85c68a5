package habemus.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.cli.CliRunner;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.RunOptions;
import habemus.cli.simulate.RunCommand;
import habemus.lab.command.CommandException;
import habemus.lab.command.ShellSyntax;
import habemus.lab.experiment.ReplayCommandLine;
import habemus.lab.experiment.RunArguments;
import habemus.lab.experiment.RunCommandLine;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A command line as text has the arguments that the terminal reads from it, or is wrong in both. */
class RunCommandLineTest {

    private static final String WRONG = "wrong";

    private static final String ODD_LINES = """
            bully
            bully -n5
            bully -n=5
            bully -n 5
            -n 5 bully
            bully --seed=3 --crash=1@5 --crash 2@6,3@7
            bully --names 'Ana Maria,Bia,Caio'
            bully --swarm
            bully --swarm crash
            bully --swarm=crash,loss
            bully --swarm=
            --swarm bully
            bully --crash --swarm
            bully --crash --seed 5
            bully --crash -n5
            bully --crash -x
            bully --crash --
            bully --seed -5
            bully --seed
            bully --seed=
            bully --seed ''
            bully --seed=a=b
            bully --seed 1 --seed 2
            bully --swarm --swarm
            bully --link '1>2=fixed:3' --link '2>1=fixed:3'
            -- bully
            bully -- --seed 3
            bully --
            bully lamport
            bully ''
            ''

            -
            bully -
            bully -x
            bully -nx
            bully --sed 3
            bully --SEED 3
            bully --initiators all --initiators 1
            bully --entries 2
            bully --callers 1
            bully --detector perfect
            bully --detector perfect --interval 10
            bully --rank 1=2
            bully --lease 5
            buly
            central --lease 5
            central --lease=5
            central --lease
            central --lease 5 --lease 6
            ricart-agrawala --clocked-replies
            ricart-agrawala --clocked-replies=true
            ricart-agrawala --clocked-replies=no
            ricart-agrawala --clocked-replies=false
            ricart-agrawala --clocked-replies=
            ricart-agrawala --clocked-replies --clocked-replies
            ricart-agrawala --clocked-replies --clocks 9
            ricart-agrawala --moves 1request.2from1
            chang-roberts --disconnected
            echo --disconnected
            echo --disconnected --disconnected --topology 'graph:1-2,3-4'
            raft --proposals 3 --lose-tail 1@5:2
            counter --threads 2
            counter -n 2
            """;

    static Stream<String> recordedCommands() throws IOException {
        var commands = new ArrayList<String>();
        try (var files = Files.list(CliRunner.scenarios())) {
            var scenarios = files.filter(file -> file.toString().endsWith(".scenario"));
            for (var file : scenarios.sorted().toList()) {
                Files.readAllLines(file).stream()
                        .filter(line -> line.startsWith("run "))
                        .forEach(commands::add);
            }
        }
        return commands.stream();
    }

    @ParameterizedTest
    @MethodSource("recordedCommands")
    void a_command_of_the_gallery_is_read_as_in_the_terminal(String line) {
        assertThat(text(line)).isEqualTo(terminal(line)).isNotEqualTo(WRONG);
        var replay = ReplayCommandLine.of(RunCommandLine.parse(line));
        assertThat(text(replay)).isEqualTo(terminal(replay)).isNotEqualTo(WRONG);
        assertThat(ReplayCommandLine.of(RunCommandLine.parse(replay))).isEqualTo(replay);
    }

    static Stream<String> oddLines() {
        return ODD_LINES.lines();
    }

    @ParameterizedTest
    @MethodSource("oddLines")
    void an_odd_line_is_read_as_in_the_terminal(String line) {
        assertThat(text(line)).isEqualTo(terminal(line));
    }

    @Test
    void the_program_and_the_command_may_be_written() {
        var expected = RunCommandLine.parse("bully -n 5");
        assertThat(RunCommandLine.parse("./habemus run bully -n 5")).isEqualTo(expected);
        assertThat(RunCommandLine.parse("habemus run bully -n 5")).isEqualTo(expected);
        assertThat(RunCommandLine.parse("  run  bully  -n5 ")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "bully --sed 3       | unknown option: --sed               | did you mean --seed? habemus run --help",
                "bully --crash       | --crash needs a value               | write --crash 5@10",
                "central --lease     | --lease needs a value               | write --lease MS",
                "bully --seed 1 --seed 2 | --seed is given twice           | give it once",
                "buly                | unknown algorithm: 'buly'           | did you mean bully?",
                "bully 3             | unexpected argument: '3'            | habemus run --help lists the options",
                "echo --disconnected=1 | --disconnected has no value, was '1' | write --disconnected",
                "bully --names 'Ana  | missing closing quote '             | quote the command as in a shell",
                "-n 3                | ALGORITHM is missing                | name an algorithm: habemus run bully -n 5"
            })
    void a_wrong_line_is_reported_with_a_hint(String line, String message, String hint) {
        assertThatThrownBy(() -> RunCommandLine.parse(line)).isInstanceOfSatisfying(CommandException.class, error -> {
            assertThat(error.message()).isEqualTo(message);
            assertThat(error.hint()).startsWith(hint);
        });
    }

    private static String text(String line) {
        try {
            return describe(RunCommandLine.parse(line));
        } catch (CommandException wrong) {
            return WRONG;
        }
    }

    /** What {@code habemus run} reads from the words of the shell. */
    private static String terminal(String line) {
        try {
            var words = RunOptions.expandBareSwarm(ShellSyntax.split(line.replaceFirst("^(\\./habemus )?run ", "")));
            var parsed = new RunCommand().syntax(words).parse(words);
            var algorithm =
                    RunOptions.algorithm(ParsedOptions.firstArgument(parsed).orElse(""));
            return describe(RunArguments.of(algorithm, RunOptions.experimentOptions(parsed)));
        } catch (CommandException wrong) {
            return WRONG;
        }
    }

    private static String describe(RunArguments arguments) {
        return arguments.algorithm().name() + " " + arguments.options();
    }
}
