package habemus.lab.timeout;

import com.google.gson.JsonObject;

/** The best timeout as JSON. The names of the fields are stable. */
public final class TimeoutJson {

    private TimeoutJson() {}

    public static JsonObject of(TimeoutReport report) {
        var timeoutCost = report.timeoutCost();
        var best = report.best();
        var json = new JsonObject();
        json.addProperty("waiting", timeoutCost.costPerMilli());
        json.addProperty("mistake", timeoutCost.costPerMistake());
        json.addProperty("timeout", best.millis());
        json.addProperty("late", best.lateProbability());
        json.addProperty("cost", best.cost());
        if (timeoutCost.delayDistribution() instanceof DelayDistribution.Empirical samples) {
            json.addProperty("samples", samples.size());
            json.addProperty("lateAtMost", samples.tailProbabilityAtMost(best.millis()));
            json.addProperty("beyondData", best.lateProbability() == 0);
        }
        report.simulated().ifPresent(trials -> {
            var simulated = new JsonObject();
            simulated.addProperty("runs", trials.runs());
            simulated.addProperty("mistakes", trials.violatedRuns());
            simulated.addProperty("late", trials.violationRate());
            simulated.addProperty("low", trials.low());
            simulated.addProperty("high", trials.high());
            simulated.addProperty("confidence", LeaseSimulation.CONFIDENCE);
            simulated.addProperty("recovery", trials.recoveryMillis());
            json.add("simulated", simulated);
        });
        return json;
    }
}
