package habemus.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import habemus.cli.options.RunOptions;
import habemus.cli.terminal.Terminal;
import habemus.lab.command.ShellSyntax;
import habemus.lab.experiment.Experiment;
import habemus.lab.experiment.ExperimentParser;
import habemus.lab.experiment.RunCommandLine;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Runs commands inside the test process. */
public final class CliRunner {

    /** The output and the exit code of a command. */
    public record CommandOutput(int code, String out, String err) {
        public JsonObject json() {
            return JsonParser.parseString(out).getAsJsonObject();
        }
    }

    private CliRunner() {}

    /** The root folder of the repository. */
    public static Path root() {
        var folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("verify"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    public static CommandOutput run(String... args) {
        return run(List.of(args));
    }

    public static CommandOutput run(List<String> args) {
        return run(args, Terminal.UNLIMITED);
    }

    /** Runs a command in a terminal of this width. */
    public static CommandOutput run(List<String> args, int columns) {
        return run(args, terminal -> terminal.withColumns(columns));
    }

    /** Runs a command whose questions are answered by these lines. */
    public static CommandOutput runInteractively(List<String> args, String answers) {
        return run(
                args,
                terminal -> new Terminal(
                        new BufferedReader(new StringReader(answers)),
                        terminal.out(),
                        terminal.err(),
                        Set.of("in", "out", "err"),
                        terminal.columns(),
                        terminal.language()));
    }

    private static CommandOutput run(List<String> args, UnaryOperator<Terminal> settings) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        var terminal =
                settings.apply(Terminal.of(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8)));
        int code = Main.run(args, terminal);
        terminal.flush();
        return new CommandOutput(code, out.toString(UTF_8), err.toString(UTF_8));
    }

    /** Runs a command line, with or without {@code ./habemus} at its start. */
    public static CommandOutput line(String line) {
        return run(ShellSyntax.split(line.replaceFirst("^\\./habemus ", "")));
    }

    public static Experiment experiment(String line) {
        return ExperimentParser.parse(RunCommandLine.parse(ShellSyntax.split(line), RunOptions::algorithm));
    }

    /** Reads a resource with keys and values: a value is the indented lines after its key. */
    public static Map<String, String> table(String name) throws IOException {
        var table = new LinkedHashMap<String, String>();
        try (var file = Objects.requireNonNull(CliRunner.class.getResourceAsStream(name))) {
            var key = "";
            for (String line : new String(file.readAllBytes(), UTF_8).lines().toList()) {
                if (line.startsWith(" ")) {
                    table.merge(key, line.trim(), (first, next) -> first + "\n" + next);
                } else {
                    key = line;
                }
            }
        }
        return table;
    }

    public static Path scenarios() {
        return root().resolve("scenarios");
    }
}
