package habemus.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.lab.picture.TextDiagram;
import habemus.lab.trace.Recording;
import habemus.lab.trace.TraceJson;
import habemus.service.disk.Damaged;
import habemus.service.record.Recorded;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus replay}: what real nodes did, taken again by the pure machine, drawn and judged. */
final class ReplayCommand implements Command {

    private static final String SECTION = "Which, and how:";
    private static final int MOST_LINES = 200; // of a diagram that was not asked for

    @Override
    public String name() {
        return "replay";
    }

    @Override
    public String summary() {
        return "Takes what real nodes recorded once more, step by step: compares, draws, judges.";
    }

    @Override
    public Sheet sheet(List<String> args) {
        var sheet = new Sheet(this, "FOLDER [options]")
                .words("FOLDER", false)
                .value(SECTION, "--group", "NAME", "only the lock or election of this name (standard: all)")
                .flag(SECTION, "--settled", "judges the end too: the run was given time to come to rest");
        return Output.add(sheet)
                .example("habemus replay traces", "habemus replay traces --group leader --svg leader.svg");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var output = Output.of(parsed);
        var runs = read(parsed);
        var all = new JsonArray();
        for (int i = 0; i < runs.size(); i++) {
            var recorded = runs.get(i);
            var one = runs.size() == 1 ? output : output.numbered(i + 1);
            try (var files = new RunFiles(one)) {
                recorded.lines().forEach(files::write);
                files.finish(
                        () -> recording(recorded),
                        recorded.recipe().topology(recorded.head().nodes()));
            }
            if (output.json()) {
                all.add(json(recorded, output));
            } else {
                print(recorded, output, Paint.of(output.color(), terminal), terminal.out());
            }
        }
        if (output.json()) {
            var json = new JsonObject();
            json.add("runs", all);
            terminal.out().println(json);
        }
        return runs.stream().allMatch(Recorded::isFine) ? ExitCode.DONE : ExitCode.VIOLATED;
    }

    private static List<Recorded> read(ParseResult parsed) {
        if (parsed.matchedPositionals().isEmpty()) {
            throw Refusal.wrong("there is nothing to replay", "name the folder that --record wrote to");
        }
        var folder =
                Path.of(parsed.matchedPositionals().getFirst().stringValues().getFirst());
        if (!Files.isDirectory(folder)) {
            throw Refusal.wrong("there is no folder " + folder, "name the folder that --record wrote to");
        }
        List<Recorded> runs;
        try {
            runs = Recorded.read(folder, parsed.hasMatchedOption("--settled"));
        } catch (Damaged damaged) {
            throw Refusal.cannot(
                    String.valueOf(damaged.getMessage()), "a file that was changed proves nothing: leave it out");
        }
        var group = Output.text(parsed, "--group");
        var names = runs.stream().map(run -> run.head().group()).toList();
        if (group.isPresent() && !names.contains(group.get())) {
            throw Refusal.wrong(
                    "there is no trace of " + ShellWords.quote(group.get()),
                    Nearest.hint(group.get(), names) + "there are " + String.join(", ", names));
        }
        if (runs.isEmpty()) {
            throw Refusal.wrong("there is no trace in " + folder, "habemus serve --record FOLDER writes some");
        }
        return runs.stream()
                .filter(run -> group.isEmpty() || run.head().group().equals(group.get()))
                .toList();
    }

    private static Recording recording(Recorded recorded) {
        return new Recording(headline(recorded), recorded.nodes(), recorded.lines());
    }

    private static String headline(Recorded recorded) {
        var head = recorded.head();
        return head.problem() + " " + head.group() + ": " + head.recipe() + " on " + head.nodes() + " nodes, "
                + recorded.traces() + " traces";
    }

    private static void print(Recorded recorded, Output output, Paint paint, PrintStream out) {
        out.println(paint.bold(headline(recorded)));
        out.println();
        if (output.diagram().orElse(recorded.lines().size() <= MOST_LINES)) {
            out.println(TextDiagram.draw(recording(recorded), paint.on(), Long.MAX_VALUE)
                    .stripTrailing());
            out.println();
        }
        var compared = recorded.differences().isEmpty()
                ? paint.green("as the machine does it, every step")
                : paint.red("not as the machine does it: " + String.join("; ", recorded.differences()));
        out.println("recorded               " + compared);
        recorded.notes().forEach(note -> out.println("note                   " + note));
        Summary.of(recorded.head().problem(), recorded.outcome(), paint).forEach(out::println);
        out.println();
    }

    private static JsonObject json(Recorded recorded, Output output) {
        var json = new JsonObject();
        json.addProperty("algorithm", recorded.recipe().algorithm().name());
        json.addProperty("recipe", recorded.head().recipe());
        json.addProperty("problem", recorded.head().problem().toString());
        json.addProperty("group", recorded.head().group());
        json.addProperty("nodes", recorded.head().nodes());
        json.addProperty("traces", recorded.traces());
        json.add("differences", texts(recorded.differences()));
        json.add("notes", texts(recorded.notes()));
        RunJson.add(json, recorded.outcome());
        if (output.traceToOut()) {
            var trace = new JsonArray();
            recorded.lines().forEach(line -> trace.add(TraceJson.of(line)));
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
