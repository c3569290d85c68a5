package habemus.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs the scripts of {@code page/test}. */
final class NodeScript {

    private static final Path FOLDER = Path.of("page", "test");

    private NodeScript() {}

    /**
     * The lines of the standard output. The script's errors go to those of the test.
     *
     * @throws AssertionError if the script fails
     */
    static List<String> run(String script, String... args) throws IOException, InterruptedException {
        var command =
                new ArrayList<String>(List.of("node", FOLDER.resolve(script).toString()));
        command.addAll(List.of(args));
        var process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var output = process.inputReader(UTF_8)) {
            var lines = output.lines().toList();
            if (process.waitFor() != 0) {
                throw new AssertionError(String.join(" ", command) + " failed: exit code " + process.exitValue()
                        + String.join("\n", lines));
            }
            return lines;
        } finally {
            process.destroy();
        }
    }
}
