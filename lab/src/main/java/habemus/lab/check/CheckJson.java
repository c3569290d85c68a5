package habemus.lab.check;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import habemus.check.model.CheckReport;
import habemus.check.model.Scope;
import habemus.lab.trace.NodeNames;
import habemus.lab.trace.TimeScale;
import habemus.lab.trace.TraceText;
import habemus.world.TraceEvent;
import habemus.world.ValueFormatter;

/** The result of a check as JSON. The names of the fields are stable. */
public final class CheckJson {

    private final CheckResult result;
    private final CheckReport checkReport;

    private CheckJson(CheckResult result) {
        this.result = result;
        checkReport = result.checkReport();
    }

    public static JsonObject of(CheckResult result) {
        var json = new CheckJson(result).withIds();
        return result.experiment().names().in(json).getAsJsonObject();
    }

    private JsonObject withIds() {
        var experiment = result.experiment();
        var json = new JsonObject();
        json.addProperty("algorithm", experiment.algorithm().name());
        json.addProperty("nodes", experiment.nodes());
        json.addProperty("network", experiment.world().network().toString());
        json.addProperty("timing", result.timing());
        json.addProperty("victim", result.scope().faults().crashes().target().toString());
        json.addProperty("states", checkReport.states());
        json.addProperty("transitions", checkReport.transitions());
        json.addProperty("depth", checkReport.depth());
        json.addProperty("complete", checkReport.isComplete());
        var reductions = new JsonArray();
        checkReport.reductions().forEach(reductions::add);
        json.add("reductions", reductions);
        var bounds = new JsonArray();
        checkReport.limitsReached().forEach(bounds::add);
        json.add("bounds", bounds);
        if (checkReport.collisionProbability() > 0) {
            json.addProperty("compacted", checkReport.collisionProbability());
        }
        addProgramResults(json);
        addVerdicts(json);
        var lines = new JsonArray();
        result.counterexample().events().forEach(line -> addTo(lines, line));
        json.add("counterexample", lines);
        json.addProperty("replay", result.shortest().map(result::replay).orElse(""));
        result.shortest()
                .flatMap(finding -> finding.loopStart().stream().boxed().findFirst())
                .ifPresentOrElse(loop -> json.addProperty("loop", loop), () -> json.add("loop", JsonNull.INSTANCE));
        json.add("maxBypass", maxBypass());
        result.bypassGrowth().ifPresent(growth -> {
            var bypasses = new JsonArray();
            growth.bypasses().forEach(bypasses::add);
            json.add("bypasses", bypasses);
        });
        json.addProperty("seconds", result.seconds());
        return json;
    }

    private void addVerdicts(JsonObject json) {
        json.addProperty("verdict", result.verdict().toString());
        var properties = new JsonObject();
        var answers = new JsonObject();
        for (var finding : checkReport.findings()) {
            if (result.counts(finding)) {
                properties.addProperty(finding.name(), finding.verdict().toString());
            } else {
                answers.addProperty(finding.name(), finding.verdict().answer());
            }
        }
        json.add("properties", properties);
        json.add("notGuaranteed", answers);
    }

    private void addProgramResults(JsonObject json) {
        var results = new JsonArray();
        checkReport.programResults().forEach(outcome -> results.add(outcome.value()));
        if (!results.isEmpty()) {
            json.add("finalValues", results);
        }
    }

    private JsonElement maxBypass() {
        if (checkReport.maxBypass().isEmpty()) {
            return JsonNull.INSTANCE;
        }
        int times = checkReport.maxBypass().getAsInt();
        return times == Scope.UNBOUNDED ? new JsonPrimitive("unbounded") : new JsonPrimitive(times);
    }

    private static void addTo(JsonArray lines, TraceEvent line) {
        var texts = TraceText.of(line, NodeNames.NONE, TimeScale.STEPS);
        if (!texts.isEmpty()) {
            var json = new JsonObject();
            json.addProperty(
                    "node",
                    line instanceof TraceEvent.NodeStep nodeStep
                            ? nodeStep.node().toString()
                            : "");
            json.addProperty(
                    "event",
                    line instanceof TraceEvent.Step step
                            ? ValueFormatter.format(step.event())
                            : ValueFormatter.typeName(line));
            json.addProperty("text", String.join("\n", texts).strip());
            lines.add(json);
        }
    }
}
