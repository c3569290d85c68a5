package habemus.lab.quorum;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

/** The safety and availability of quorums as JSON. The names of the fields are stable. */
public final class QuorumJson {

    private static final int MAX_ROWS = 1_000;

    private QuorumJson() {}

    public static JsonObject of(QuorumReport report) {
        var safety = report.safety();
        var json = new JsonObject();
        json.addProperty("n", safety.coordinators());
        json.addProperty("p", safety.restartProbability());
        json.addProperty("down", report.downProbability());
        report.target().ifPresent(most -> json.addProperty("target", most));
        addQuorum(json, report, safety.quorum());
        json.addProperty("oneCrashBlocks", report.blocksOnOneCrash());
        report.estimate().ifPresent(estimated -> json.add("simulated", of(estimated)));
        var rows = new JsonArray();
        report.quorums().stream().limit(MAX_ROWS).forEach(quorum -> {
            var row = new JsonObject();
            addQuorum(row, report, quorum);
            rows.add(row);
        });
        json.add("byQuorum", rows);
        return json;
    }

    private static void addQuorum(JsonObject json, QuorumReport report, int quorum) {
        json.addProperty("m", quorum);
        addPowerOfTen(json, "violation", "log10Violation", report.safety(quorum).log10Probability());
        addPowerOfTen(
                json, "blocked", "log10Blocked", report.availability(quorum).log10Blocked());
        json.addProperty("toleratedCrashes", report.availability(quorum).toleratedCrashes());
    }

    /** JSON has no infinity: a probability of zero has no logarithm. */
    private static void addPowerOfTen(JsonObject json, String name, String logarithmName, double log10) {
        json.addProperty(name, Math.pow(10, log10));
        if (Double.isFinite(log10)) {
            json.addProperty(logarithmName, log10);
        }
    }

    private static JsonObject of(AmnesiaSimulation.Estimate estimated) {
        var simulated = new JsonObject();
        simulated.addProperty("violation", estimated.probability());
        simulated.addProperty("low", estimated.low());
        simulated.addProperty("high", estimated.high());
        simulated.addProperty("confidence", AmnesiaSimulation.CONFIDENCE);
        simulated.addProperty("runs", estimated.runs());
        simulated.addProperty("violated", estimated.violatedRuns());
        return simulated;
    }
}
