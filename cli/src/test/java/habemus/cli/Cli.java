package habemus.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The command line as its users meet it, without a process. */
final class Cli {

    /** What a command said, and its exit code. */
    record Said(int code, String out, String err) {
        JsonObject json() {
            return JsonParser.parseString(out).getAsJsonObject();
        }
    }

    private Cli() {}

    /** The folder of the repository. */
    static Path root() {
        var folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("verify"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    static Said run(String... args) {
        return run(List.of(args));
    }

    static Said run(List<String> args) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        var terminal = Terminal.of(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
        int code = Main.run(args, terminal);
        return new Said(code, out.toString(UTF_8), err.toString(UTF_8));
    }

    /** A whole line, as it is typed; {@code ./habemus} at its start is left out. */
    static Said line(String line) {
        return run(ShellWords.split(line.replaceFirst("^\\./habemus ", "")));
    }

    static Experiment experiment(String line) {
        return ExperimentReader.read(RunCommand.read(RunSyntax.prepared(ShellWords.split(line))));
    }

    /** What is at the start of a line, and with a blank before it, on the next one, what belongs to it. */
    static Map<String, String> table(String name) throws IOException {
        var table = new LinkedHashMap<String, String>();
        try (var file = Objects.requireNonNull(Cli.class.getResourceAsStream(name))) {
            var key = "";
            for (String line : new String(file.readAllBytes(), UTF_8).lines().toList()) {
                if (line.startsWith(" ")) {
                    table.put(key, line.trim());
                } else {
                    key = line;
                }
            }
        }
        return table;
    }

    static Path scenarios() {
        return root().resolve("scenarios");
    }
}
