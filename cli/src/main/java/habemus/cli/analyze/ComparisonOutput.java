package habemus.cli.analyze;

import habemus.catalogue.Algorithm;
import habemus.catalogue.CostFormula;
import habemus.lab.compare.Comparison;
import habemus.lab.compare.ComparisonNotes;
import habemus.lab.compare.ComparisonRow;
import habemus.lab.compare.SampleMean;
import habemus.lab.diagram.svg.Chart;
import habemus.lab.table.TextTable;
import habemus.world.Problem;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;

/** A comparison as text, as Markdown and as a chart. */
record ComparisonOutput(Problem problem, List<Integer> sizes, List<ComparisonRow> comparisonRows) {

    private static final Set<CostFormula.Measure> DRAWN_MEASURES = Set.of(
            CostFormula.Measure.MESSAGES_PER_ENTRY,
            CostFormula.Measure.MESSAGES_PER_ENTRY_WORST,
            CostFormula.Measure.MESSAGES_PER_ENTRY_BUSY,
            CostFormula.Measure.MESSAGES_ALL_CANDIDATES_MEAN,
            CostFormula.Measure.MESSAGES_ALL_CANDIDATES_WORST,
            CostFormula.Measure.MESSAGES_ALL_CANDIDATES_BOUND,
            CostFormula.Measure.MESSAGES_LOWEST_STARTS,
            CostFormula.Measure.MESSAGES_ON_COMPLETE_GRAPH,
            CostFormula.Measure.MESSAGES_UNTIL_ALL_KNOW);

    String text(int columns) {
        var text = new StringBuilder();
        for (int nodes : sizes) {
            text.append(nodes).append(" nodes, every message takes one unit of time\n\n");
            text.append(measured(nodes).text(columns)).append('\n');
            text.append(theory(nodes).text(columns)).append('\n');
        }
        ComparisonNotes.of(problem).forEach(note -> text.append(note).append('\n'));
        return text.append('\n').append(conclusion()).toString();
    }

    String markdown() {
        var text = new StringBuilder("\n");
        for (int nodes : sizes) {
            text.append("### ").append(nodes).append(" nodes\n\n");
            text.append(measured(nodes).markdown()).append('\n');
            text.append(theory(nodes).markdown()).append('\n');
        }
        ComparisonNotes.of(problem)
                .forEach(note -> text.append("- ").append(note).append('\n'));
        return text.append('\n').append(conclusion()).toString();
    }

    private String conclusion() {
        long wrong = comparisonRows.stream()
                .flatMap(row -> row.costComparisons().stream())
                .filter(costComparison -> !costComparison.agrees())
                .count();
        return wrong == 0 ? "Theory is right everywhere.\n" : "Theory is wrong in " + wrong + " places, marked ✗.\n";
    }

    private TextTable measured(int nodes) {
        boolean mutex = problem == Problem.MUTEX;
        var table = mutex
                ? new TextTable("algorithm", "alone", "busy", "client delay", "handover", "largest", "busiest")
                : new TextTable("algorithm", "one starts", "all start", "time", "rounds", "largest", "busiest");
        for (ComparisonRow row : of(nodes)) {
            var busiest = String.format(Locale.ROOT, "%.0f %%", 100 * row.busiestNodeShare());
            var name = row.algorithm().name()
                    + ComparisonNotes.mark(row.algorithm().name(), problem);
            var alone = row.soloMessages().isEmpty() ? "∞" : number(row.soloMessages());
            var busy = row.contendedMessages().map(SampleMean::toString).orElse("stuck");
            if (mutex) {
                table.row(
                        name,
                        alone,
                        busy,
                        TextTable.formatNumber(row.clientDelay()),
                        number(row.handoverDelay()),
                        row.largestMessage(),
                        busiest);
            } else {
                table.row(
                        name,
                        alone,
                        busy,
                        TextTable.formatNumber(row.clientDelay()),
                        row.rounds().orElseThrow(),
                        row.largestMessage(),
                        busiest);
            }
        }
        return table;
    }

    private TextTable theory(int nodes) {
        var table = new TextTable("algorithm", "theory", "", "expected", "measured", "");
        for (ComparisonRow row : of(nodes)) {
            for (var costComparison : row.costComparisons()) {
                table.row(
                        row.algorithm().name(),
                        costComparison.costFormula().label(),
                        costComparison.costFormula().formula(),
                        TextTable.formatNumber(costComparison.expected()),
                        costComparison.measured(),
                        (costComparison.agrees() ? "✓ " : "✗ ") + costComparison.remark());
            }
        }
        return table;
    }

    private List<ComparisonRow> of(int nodes) {
        return comparisonRows.stream().filter(row -> row.nodes() == nodes).toList();
    }

    private static String number(OptionalDouble value) {
        return value.isEmpty() ? "–" : TextTable.formatNumber(value.getAsDouble());
    }

    /** Both axes are logarithmic, so that a power of n is a straight line. */
    String chart() {
        var chart = new Chart(
                problem == Problem.MUTEX
                        ? "Messages an entry under contention"
                        : "Messages of an election started by all nodes",
                new Chart.Axis("nodes", true),
                new Chart.Axis("messages", true));
        for (Algorithm algorithm : Comparison.algorithms(problem)) {
            var measured = comparisonRows.stream()
                    .filter(row -> row.algorithm().equals(algorithm)
                            && row.contendedMessages().map(SampleMean::value).orElse(0.0) > 0)
                    .map(row -> new Chart.Point(
                            Math.log10(row.nodes()),
                            Math.log10(row.contendedMessages().orElseThrow().value())))
                    .toList();
            if (!measured.isEmpty()) {
                var theory = curve(algorithm);
                var name = algorithm.name()
                        + theory.map(cost -> ": " + cost.formula()).orElse("");
                chart.curve(name, theory.map(this::points).orElse(List.of()), measured);
            }
        }
        return chart.draw();
    }

    private static Optional<CostFormula> curve(Algorithm algorithm) {
        return algorithm.costs().stream()
                .filter(cost -> DRAWN_MEASURES.contains(cost.measure()))
                .findFirst();
    }

    private List<Chart.Point> points(CostFormula cost) {
        int least = sizes.stream().mapToInt(i -> i).min().orElseThrow();
        int most = sizes.stream().mapToInt(i -> i).max().orElseThrow();
        return IntStream.rangeClosed(least, most)
                .filter(n -> cost.function().applyAsDouble(n) > 0)
                .mapToObj(n -> new Chart.Point(
                        Math.log10(n), Math.log10(cost.function().applyAsDouble(n))))
                .toList();
    }
}
