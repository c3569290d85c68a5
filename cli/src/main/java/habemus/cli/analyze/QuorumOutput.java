package habemus.cli.analyze;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.cli.options.NumberOptions;
import habemus.cli.terminal.TwoColumnText;
import habemus.lab.diagram.svg.Chart;
import habemus.lab.quorum.AmnesiaProbability;
import habemus.lab.quorum.AmnesiaSimulation;
import habemus.lab.quorum.QuorumAvailability;
import habemus.lab.table.TextTable;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The safety of a quorum beside its availability, as text, as JSON and as a chart.
 *
 * @param safety of the quorum that was asked for or found
 * @param downProbability the probability that a coordinator is down
 * @param formulas how the probabilities were computed
 * @param target the largest probability of two holders that was asked for
 */
record QuorumOutput(
        AmnesiaProbability safety,
        double downProbability,
        List<String> formulas,
        Optional<Double> target,
        Optional<AmnesiaSimulation.Estimate> estimate) {

    private static final int MAX_ROWS = 40;
    private static final int MAX_JSON_ROWS = 1_000;
    private static final int BAR_WIDTH = 30;

    String text(int columns) {
        var text = new TwoColumnText(columns, 2, 13);
        text.line(safety.quorum() + " of " + safety.coordinators() + " coordinators");
        text.line("");
        target.ifPresent(most -> text.row("smallest m", safety.quorum() + ", for at most " + format(most)));
        text.row(
                "two holders",
                NumberOptions.formatPowerOfTen(safety.log10Probability()) + ", if " + safety.overlap() + " of these "
                        + safety.quorum() + " forget their grant; each restarts with probability "
                        + format(safety.restartProbability()) + " while the lock is held");
        var availability = availability(safety.quorum());
        text.row(
                "blocked",
                NumberOptions.formatPowerOfTen(availability.log10Blocked()) + ", if more than "
                        + availability.toleratedCrashes() + " of " + safety.coordinators()
                        + " are down; each is down with probability " + format(downProbability));
        formulas.forEach(formula -> text.row("formula", formula));
        estimate.ifPresent(estimated -> text.row("simulated", describe(estimated)));
        if (estimate.isEmpty() && safety.coordinators() > AmnesiaSimulation.MAX_COORDINATORS) {
            text.row("simulated", "not with more than " + AmnesiaSimulation.MAX_COORDINATORS + " coordinators");
        }
        if (blocksOnOneCrash()) {
            text.row(
                    "warning",
                    "all " + safety.coordinators() + " coordinators are needed: one crash blocks every node until the"
                            + " coordinator restarts; use more coordinators, or durable grants (--durable) with a"
                            + " majority");
        }
        return text + "\n" + table().text(columns);
    }

    private boolean blocksOnOneCrash() {
        return availability(safety.quorum()).toleratedCrashes() == 0 && safety.coordinators() > 1;
    }

    private static String format(double value) {
        return NumberOptions.format(value);
    }

    private static String describe(AmnesiaSimulation.Estimate estimated) {
        return "%.3g, %d %% confidence: %.3g to %.3g (%,d weighted runs of the algorithm, %,d of them violated)"
                .formatted(
                        estimated.probability(),
                        Math.round(100 * AmnesiaSimulation.CONFIDENCE),
                        estimated.low(),
                        estimated.high(),
                        estimated.runs(),
                        estimated.violatedRuns());
    }

    /** As many quorum sizes as fit a screen. */
    private TextTable table() {
        var table = new TextTable("m", "two holders", "blocked", "crashes tolerated", "");
        var quorums = quorums();
        double least = safety(safety.coordinators()).log10Probability();
        int every = (quorums.size() + MAX_ROWS - 1) / MAX_ROWS;
        for (int quorum : quorums) {
            if ((quorum - quorums.getFirst()) % every == 0 || quorum == safety.quorum()) {
                double log10 = safety(quorum).log10Probability();
                int filled =
                        least == 0 || Double.isInfinite(least) ? 0 : (int) Math.round(BAR_WIDTH * (1 - log10 / least));
                table.row(
                        quorum,
                        NumberOptions.formatPowerOfTen(log10),
                        NumberOptions.formatPowerOfTen(availability(quorum).log10Blocked()),
                        availability(quorum).toleratedCrashes(),
                        "█".repeat(filled) + (quorum == safety.quorum() ? " ◀" : ""));
            }
        }
        return table;
    }

    private AmnesiaProbability safety(int quorum) {
        return new AmnesiaProbability(safety.coordinators(), quorum, safety.restartProbability());
    }

    private QuorumAvailability availability(int quorum) {
        return new QuorumAvailability(safety.coordinators(), quorum, downProbability);
    }

    private List<Integer> quorums() {
        return IntStream.rangeClosed(safety.coordinators() / 2 + 1, safety.coordinators())
                .boxed()
                .toList();
    }

    String chart() {
        var points = quorums().stream()
                .map(quorum -> new Chart.Point(quorum, safety(quorum).log10Probability()))
                .filter(point -> Double.isFinite(point.y()))
                .toList();
        var chart = new Chart(
                        "Two holders: m of " + safety.coordinators() + " coordinators, restarts with probability "
                                + format(safety.restartProbability()),
                        new Chart.Axis("m, the number of grants needed", false),
                        new Chart.Axis("probability of two holders", true))
                .curve("computed", points);
        return Double.isFinite(safety.log10Probability())
                ? chart.mark(
                                new Chart.Point(safety.quorum(), safety.log10Probability()),
                                "m = " + safety.quorum() + ": "
                                        + NumberOptions.formatPowerOfTen(safety.log10Probability()))
                        .draw()
                : chart.draw();
    }

    JsonObject json() {
        var json = new JsonObject();
        json.addProperty("n", safety.coordinators());
        json.addProperty("p", safety.restartProbability());
        json.addProperty("down", downProbability);
        target.ifPresent(most -> json.addProperty("target", most));
        addQuorum(json, safety.quorum());
        json.addProperty("oneCrashBlocks", blocksOnOneCrash());
        estimate.ifPresent(estimated -> json.add("simulated", json(estimated)));
        var rows = new JsonArray();
        quorums().stream().limit(MAX_JSON_ROWS).forEach(quorum -> {
            var row = new JsonObject();
            addQuorum(row, quorum);
            rows.add(row);
        });
        json.add("byQuorum", rows);
        return json;
    }

    private void addQuorum(JsonObject json, int quorum) {
        json.addProperty("m", quorum);
        addPowerOfTen(json, "violation", "log10Violation", safety(quorum).log10Probability());
        addPowerOfTen(json, "blocked", "log10Blocked", availability(quorum).log10Blocked());
        json.addProperty("toleratedCrashes", availability(quorum).toleratedCrashes());
    }

    /** JSON has no infinity: a probability of zero has no logarithm. */
    private static void addPowerOfTen(JsonObject json, String name, String logarithmName, double log10) {
        json.addProperty(name, Math.pow(10, log10));
        if (Double.isFinite(log10)) {
            json.addProperty(logarithmName, log10);
        }
    }

    private static JsonObject json(AmnesiaSimulation.Estimate estimated) {
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
