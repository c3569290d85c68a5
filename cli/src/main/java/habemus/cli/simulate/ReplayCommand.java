package habemus.cli.simulate;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.OutputOptions;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.AnsiColors;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.ExitCode;
import habemus.cli.terminal.ShellSyntax;
import habemus.cli.terminal.SpellingSuggestion;
import habemus.cli.terminal.Terminal;
import habemus.lab.diagram.text.TextDiagram;
import habemus.lab.trace.Recording;
import habemus.lab.trace.TraceJson;
import habemus.service.storage.CorruptFileException;
import habemus.service.trace.RecordedRun;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus replay}: re-executes the recorded steps of real nodes, compares, draws and checks them. */
public final class ReplayCommand implements Subcommand {

    private static final String SECTION = "Selection:";
    private static final int MAX_TERMINAL_EVENTS = 200;

    @Override
    public String name() {
        return "replay";
    }

    @Override
    public String summary() {
        return "Re-executes the recorded steps of real nodes: compares, draws, and checks the properties.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        var syntax = new CommandSyntax(this, "FOLDER [options]")
                .positionals("FOLDER", false)
                .value(SECTION, "--group", "NAME", "only the lock or election of this name (default: all)")
                .flag(SECTION, "--settled", "also checks the final state: the run had time to come to rest");
        return OutputOptions.add(syntax)
                .examples("habemus replay traces", "habemus replay traces --group leader --svg leader.svg");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var output = OutputOptions.of(parsed);
        output.rejectLogSvgUnless(false);
        var runs = read(parsed);
        var all = new JsonArray();
        for (int i = 0; i < runs.size(); i++) {
            var recordedRun = runs.get(i);
            var runOutput = runs.size() == 1 ? output : output.withNumber(i + 1);
            try (var files = new RunOutputFiles(runOutput)) {
                recordedRun.events().forEach(files::write);
                files.finish(
                        () -> recording(recordedRun),
                        recordedRun
                                .algorithmSpec()
                                .topology(recordedRun.header().nodeCount()));
            }
            if (output.json()) {
                all.add(json(recordedRun, output));
            } else {
                print(recordedRun, output, AnsiColors.of(output.color(), terminal), terminal.out());
            }
        }
        if (output.json()) {
            var json = new JsonObject();
            json.add("runs", all);
            terminal.out().println(json);
        }
        return runs.stream().allMatch(RecordedRun::isCorrect) ? ExitCode.OK : ExitCode.VIOLATED;
    }

    private static List<RecordedRun> read(ParseResult parsed) {
        var folder = Path.of(ParsedOptions.firstArgument(parsed)
                .orElseThrow(() -> CommandException.usage("FOLDER is missing", "name the folder of --record")));
        if (!Files.isDirectory(folder)) {
            throw CommandException.usage("no such folder: " + folder, "name the folder of --record");
        }
        List<RecordedRun> runs;
        try {
            runs = RecordedRun.read(folder, parsed.hasMatchedOption("--settled"));
        } catch (CorruptFileException corruptFileException) {
            throw CommandException.failure(
                    String.valueOf(corruptFileException.getMessage()), "remove the damaged file");
        }
        var group = ParsedOptions.text(parsed, "--group");
        var names = runs.stream().map(run -> run.header().group()).toList();
        if (group.isPresent() && !names.contains(group.get())) {
            throw CommandException.usage(
                    "no trace of " + ShellSyntax.quote(group.get()),
                    SpellingSuggestion.hint(group.get(), names) + "groups: " + String.join(", ", names));
        }
        if (runs.isEmpty()) {
            throw CommandException.usage("no traces in " + folder, "habemus serve --record FOLDER writes traces");
        }
        return runs.stream()
                .filter(run -> group.isEmpty() || run.header().group().equals(group.get()))
                .toList();
    }

    private static Recording recording(RecordedRun recordedRun) {
        return new Recording(headline(recordedRun), recordedRun.nodes(), recordedRun.events());
    }

    private static String headline(RecordedRun recordedRun) {
        var head = recordedRun.header();
        return head.problem() + " " + head.group() + ": " + head.algorithm() + " on " + head.nodeCount() + " nodes, "
                + recordedRun.traceCount() + " traces";
    }

    private static void print(RecordedRun recordedRun, OutputOptions output, AnsiColors colors, PrintStream out) {
        out.println(colors.bold(headline(recordedRun)));
        out.println();
        if (output.diagram().orElse(recordedRun.events().size() <= MAX_TERMINAL_EVENTS)) {
            out.println(TextDiagram.draw(recording(recordedRun), colors.enabled(), Long.MAX_VALUE)
                    .stripTrailing());
            out.println();
        }
        var compared = recordedRun.differences().isEmpty()
                ? colors.green("every step conforms to the algorithm")
                : colors.red("steps differ from the algorithm: " + String.join("; ", recordedRun.differences()));
        out.println("recorded               " + compared);
        recordedRun.notes().forEach(note -> out.println("note                   " + note));
        RunSummary.of(recordedRun.header().problem(), recordedRun.runResult(), colors)
                .forEach(out::println);
        out.println();
    }

    private static JsonObject json(RecordedRun recordedRun, OutputOptions output) {
        var json = new JsonObject();
        json.addProperty("algorithm", recordedRun.algorithmSpec().algorithm().name());
        json.addProperty("recipe", recordedRun.header().algorithm());
        json.addProperty("problem", recordedRun.header().problem().toString());
        json.addProperty("group", recordedRun.header().group());
        json.addProperty("nodes", recordedRun.header().nodeCount());
        json.addProperty("traces", recordedRun.traceCount());
        json.add("differences", texts(recordedRun.differences()));
        json.add("notes", texts(recordedRun.notes()));
        RunJson.add(json, recordedRun.runResult());
        if (output.isTraceToStdout()) {
            var trace = new JsonArray();
            recordedRun.events().forEach(line -> trace.add(TraceJson.of(line)));
            json.add("trace", trace);
        }
        return json;
    }

    private static JsonArray texts(List<String> texts) {
        var array = new JsonArray();
        texts.forEach(array::add);
        return array;
    }
}
