package habemus.lab.run;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.lab.experiment.Experiment;
import habemus.lab.experiment.MessageFaultParser;
import habemus.lab.experiment.ReplayCommandLine;
import habemus.lab.experiment.SimulatedTime;
import habemus.lab.experiment.WorldOption;
import habemus.lab.trace.TimeScale;
import habemus.lab.trace.TraceJson;
import habemus.simulate.RunResult;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A run as JSON. The names of the fields are stable. */
public final class RunJson {

    private RunJson() {}

    /** @param isTraced whether the document has the trace */
    public static JsonObject of(CompletedRun run, boolean isTraced) {
        return run.experiment().names().in(withIds(run, isTraced)).getAsJsonObject();
    }

    private static JsonObject withIds(CompletedRun run, boolean isTraced) {
        var json = of(run.experiment(), run.runResult());
        json.addProperty("replay", ReplayCommandLine.of(run.experiment().arguments()));
        if (isTraced) {
            var trace = new JsonArray();
            run.traceBuffer()
                    .lines()
                    .forEach(line ->
                            trace.add(TraceJson.of(line, run.experiment().timeScale())));
            json.add("trace", trace);
        }
        return json;
    }

    private static JsonObject of(Experiment experiment, RunResult result) {
        var json = new JsonObject();
        json.addProperty("algorithm", experiment.algorithm().name());
        json.addProperty("problem", experiment.algorithm().problem().toString());
        json.addProperty("nodes", experiment.nodes());
        if (!experiment.arguments().has(WorldOption.MOVES)) {
            json.addProperty("seed", experiment.seed());
        }
        json.addProperty("network", experiment.world().network().toString());
        add(json, result, RunView.of(experiment));
        return json;
    }

    /** Adds the result of a run, simulated or recorded. */
    public static void add(JsonObject json, RunResult result, RunView view) {
        var timeScale = view.timeScale();
        json.addProperty("steps", result.steps());
        json.addProperty("messages", result.messages());
        json.add("messagesByType", counts(result));
        json.addProperty("heartbeats", result.heartbeats());
        json.add("grants", grants(result, timeScale));
        json.add("elected", elected(result, timeScale));
        json.add("suspicions", suspicions(result, timeScale));
        json.addProperty("entries", result.entries());
        json.addProperty("maxBypass", result.largestBypass());
        json.addProperty("writesAccepted", result.resource().accepted());
        json.addProperty("writesRefused", result.resource().refused());
        json.addProperty("writesStale", result.resource().stale());
        if (!result.log().logs().isEmpty()) {
            json.add("log", LogJson.of(result.log()));
        }
        var verdicts = new JsonObject();
        var answers = new JsonObject();
        result.verdicts().forEach((property, verdict) -> {
            if (view.required().contains(property)) {
                verdicts.addProperty(property.toString(), verdict.toString());
            } else {
                answers.addProperty(property.toString(), verdict.answer());
            }
        });
        json.add("properties", verdicts);
        json.add("notGuaranteed", answers);
        json.addProperty("end", result.end().name().toLowerCase(Locale.ROOT));
        if (result.bug() != null) {
            json.addProperty("bug", result.bug());
        }
        addUnlessEmpty(
                json, "withoutEffect", result.faultsWithoutEffect().stream().map(MessageFaultParser::format));
        addUnlessEmpty(
                json,
                "waiting",
                result.waiters().stream().map(waiter -> waiter.node().toString()));
    }

    private static void addUnlessEmpty(JsonObject json, String name, Stream<String> texts) {
        var array = new JsonArray();
        texts.forEach(array::add);
        if (!array.isEmpty()) {
            json.add(name, array);
        }
    }

    private static void addTime(JsonObject json, long at, TimeScale timeScale) {
        switch (timeScale) {
            case MILLIS -> json.addProperty("at", SimulatedTime.microsToMillis(at));
            case STEPS -> json.addProperty("step", at);
        }
    }

    private static JsonObject counts(RunResult result) {
        var counts = new JsonObject();
        new TreeMap<>(result.messagesByType()).forEach(counts::addProperty);
        return counts;
    }

    private static JsonArray grants(RunResult result, TimeScale timeScale) {
        var grants = new JsonArray();
        for (var grantRecord : result.grants()) {
            var grant = new JsonObject();
            grant.addProperty("node", grantRecord.node().toString());
            grant.addProperty("fence", grantRecord.fence());
            addTime(grant, grantRecord.micros(), timeScale);
            grants.add(grant);
        }
        return grants;
    }

    private static JsonArray suspicions(RunResult result, TimeScale timeScale) {
        var suspicions = new JsonArray();
        for (var suspicionChange : result.suspicionChanges()) {
            var json = new JsonObject();
            json.addProperty("node", suspicionChange.node().toString());
            json.addProperty("peer", suspicionChange.peer().toString());
            json.addProperty("suspected", suspicionChange.suspected());
            addTime(json, suspicionChange.micros(), timeScale);
            suspicions.add(json);
        }
        return suspicions;
    }

    private static JsonArray elected(RunResult result, TimeScale timeScale) {
        var all = new JsonArray();
        for (var leaderAnnouncement : result.announcements()) {
            var json = new JsonObject();
            json.addProperty("node", leaderAnnouncement.node().toString());
            json.addProperty("leader", leaderAnnouncement.leader().toString());
            json.addProperty("term", leaderAnnouncement.term());
            addTime(json, leaderAnnouncement.micros(), timeScale);
            all.add(json);
        }
        return all;
    }
}
