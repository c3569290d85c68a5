package habemus.web;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import habemus.lab.compare.ComparisonJson;
import habemus.lab.compare.ComparisonParameters;
import habemus.lab.quorum.QuorumJson;
import habemus.lab.quorum.QuorumParameters;
import habemus.lab.quorum.QuorumReport;
import habemus.lab.timeout.DelayParser;
import habemus.lab.timeout.TimeoutCost;
import habemus.lab.timeout.TimeoutJson;
import habemus.lab.timeout.TimeoutReport;
import java.util.ArrayList;
import java.util.Optional;

/** What {@code habemus compare}, {@code quorum} and {@code timeout} compute, with {@code --json}. */
final class AnalysisDocuments {

    private static final long SEED = 1;

    private final JsonObject request;

    private AnalysisDocuments(String request) {
        this.request = JsonParser.parseString(request).getAsJsonObject();
    }

    /** @param request {@code {"problem": "mutex", "n": [5, 9]}} */
    static JsonObject compare(String request) {
        return new AnalysisDocuments(request).compare();
    }

    /** @param request {@code {"n": 5, "m": 3, "p": 0.01, "down": 0.01, "runs": 10000}}; without runs: no simulation */
    static JsonObject quorum(String request) {
        return new AnalysisDocuments(request).quorum();
    }

    /** @param request {@code {"latency": "exp:3", "waiting": 1, "mistake": 100, "runs": 10000}} */
    static JsonObject timeout(String request) {
        return new AnalysisDocuments(request).timeout();
    }

    private JsonObject compare() {
        var sizes = new ArrayList<String>();
        request.getAsJsonArray("n").forEach(size -> sizes.add(size.getAsString()));
        var parameters = ComparisonParameters.parse(request.get("problem").getAsString(), String.join(",", sizes));
        return ComparisonJson.of(parameters.problem(), parameters.measure(measurement -> {}));
    }

    private JsonObject quorum() {
        var report = QuorumReport.of(new QuorumParameters(
                request.get("n").getAsInt(),
                Optional.of(request.get("m").getAsInt()),
                request.get("p").getAsDouble(),
                request.get("down").getAsDouble(),
                Optional.empty()));
        return QuorumJson.of(isSimulated() ? report.simulate(runs(), SEED, done -> {}) : report);
    }

    private JsonObject timeout() {
        var report = TimeoutReport.of(new TimeoutCost(
                DelayParser.parseLatency(request.get("latency").getAsString()),
                request.get("waiting").getAsDouble(),
                request.get("mistake").getAsDouble()));
        var simulated = isSimulated() ? report.simulate(runs(), SEED, done -> {}) : report;
        var json = TimeoutJson.of(simulated);
        json.add("curve", curve(report));
        json.add("percentiles", percentiles(report));
        return json;
    }

    private boolean isSimulated() {
        return request.has("runs") && runs() > 0;
    }

    private int runs() {
        return request.get("runs").getAsInt();
    }

    private static JsonArray curve(TimeoutReport report) {
        var curve = new JsonArray();
        report.curve().forEach(evaluation -> {
            var json = new JsonObject();
            json.addProperty("timeout", evaluation.millis());
            json.addProperty("late", evaluation.lateProbability());
            json.addProperty("waitingCost", evaluation.waitingCost());
            json.addProperty("mistakeCost", evaluation.mistakeCost());
            curve.add(json);
        });
        return curve;
    }

    private static JsonArray percentiles(TimeoutReport report) {
        var percentiles = new JsonArray();
        report.percentiles().forEach(percentile -> {
            var json = new JsonObject();
            json.addProperty("fraction", percentile.fraction());
            json.addProperty("millis", percentile.evaluation().millis());
            json.addProperty("cost", percentile.evaluation().cost());
            percentiles.add(json);
        });
        return percentiles;
    }
}
