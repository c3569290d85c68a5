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

    String text() {
        var text = new StringBuilder();
        for (int nodes : sizes) {
            text.append(nodes).append(" nodes, every message takes one unit of time\n\n");
            text.append(measured(nodes).text()).append('\n');
            text.append(theory(nodes).text()).append('\n');
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
                .flatMap(comparisonRow -> comparisonRow.costComparisons().stream())
                .filter(costComparison -> !costComparison.agrees())
                .count();
        return wrong == 0 ? "Theory is right everywhere.\n" : "Theory is wrong in " + wrong + " places, marked ✗.\n";
    }

    private TextTable measured(int nodes) {
        boolean mutex = problem == Problem.MUTEX;
        var textTable = mutex
                ? new TextTable("algorithm", "alone", "busy", "client delay", "handover", "largest", "busiest")
                : new TextTable("algorithm", "one starts", "all start", "time", "rounds", "largest", "busiest");
        for (ComparisonRow comparisonRow : of(nodes)) {
            var busiest = String.format(Locale.ROOT, "%.0f %%", 100 * comparisonRow.busiestNodeShare());
            var name = comparisonRow.algorithm().name()
                    + ComparisonNotes.mark(comparisonRow.algorithm().name(), problem);
            var alone = comparisonRow.soloMessages().isEmpty() ? "∞" : number(comparisonRow.soloMessages());
            var busy =
                    comparisonRow.contendedMessages().map(SampleMean::toString).orElse("stuck");
            if (mutex) {
                textTable.row(
                        name,
                        alone,
                        busy,
                        TextTable.formatNumber(comparisonRow.clientDelay()),
                        number(comparisonRow.handoverDelay()),
                        comparisonRow.largestMessage(),
                        busiest);
            } else {
                textTable.row(
                        name,
                        alone,
                        busy,
                        TextTable.formatNumber(comparisonRow.clientDelay()),
                        comparisonRow.rounds().orElseThrow(),
                        comparisonRow.largestMessage(),
                        busiest);
            }
        }
        return textTable;
    }

    private TextTable theory(int nodes) {
        var textTable = new TextTable("algorithm", "theory", "", "expected", "measured", "");
        for (ComparisonRow comparisonRow : of(nodes)) {
            for (var costComparison : comparisonRow.costComparisons()) {
                textTable.row(
                        comparisonRow.algorithm().name(),
                        costComparison.costFormula().measure().label(),
                        costComparison.costFormula().formula(),
                        TextTable.formatNumber(costComparison.expected()),
                        costComparison.measured(),
                        (costComparison.agrees() ? "✓ " : "✗ ") + costComparison.remark());
            }
        }
        return textTable;
    }

    private List<ComparisonRow> of(int nodes) {
        return comparisonRows.stream()
                .filter(comparisonRow -> comparisonRow.nodes() == nodes)
                .toList();
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
                    .filter(comparisonRow -> comparisonRow.algorithm().equals(algorithm)
                            && comparisonRow
                                            .contendedMessages()
                                            .map(SampleMean::value)
                                            .orElse(0.0)
                                    > 0)
                    .map(comparisonRow -> new Chart.Point(
                            Math.log10(comparisonRow.nodes()),
                            Math.log10(comparisonRow
                                    .contendedMessages()
                                    .orElseThrow()
                                    .value())))
                    .toList();
            if (!measured.isEmpty()) {
                var theory = curve(algorithm);
                var name = algorithm.name()
                        + theory.map(costFormula -> ": " + costFormula.formula())
                                .orElse("");
                chart.curve(name, theory.map(this::points).orElse(List.of()), measured);
            }
        }
        return chart.draw();
    }

    private static Optional<CostFormula> curve(Algorithm algorithm) {
        return algorithm.costs().stream()
                .filter(costFormula -> DRAWN_MEASURES.contains(costFormula.measure()))
                .findFirst();
    }

    private List<Chart.Point> points(CostFormula costFormula) {
        int least = sizes.stream().mapToInt(i -> i).min().orElseThrow();
        int most = sizes.stream().mapToInt(i -> i).max().orElseThrow();
        return IntStream.rangeClosed(least, most)
                .filter(n -> costFormula.function().applyAsDouble(n) > 0)
                .mapToObj(n -> new Chart.Point(
                        Math.log10(n), Math.log10(costFormula.function().applyAsDouble(n))))
                .toList();
    }
}
