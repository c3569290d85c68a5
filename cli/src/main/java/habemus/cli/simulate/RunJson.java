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

/** A run for programs. The names of the fields are a promise. */
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
        json.addProperty("network", experiment.world().networkModel().toString());
        add(json, runResult);
        return json;
    }

    /** What became of a run, wherever it was made. */
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
        json.addProperty("writesAccepted", runResult.protectedResource().accepted());
        json.addProperty("writesRefused", runResult.protectedResource().refused());
        json.addProperty("writesStale", runResult.protectedResource().stale());
        var verdicts = new JsonObject();
        runResult.verdicts().forEach((property, verdict) -> verdicts.addProperty("" + property, "" + verdict));
        json.add("properties", verdicts);
        json.addProperty("end", runResult.end().name().toLowerCase(Locale.ROOT));
        if (runResult.bug() != null) {
            json.addProperty("bug", runResult.bug());
        }
        if (!runResult.waiters().isEmpty()) {
            var waiting = new JsonArray();
            runResult.waiters().forEach(one -> waiting.add(one.node().toString()));
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
        var doubts = new JsonArray();
        for (var suspicionChange : runResult.suspicionChanges()) {
            var one = new JsonObject();
            one.addProperty("node", suspicionChange.node().toString());
            one.addProperty("peer", suspicionChange.peer().toString());
            one.addProperty("suspected", suspicionChange.suspected());
            one.addProperty("at", DurationOptions.microsToMillis(suspicionChange.micros()));
            doubts.add(one);
        }
        return doubts;
    }

    private static JsonArray elected(RunResult runResult) {
        var all = new JsonArray();
        for (var leaderAnnouncement : runResult.announcements()) {
            var one = new JsonObject();
            one.addProperty("node", leaderAnnouncement.node().toString());
            one.addProperty("leader", leaderAnnouncement.leader().toString());
            one.addProperty("term", leaderAnnouncement.term());
            one.addProperty("at", DurationOptions.microsToMillis(leaderAnnouncement.micros()));
            all.add(one);
        }
        return all;
    }
}
