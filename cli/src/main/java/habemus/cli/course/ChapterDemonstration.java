package habemus.cli.course;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.cli.options.CommandSyntax;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.TwoColumnText;
import habemus.course.chapter.Demonstration;
import habemus.course.chapter.Observation;
import habemus.course.chapter.Observation.Verdict;
import habemus.lab.command.CommandException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ParseResult;

/** {@code habemus threads NAME} for the demonstrations of the chapter: each claim, and what was observed. */
record ChapterDemonstration(Demonstration demonstration) implements ThreadDemonstration {

    private static final int VERDICT_WIDTH = 11;

    @Override
    public String name() {
        return demonstration.name();
    }

    @Override
    public String claim() {
        return demonstration.claim();
    }

    @Override
    public CommandSyntax addOptions(CommandSyntax syntax) {
        return syntax.examples("habemus threads " + name());
    }

    @Override
    public Finding run(ParseResult parsed, ProgressLine progress) {
        progress.showText(name());
        try {
            var observations = demonstration.run();
            boolean isAsClaimed = observations.stream().noneMatch(one -> one.verdict() == Verdict.REFUTED);
            return new Finding(text(observations), Map.of(), json(observations), isAsClaimed);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw CommandException.failure("interrupted: " + name(), "run it again");
        }
    }

    private static String text(List<Observation> observations) {
        var text = new TwoColumnText(0, VERDICT_WIDTH);
        observations.forEach(
                one -> text.row(one.verdict().toString(), one.claim()).row("", "→ " + one.observed()));
        return text.toString();
    }

    private static JsonObject json(List<Observation> observations) {
        var rows = new JsonArray();
        for (var one : observations) {
            var row = new JsonObject();
            row.addProperty("claim", one.claim());
            row.addProperty("observed", one.observed());
            row.addProperty("verdict", one.verdict().toString());
            rows.add(row);
        }
        var json = new JsonObject();
        json.add("observations", rows);
        return json;
    }
}
