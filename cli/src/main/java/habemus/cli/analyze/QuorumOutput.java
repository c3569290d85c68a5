package habemus.cli.analyze;

import habemus.cli.terminal.TwoColumnText;
import habemus.lab.command.NumberOptions;
import habemus.lab.diagram.svg.Chart;
import habemus.lab.quorum.AmnesiaSimulation;
import habemus.lab.quorum.QuorumReport;
import habemus.lab.table.TextTable;
import java.util.List;

/**
 * The safety of a quorum beside its availability, as text and as a chart.
 *
 * @param formulas how the probabilities were computed
 */
record QuorumOutput(QuorumReport report, List<String> formulas) {

    private static final int MAX_ROWS = 40;
    private static final int BAR_WIDTH = 30;

    String text(int columns) {
        var safety = report.safety();
        var text = new TwoColumnText(columns, 2, 13);
        text.line(safety.quorum() + " of " + safety.coordinators() + " coordinators");
        text.line("");
        report.target().ifPresent(most -> text.row("smallest m", safety.quorum() + ", for at most " + format(most)));
        text.row(
                "two holders",
                NumberOptions.formatPowerOfTen(safety.log10Probability()) + ", if " + safety.overlap() + " of these "
                        + safety.quorum() + " forget their grant; each restarts with probability "
                        + format(safety.restartProbability()) + " while the lock is held");
        var availability = report.availability(safety.quorum());
        text.row(
                "blocked",
                NumberOptions.formatPowerOfTen(availability.log10Blocked()) + ", if more than "
                        + availability.toleratedCrashes() + " of " + safety.coordinators()
                        + " are down; each is down with probability " + format(report.downProbability()));
        formulas.forEach(formula -> text.row("formula", formula));
        report.estimate().ifPresent(estimated -> text.row("simulated", describe(estimated)));
        if (report.estimate().isEmpty() && !report.canBeSimulated()) {
            text.row("simulated", "not with more than " + AmnesiaSimulation.MAX_COORDINATORS + " coordinators");
        }
        if (report.blocksOnOneCrash()) {
            text.row(
                    "warning",
                    "all " + safety.coordinators() + " coordinators are needed: one crash blocks every node until the"
                            + " coordinator restarts; use more coordinators, or durable grants (--durable) with a"
                            + " majority");
        }
        return text + "\n" + table().text(columns);
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
        var safety = report.safety();
        var table = new TextTable("m", "two holders", "blocked", "crashes tolerated", "");
        var quorums = report.quorums();
        double least = report.safety(safety.coordinators()).log10Probability();
        int every = (quorums.size() + MAX_ROWS - 1) / MAX_ROWS;
        for (int quorum : quorums) {
            if ((quorum - quorums.getFirst()) % every == 0 || quorum == safety.quorum()) {
                double log10 = report.safety(quorum).log10Probability();
                int filled =
                        least == 0 || Double.isInfinite(least) ? 0 : (int) Math.round(BAR_WIDTH * (1 - log10 / least));
                table.row(
                        quorum,
                        NumberOptions.formatPowerOfTen(log10),
                        NumberOptions.formatPowerOfTen(
                                report.availability(quorum).log10Blocked()),
                        report.availability(quorum).toleratedCrashes(),
                        "█".repeat(filled) + (quorum == safety.quorum() ? " ◀" : ""));
            }
        }
        return table;
    }

    String chart() {
        var safety = report.safety();
        var points = report.quorums().stream()
                .map(quorum -> new Chart.Point(quorum, report.safety(quorum).log10Probability()))
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
}
