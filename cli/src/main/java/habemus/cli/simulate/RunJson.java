package habemus.cli.simulate;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.cli.experiment.Experiment;
import habemus.cli.experiment.ReplayCommandLine;
import habemus.cli.experiment.WorldOption;
import habemus.cli.options.DurationOptions;
import habemus.cli.options.OutputOptions;
import habemus.lab.trace.TraceJson;
import habemus.simulate.RunResult;
import java.util.Locale;
import java.util.TreeMap;

/** A run as JSON. The names of the fields are stable. */
final class RunJson {

    private RunJson() {}

    static JsonObject of(CompletedRun completedRun, OutputOptions outputOptions) {
        var json = of(completedRun.experiment(), completedRun.runResult());
        json.addProperty(
                "replay", ReplayCommandLine.of(completedRun.experiment().arguments()));
        if (outputOptions.isTraceToStdout()) {
            var trace = new JsonArray();
            completedRun.traceBuffer().lines().forEach(line -> trace.add(TraceJson.of(line)));
            json.add("trace", trace);
        }
        return json;
    }

    private static JsonObject of(Experiment experiment, RunResult runResult) {
        var json = new JsonObject();
        json.addProperty("algorithm", experiment.algorithm().name());
        json.addProperty("problem", experiment.algorithm().problem().toString());
        json.addProperty("nodes", experiment.nodes());
        if (!experiment.arguments().has(WorldOption.MOVES)) {
            json.addProperty("seed", experiment.seed());
        }
        json.addProperty("network", experiment.world().network().toString());
        add(json, runResult);
        return json;
    }

    /** Adds the result of a run, simulated or recorded. */
    static void add(JsonObject json, RunResult runResult) {
        json.addProperty("steps", runResult.steps());
        json.addProperty("messages", runResult.messages());
        json.add("messagesByType", counts(runResult));
        json.addProperty("heartbeats", runResult.heartbeats());
        json.add("grants", grants(runResult));
        json.add("elected", elected(runResult));
        json.add("suspicions", suspicions(runResult));
        json.addProperty("entries", runResult.entries());
        json.addProperty("maxBypass", runResult.largestBypass());
        json.addProperty("writesAccepted", runResult.resource().accepted());
        json.addProperty("writesRefused", runResult.resource().refused());
        json.addProperty("writesStale", runResult.resource().stale());
        if (!runResult.log().logs().isEmpty()) {
            json.add("log", LogJson.of(runResult.log()));
        }
        var verdicts = new JsonObject();
        runResult.verdicts().forEach((property, verdict) -> verdicts.addProperty("" + property, "" + verdict));
        json.add("properties", verdicts);
        json.addProperty("end", runResult.end().name().toLowerCase(Locale.ROOT));
        if (runResult.bug() != null) {
            json.addProperty("bug", runResult.bug());
        }
        if (!runResult.waiters().isEmpty()) {
            var waiting = new JsonArray();
            runResult.waiters().forEach(waiter -> waiting.add(waiter.node().toString()));
            json.add("waiting", waiting);
        }
    }

    private static JsonObject counts(RunResult runResult) {
        var counts = new JsonObject();
        new TreeMap<>(runResult.messagesByType()).forEach(counts::addProperty);
        return counts;
    }

    private static JsonArray grants(RunResult runResult) {
        var grants = new JsonArray();
        for (var grantRecord : runResult.grants()) {
            var grant = new JsonObject();
            grant.addProperty("node", grantRecord.node().toString());
            grant.addProperty("fence", grantRecord.fence());
            grant.addProperty("at", DurationOptions.microsToMillis(grantRecord.micros()));
            grants.add(grant);
        }
        return grants;
    }

    private static JsonArray suspicions(RunResult runResult) {
        var suspicions = new JsonArray();
        for (var suspicionChange : runResult.suspicionChanges()) {
            var json = new JsonObject();
            json.addProperty("node", suspicionChange.node().toString());
            json.addProperty("peer", suspicionChange.peer().toString());
            json.addProperty("suspected", suspicionChange.suspected());
            json.addProperty("at", DurationOptions.microsToMillis(suspicionChange.micros()));
            suspicions.add(json);
        }
        return suspicions;
    }

    private static JsonArray elected(RunResult runResult) {
        var all = new JsonArray();
        for (var leaderAnnouncement : runResult.announcements()) {
            var json = new JsonObject();
            json.addProperty("node", leaderAnnouncement.node().toString());
            json.addProperty("leader", leaderAnnouncement.leader().toString());
            json.addProperty("term", leaderAnnouncement.term());
            json.addProperty("at", DurationOptions.microsToMillis(leaderAnnouncement.micros()));
            all.add(json);
        }
        return all;
    }
}
