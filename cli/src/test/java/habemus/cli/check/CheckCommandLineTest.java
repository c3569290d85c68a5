package habemus.cli.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.lab.check.CheckArguments;
import habemus.lab.check.CheckCommandLine;
import habemus.lab.command.CommandException;
import habemus.lab.command.ShellSyntax;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A check as text has the arguments that the terminal reads from it, or is wrong in both. */
class CheckCommandLineTest {

    private static final String WRONG = "wrong";

    private static final String LINES = """
            bully
            bully -n 3 --crashes 1 --timing synchronous --property uniqueness,agreement
            bully-stable -n 2 --require best-wins --stop-at-first
            central -n 3 --crashes 1 --victim holder --cuts
            central -n 3 --lease 400 --pauses 1 --timing synchronous
            quorum -n 2 --numbers 3 --timeouts unbounded --max-in-flight 2
            raft -n 3 --proposals 1 --timeouts 2 --crashes 1 --tail-losses 1
            token-ring -n3 --joins=1 --leaves=1
            lamport --reduce order,symmetry --states 1000 --seconds 5 --depth 7 --compact
            counter --threads 3
            lamport --timing slow
            lamport --timing
            lamport --timeouts 0
            lamport --timeouts -1
            lamport --crashes x
            lamport --crashes 1 --crashes 2
            lamport --states 0
            lamport --cuts=1
            lamport --cuts=true
            lamport --crash 1@2
            lamport --seed 2
            lamport --latency fixed:1
            lamport --lease 3
            lamport --proposals 2
            lamport --moves 1request
            -n 3
            """;

    static Stream<String> lines() {
        return LINES.lines();
    }

    @ParameterizedTest
    @MethodSource("lines")
    void a_line_is_read_as_in_the_terminal(String line) {
        assertThat(text(line)).isEqualTo(terminal(line));
    }

    @Test
    void the_program_and_the_command_may_be_written() {
        assertThat(text("./habemus check bully --crashes 1")).isEqualTo(text("bully --crashes 1"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "lamport --timing slow | --timing must be one of asynchronous, synchronous, was 'slow'",
                "lamport --crashes x | --crashes must be a whole number from 0, was 'x'",
                "lamport --crash 1@2 | unknown option: --crash",
                "-n 3                | ALGORITHM is missing"
            })
    void a_wrong_line_is_reported(String line, String message) {
        assertThatThrownBy(() -> CheckCommandLine.parse(line))
                .isInstanceOfSatisfying(
                        CommandException.class,
                        error -> assertThat(error.message()).isEqualTo(message));
    }

    private static String text(String line) {
        try {
            return describe(CheckCommandLine.parse(line));
        } catch (CommandException wrong) {
            return WRONG;
        }
    }

    /** What {@code habemus check} reads from the words of the shell. */
    private static String terminal(String line) {
        try {
            var words = ShellSyntax.split(line);
            return describe(
                    CheckCommand.arguments(new CheckCommand().syntax(words).parse(words)));
        } catch (CommandException wrong) {
            return WRONG;
        }
    }

    private static String describe(CheckArguments arguments) {
        return arguments.world().algorithm().name() + " " + arguments.world().options() + " " + arguments.options();
    }
}
