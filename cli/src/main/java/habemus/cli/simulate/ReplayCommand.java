package habemus.cli.simulate;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.cli.options.Command;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.OutputOptions;
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

/** {@code habemus replay}: what real nodes did, taken again by the pure machine, drawn and judged. */
public final class ReplayCommand implements Command {

    private static final String SECTION = "Which, and how:";
    private static final int MAX_TERMINAL_EVENTS = 200; // of a diagram that was not asked for

    @Override
    public String name() {
        return "replay";
    }

    @Override
    public String summary() {
        return "Takes what real nodes recorded once more, step by step: compares, draws, judges.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        var commandSyntax = new CommandSyntax(this, "FOLDER [options]")
                .positionals("FOLDER", false)
                .value(SECTION, "--group", "NAME", "only the lock or election of this name (standard: all)")
                .flag(SECTION, "--settled", "judges the end too: the run was given time to come to rest");
        return OutputOptions.add(commandSyntax)
                .examples("habemus replay traces", "habemus replay traces --group leader --svg leader.svg");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var outputOptions = OutputOptions.of(parsed);
        var runs = read(parsed);
        var all = new JsonArray();
        for (int i = 0; i < runs.size(); i++) {
            var recordedRun = runs.get(i);
            var one = runs.size() == 1 ? outputOptions : outputOptions.withNumber(i + 1);
            try (var files = new RunOutputFiles(one)) {
                recordedRun.events().forEach(files::write);
                files.finish(
                        () -> recording(recordedRun),
                        recordedRun
                                .algorithmSpec()
                                .topology(recordedRun.header().nodeCount()));
            }
            if (outputOptions.json()) {
                all.add(json(recordedRun, outputOptions));
            } else {
                print(recordedRun, outputOptions, AnsiColors.of(outputOptions.color(), terminal), terminal.out());
            }
        }
        if (outputOptions.json()) {
            var json = new JsonObject();
            json.add("runs", all);
            terminal.out().println(json);
        }
        return runs.stream().allMatch(RecordedRun::isCorrect) ? ExitCode.OK : ExitCode.VIOLATED;
    }

    private static List<RecordedRun> read(ParseResult parsed) {
        if (parsed.matchedPositionals().isEmpty()) {
            throw CommandException.usage("there is nothing to replay", "name the folder that --record wrote to");
        }
        var folder =
                Path.of(parsed.matchedPositionals().getFirst().stringValues().getFirst());
        if (!Files.isDirectory(folder)) {
            throw CommandException.usage("there is no folder " + folder, "name the folder that --record wrote to");
        }
        List<RecordedRun> runs;
        try {
            runs = RecordedRun.read(folder, parsed.hasMatchedOption("--settled"));
        } catch (CorruptFileException corruptFileException) {
            throw CommandException.failure(
                    String.valueOf(corruptFileException.getMessage()),
                    "a file that was changed proves nothing: leave it out");
        }
        var group = OutputOptions.text(parsed, "--group");
        var names = runs.stream().map(run -> run.header().group()).toList();
        if (group.isPresent() && !names.contains(group.get())) {
            throw CommandException.usage(
                    "there is no trace of " + ShellSyntax.quote(group.get()),
                    SpellingSuggestion.hint(group.get(), names) + "there are " + String.join(", ", names));
        }
        if (runs.isEmpty()) {
            throw CommandException.usage("there is no trace in " + folder, "habemus serve --record FOLDER writes some");
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

    private static void print(
            RecordedRun recordedRun, OutputOptions outputOptions, AnsiColors ansiColors, PrintStream out) {
        out.println(ansiColors.bold(headline(recordedRun)));
        out.println();
        if (outputOptions.diagram().orElse(recordedRun.events().size() <= MAX_TERMINAL_EVENTS)) {
            out.println(TextDiagram.draw(recording(recordedRun), ansiColors.enabled(), Long.MAX_VALUE)
                    .stripTrailing());
            out.println();
        }
        var compared = recordedRun.differences().isEmpty()
                ? ansiColors.green("as the machine does it, every step")
                : ansiColors.red("not as the machine does it: " + String.join("; ", recordedRun.differences()));
        out.println("recorded               " + compared);
        recordedRun.notes().forEach(note -> out.println("note                   " + note));
        RunSummary.of(recordedRun.header().problem(), recordedRun.runResult(), ansiColors)
                .forEach(out::println);
        out.println();
    }

    private static JsonObject json(RecordedRun recordedRun, OutputOptions outputOptions) {
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
        if (outputOptions.isTraceToStdout()) {
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
