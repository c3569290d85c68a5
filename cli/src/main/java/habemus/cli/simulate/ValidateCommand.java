package habemus.cli.simulate;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.OutputOptions;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.Terminal;
import habemus.lab.command.CommandException;
import habemus.lab.command.ExitCode;
import habemus.lab.command.ShellSyntax;
import habemus.lab.command.SpellingSuggestion;
import habemus.lab.diagram.text.TextDiagram;
import habemus.lab.experiment.RequiredProperties;
import habemus.lab.run.RunJson;
import habemus.lab.run.RunSummary;
import habemus.lab.run.RunView;
import habemus.lab.table.AnsiColors;
import habemus.lab.trace.NodeNames;
import habemus.lab.trace.Recording;
import habemus.lab.trace.TimeScale;
import habemus.lab.trace.TraceJson;
import habemus.service.recording.ClusterRecording;
import habemus.service.recording.RecordingValidator;
import habemus.service.recording.ValidationResult;
import habemus.service.storage.CorruptFileException;
import habemus.service.trace.RecordedRun;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.ParseResult;

/**
 * {@code habemus validate}: re-executes the recorded steps of real nodes with the pure machines, merges the nodes, and
 * checks the properties.
 */
public final class ValidateCommand implements Subcommand {

    private static final String CLASSIC = "Recordings of classic algorithms:";
    private static final int MAX_TERMINAL_EVENTS = 200;

    @Override
    public String name() {
        return "validate";
    }

    @Override
    public String summary() {
        return "Re-executes the recorded steps of real nodes, and checks the properties of the merged run.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        var syntax = new CommandSyntax(this, "FOLDER… [options]")
                .positionals("FOLDER", true)
                .value(CLASSIC, "--group", "NAME", "only the lock or election of this name (default: all)")
                .flag(CLASSIC, "--settled", "also checks the final state: the run had time to come to rest");
        return OutputOptions.add(syntax)
                .examples(
                        "habemus validate recorded",
                        "habemus validate from-n1 from-n2 from-n3 --json",
                        "habemus validate traces --group leader --svg leader.svg");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var output = OutputOptions.of(parsed);
        output.rejectLogSvgUnless(false);
        var folders = folders(parsed);
        try {
            var services =
                    parsed.hasMatchedOption("--group") ? List.<ValidationResult>of() : services(folders, terminal);
            var runs = runs(parsed, folders);
            if (runs.isEmpty() && services.isEmpty()) {
                throw CommandException.usage(
                        "no recordings in " + join(folders), "habemus serve --record FOLDER writes recordings");
            }
            writeFiles(runs, output);
            print(runs, services, output, terminal);
            return runs.stream().allMatch(RecordedRun::isCorrect)
                            && services.stream().allMatch(ValidationResult::isAccepted)
                    ? ExitCode.OK
                    : ExitCode.VIOLATED;
        } catch (CorruptFileException corrupt) {
            throw CommandException.rejected(
                    String.valueOf(corrupt.getMessage()), "remove the damaged file, or record again");
        }
    }

    private static List<Path> folders(ParseResult parsed) {
        var folders = ParsedOptions.arguments(parsed).stream().map(Path::of).toList();
        if (folders.isEmpty()) {
            throw CommandException.usage("FOLDER is missing", "name the folder of --record");
        }
        for (Path folder : folders) {
            if (!Files.isDirectory(folder)) {
                throw CommandException.usage("no such folder: " + folder, "name the folder of --record");
            }
        }
        return folders;
    }

    private static String join(List<Path> folders) {
        return String.join(", ", folders.stream().map(Path::toString).toList());
    }

    private static List<ValidationResult> services(List<Path> folders, Terminal terminal) {
        var progress = new ProgressLine(terminal);
        try {
            return ClusterRecording.in(folders).stream()
                    .map(recording -> RecordingValidator.validate(
                            recording, (read, total) -> progress.show("re-executed", read, total)))
                    .toList();
        } finally {
            progress.clear();
        }
    }

    private static List<RecordedRun> runs(ParseResult parsed, List<Path> folders) {
        var runs = RecordedRun.read(folders, parsed.hasMatchedOption("--settled"));
        var group = ParsedOptions.text(parsed, "--group");
        var names = runs.stream().map(run -> run.header().group()).toList();
        if (group.isPresent() && !names.contains(group.get())) {
            throw CommandException.usage(
                    "no recording of " + ShellSyntax.quote(group.get()),
                    SpellingSuggestion.hint(group.get(), names) + "groups: " + String.join(", ", names));
        }
        return runs.stream()
                .filter(run -> group.isEmpty() || run.header().group().equals(group.get()))
                .toList();
    }

    private static void writeFiles(List<RecordedRun> runs, OutputOptions output) {
        for (int i = 0; i < runs.size(); i++) {
            var recordedRun = runs.get(i);
            var runOutput = runs.size() == 1 ? output : output.withNumber(i + 1);
            try (var files = new RunOutputFiles(runOutput, NodeNames.NONE, TimeScale.MILLIS)) {
                recordedRun.events().forEach(files::write);
                files.finish(
                        () -> recording(recordedRun),
                        recordedRun
                                .algorithmSpec()
                                .topology(recordedRun.header().nodeCount()));
            }
        }
    }

    private static void print(
            List<RecordedRun> runs, List<ValidationResult> services, OutputOptions output, Terminal terminal) {
        if (output.json()) {
            var json = new JsonObject();
            var classic = new JsonArray();
            runs.forEach(run -> classic.add(json(run, output)));
            json.add("runs", classic);
            var service = new JsonArray();
            services.forEach(run -> service.add(ValidationOutput.json(run)));
            json.add("services", service);
            terminal.out().println(json);
        } else {
            var colors = terminal.colors(output.color());
            runs.forEach(run -> print(run, output, colors, terminal.out()));
            services.forEach(run -> ValidationOutput.print(run, colors, terminal.out()));
        }
    }

    private static RunView view(RecordedRun recordedRun) {
        return new RunView(new RequiredProperties(recordedRun.guaranteed()), TimeScale.MILLIS, NodeNames.NONE);
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
        RunSummary.of(recordedRun.header().problem(), recordedRun.runResult(), view(recordedRun), colors)
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
        RunJson.add(json, recordedRun.runResult(), view(recordedRun));
        if (output.isTraceToStdout()) {
            var trace = new JsonArray();
            recordedRun.events().forEach(line -> trace.add(TraceJson.of(line, TimeScale.MILLIS)));
            json.add("trace", trace);
        }
        return json;
    }

    static JsonArray texts(List<String> texts) {
        var array = new JsonArray();
        texts.forEach(array::add);
        return array;
    }
}
