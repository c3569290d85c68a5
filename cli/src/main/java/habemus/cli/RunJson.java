package habemus.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.lab.trace.TraceJson;
import habemus.simulate.Outcome;
import java.util.Locale;
import java.util.TreeMap;

/** A run for programs. The names of the fields are a promise. */
final class RunJson {

    private RunJson() {}

    static JsonObject of(Performance performance, Output output) {
        var json = of(performance.experiment(), performance.outcome());
        json.addProperty("replay", ReplayLine.of(performance.experiment().words()));
        if (output.traceToOut()) {
            var trace = new JsonArray();
            performance.recorder().lines().forEach(line -> trace.add(TraceJson.of(line)));
            json.add("trace", trace);
        }
        return json;
    }

    private static JsonObject of(Experiment experiment, Outcome outcome) {
        var json = new JsonObject();
        json.addProperty("algorithm", experiment.algorithm().name());
        json.addProperty("problem", experiment.algorithm().problem().toString());
        json.addProperty("nodes", experiment.nodes());
        if (!experiment.words().has(WorldOption.MOVES)) {
            json.addProperty("seed", experiment.seed());
        }
        json.addProperty("network", experiment.world().network().toString());
        add(json, outcome);
        return json;
    }

    /** What became of a run, wherever it was made. */
    static void add(JsonObject json, Outcome outcome) {
        json.addProperty("steps", outcome.steps());
        json.addProperty("messages", outcome.messages());
        json.add("messagesByType", counts(outcome));
        json.addProperty("heartbeats", outcome.heartbeats());
        json.add("grants", grants(outcome));
        json.add("elected", elected(outcome));
        json.add("suspicions", doubts(outcome));
        json.addProperty("entries", outcome.entries());
        json.addProperty("maxBypass", outcome.largestBypass());
        json.addProperty("writesAccepted", outcome.resource().accepted());
        json.addProperty("writesRefused", outcome.resource().refused());
        json.addProperty("writesStale", outcome.resource().stale());
        var verdicts = new JsonObject();
        outcome.verdicts().forEach((property, verdict) -> verdicts.addProperty("" + property, "" + verdict));
        json.add("properties", verdicts);
        json.addProperty("end", outcome.end().name().toLowerCase(Locale.ROOT));
        if (outcome.bug() != null) {
            json.addProperty("bug", outcome.bug());
        }
        if (!outcome.waiting().isEmpty()) {
            var waiting = new JsonArray();
            outcome.waiting().forEach(one -> waiting.add(one.node().toString()));
            json.add("waiting", waiting);
        }
    }

    private static JsonObject counts(Outcome outcome) {
        var counts = new JsonObject();
        new TreeMap<>(outcome.messagesByType()).forEach(counts::addProperty);
        return counts;
    }

    private static JsonArray grants(Outcome outcome) {
        var grants = new JsonArray();
        for (var granted : outcome.grants()) {
            var grant = new JsonObject();
            grant.addProperty("node", granted.node().toString());
            grant.addProperty("fence", granted.fence());
            grant.addProperty("at", Times.millis(granted.micros()));
            grants.add(grant);
        }
        return grants;
    }

    private static JsonArray doubts(Outcome outcome) {
        var doubts = new JsonArray();
        for (var doubt : outcome.doubts()) {
            var one = new JsonObject();
            one.addProperty("node", doubt.node().toString());
            one.addProperty("peer", doubt.peer().toString());
            one.addProperty("suspected", doubt.suspected());
            one.addProperty("at", Times.millis(doubt.micros()));
            doubts.add(one);
        }
        return doubts;
    }

    private static JsonArray elected(Outcome outcome) {
        var all = new JsonArray();
        for (var elected : outcome.elected()) {
            var one = new JsonObject();
            one.addProperty("node", elected.node().toString());
            one.addProperty("leader", elected.leader().toString());
            one.addProperty("term", elected.term());
            one.addProperty("at", Times.millis(elected.micros()));
            all.add(one);
        }
        return all;
    }
}
