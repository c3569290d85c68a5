package habemus.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import habemus.cli.Main;
import habemus.lab.command.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A long search in a child process on a terminal, interrupted. */
@Tag("slow")
class InterruptSignalTest {

    private static final List<String> LONG =
            List.of("check", "lamport", "-n", "3", "--entries", "3", "--states", "2000000000", "--json");

    /** SIGINT and SIGTERM run the same shutdown hooks. */
    @Test
    @Timeout(120)
    void an_interrupted_search_prints_its_findings() throws IOException, InterruptedException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx1g", "-Dhabemus.terminal=err"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(LONG);
        var process = new ProcessBuilder(command).start();
        try {
            assertThat(progress(process)).contains("states").contains("depth");
            assertThat(process.toHandle().destroy()).isTrue();
            var json = JsonParser.parseString(
                            new String(process.getInputStream().readAllBytes(), UTF_8))
                    .getAsJsonObject();
            assertThat(json.get("verdict").getAsString()).isEqualTo("incomplete");
            assertThat(json.getAsJsonArray("bounds").toString()).contains("interrupted");
            assertThat(json.get("states").getAsLong()).isPositive();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(ExitCode.INCOMPLETE);
        } finally {
            process.destroyForcibly();
        }
    }

    /** The first progress line. */
    private static String progress(Process process) throws IOException {
        var line = new StringBuilder();
        int next = process.getErrorStream().read();
        while (next >= 0 && next != '\u001b') {
            line.append((char) next);
            next = process.getErrorStream().read();
        }
        return line.toString();
    }
}
