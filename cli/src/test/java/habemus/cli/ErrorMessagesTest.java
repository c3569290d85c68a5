package habemus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is wrong is said in one line with a hint, and the exit code is 2. */
class ErrorMessagesTest {

    static Stream<Arguments> wrongInput() throws IOException {
        return CliRunner.table("wrong-input.txt").entrySet().stream()
                .map(row -> Arguments.of(row.getKey(), row.getValue()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrongInput")
    void is_answered_by_one_line_with_a_hint(String line, String complaint) {
        var commandOutput = CliRunner.line(line);
        assertThat(commandOutput.err()).isEqualTo("habemus: " + complaint + "\n");
        assertThat(commandOutput.out()).isEmpty();
        assertThat(commandOutput.code()).isEqualTo(2);
    }

    @Test
    void is_answered_in_json_where_json_is_wanted() {
        var commandOutput = CliRunner.run("run", "buly", "--json");
        assertThat(commandOutput.out())
                .isEqualTo("{\"error\":{\"code\":2,\"message\":\"there is no algorithm 'buly'\","
                        + "\"hint\":\"did you mean bully? habemus list shows all\"}}\n");
        assertThat(commandOutput.err()).isEmpty();
        assertThat(commandOutput.code()).isEqualTo(2);
    }

    @Test
    void a_folder_that_does_not_exist_is_said_before_the_run_and_cannot_be_helped() {
        var commandOutput = CliRunner.run("run", "bully", "--svg", "no-such-folder/x.svg");
        assertThat(commandOutput.err()).startsWith("habemus: cannot write no-such-folder/x.svg: there is no folder ");
        assertThat(commandOutput.err()).endsWith("no-such-folder; make the folder first\n");
        assertThat(commandOutput.out()).isEmpty();
        assertThat(commandOutput.code()).isEqualTo(3);
    }
}
