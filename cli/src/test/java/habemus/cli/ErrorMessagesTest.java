package habemus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Wrong input gives a message, a hint and the exit code 2. The messages are in {@code wrong-input.txt}. */
class ErrorMessagesTest {

    static Stream<Arguments> wrongInput() throws IOException {
        return CliRunner.table("wrong-input.txt").entrySet().stream()
                .map(row -> Arguments.of(row.getKey(), row.getValue()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrongInput")
    void wrong_input_is_reported_with_a_hint(String line, String message) {
        var output = CliRunner.line(line);
        assertThat(output.err()).isEqualTo("habemus: " + message + "\n");
        assertThat(output.out()).isEmpty();
        assertThat(output.code()).isEqualTo(2);
    }

    @Test
    void with_json_an_error_is_a_json_document() {
        var output = CliRunner.run("run", "buly", "--json");
        assertThat(output.out())
                .isEqualTo("{\"error\":{\"code\":2,\"message\":\"unknown algorithm: 'buly'\","
                        + "\"hint\":\"did you mean bully? habemus list shows all algorithms\"}}\n");
        assertThat(output.err()).isEmpty();
        assertThat(output.code()).isEqualTo(2);
    }

    @Test
    void a_missing_output_folder_is_reported_before_the_run() {
        var output = CliRunner.run("run", "bully", "--svg", "no-such-folder/x.svg");
        assertThat(output.err()).startsWith("habemus: cannot write no-such-folder/x.svg (no such folder: ");
        assertThat(output.err()).endsWith("no-such-folder)\nhint: create the folder first\n");
        assertThat(output.out()).isEmpty();
        assertThat(output.code()).isEqualTo(3);
    }
}
