package habemus.cli.simulate;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.lab.table.AnsiColors;
import habemus.service.recording.StepDifference;
import habemus.service.recording.ValidationResult;
import habemus.world.Verdict;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Prints the validation of a recorded cluster of the lock service. */
final class ValidationOutput {

    private ValidationOutput() {}

    static void print(ValidationResult run, AnsiColors colors, PrintStream out) {
        int starts = run.nodes().stream()
                .mapToInt(ValidationResult.RecordedNode::starts)
                .sum();
        out.println(colors.bold(String.format(
                Locale.ROOT,
                "lock service %s: %d nodes, %d starts, %,d steps, %,d entries, %,d grants",
                run.cluster(),
                run.nodes().size(),
                starts,
                run.steps(),
                run.entries(),
                run.grants())));
        out.println();
        out.println("recorded               "
                + (run.differences().isEmpty()
                        ? colors.green("every step conforms to the machines")
                        : colors.red("a step differs from the machines")));
        run.differences().forEach(difference -> out.println("first wrong step       " + difference));
        run.violations().forEach(violation -> out.println("violated               " + colors.red(violation)));
        out.println("log                    " + verdicts(run.verdicts()));
        out.println("locks                  " + verdicts(run.ruleVerdicts()));
        run.notes().forEach(note -> out.println("note                   " + note));
        out.println();
        out.println(run.isAccepted() ? colors.green("accepted") : colors.red("REJECTED"));
    }

    private static String verdicts(Map<?, Verdict> verdicts) {
        return verdicts.entrySet().stream()
                .map(each -> each.getKey() + " " + each.getValue())
                .collect(Collectors.joining(", "));
    }

    static JsonObject json(ValidationResult run) {
        var json = new JsonObject();
        json.addProperty("cluster", run.cluster());
        json.addProperty("accepted", run.isAccepted());
        json.addProperty("steps", run.steps());
        json.addProperty("entries", run.entries());
        json.addProperty("grants", run.grants());
        var nodes = new JsonArray();
        for (var node : run.nodes()) {
            var row = new JsonObject();
            row.addProperty("node", node.node().toString());
            row.addProperty("starts", node.starts());
            row.addProperty("steps", node.steps());
            nodes.add(row);
        }
        json.add("nodes", nodes);
        var differences = new JsonArray();
        run.differences().forEach(difference -> differences.add(json(difference)));
        json.add("differences", differences);
        json.add("violations", ValidateCommand.texts(run.violations()));
        json.add("notes", ValidateCommand.texts(run.notes()));
        var verdicts = new JsonObject();
        run.verdicts().forEach((property, verdict) -> verdicts.addProperty(property.toString(), verdict.toString()));
        run.ruleVerdicts().forEach((rule, verdict) -> verdicts.addProperty(rule.toString(), verdict.toString()));
        json.add("verdicts", verdicts);
        return json;
    }

    private static JsonObject json(StepDifference difference) {
        var json = new JsonObject();
        json.addProperty("node", difference.node().toString());
        json.addProperty("start", difference.start());
        json.addProperty("step", difference.step());
        json.addProperty("event", difference.event());
        json.addProperty("expected", difference.expected());
        json.addProperty("recorded", difference.recorded());
        return json;
    }
}
