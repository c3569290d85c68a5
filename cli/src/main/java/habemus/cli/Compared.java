package habemus.cli;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Cost;
import habemus.lab.compare.Comparison;
import habemus.lab.compare.Mean;
import habemus.lab.compare.Notes;
import habemus.lab.compare.Row;
import habemus.lab.picture.Chart;
import habemus.lab.table.Table;
import habemus.world.Problem;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;

/** A comparison as tables and as a picture. */
record Compared(Problem problem, List<Integer> sizes, List<Row> rows) {

    private static final Set<Cost.Measure> DRAWN = Set.of(
            Cost.Measure.MESSAGES_PER_ENTRY,
            Cost.Measure.MESSAGES_PER_ENTRY_WORST,
            Cost.Measure.MESSAGES_PER_ENTRY_BUSY,
            Cost.Measure.MESSAGES_ALL_CANDIDATES_MEAN,
            Cost.Measure.MESSAGES_ALL_CANDIDATES_WORST,
            Cost.Measure.MESSAGES_ALL_CANDIDATES_BOUND,
            Cost.Measure.MESSAGES_LOWEST_STARTS,
            Cost.Measure.MESSAGES_ON_COMPLETE_GRAPH,
            Cost.Measure.MESSAGES_UNTIL_ALL_KNOW);

    String text() {
        var text = new StringBuilder();
        for (int nodes : sizes) {
            text.append(nodes).append(" nodes, every message takes one unit of time\n\n");
            text.append(measured(nodes).text()).append('\n');
            text.append(theory(nodes).text()).append('\n');
        }
        Notes.of(problem).forEach(note -> text.append(note).append('\n'));
        return text.append('\n').append(remarks()).toString();
    }

    String markdown() {
        var text = new StringBuilder("\n");
        for (int nodes : sizes) {
            text.append("### ").append(nodes).append(" nodes\n\n");
            text.append(measured(nodes).markdown()).append('\n');
            text.append(theory(nodes).markdown()).append('\n');
        }
        Notes.of(problem).forEach(note -> text.append("- ").append(note).append('\n'));
        return text.append('\n').append(remarks()).toString();
    }

    private String remarks() {
        long wrong = rows.stream()
                .flatMap(row -> row.figures().stream())
                .filter(figure -> !figure.agrees())
                .count();
        return wrong == 0 ? "Theory is right everywhere.\n" : "Theory is wrong in " + wrong + " places, marked ✗.\n";
    }

    private Table measured(int nodes) {
        boolean mutex = problem == Problem.MUTEX;
        var table = mutex
                ? new Table("algorithm", "alone", "busy", "client delay", "handover", "largest", "busiest")
                : new Table("algorithm", "one starts", "all start", "time", "rounds", "largest", "busiest");
        for (Row row : of(nodes)) {
            var busiest = String.format(Locale.ROOT, "%.0f %%", 100 * row.busiest());
            var name = row.algorithm().name() + Notes.mark(row.algorithm().name(), problem);
            var alone = row.alone().isEmpty() ? "∞" : number(row.alone());
            var busy = row.busy().map(Mean::toString).orElse("stuck");
            if (mutex) {
                table.row(
                        name,
                        alone,
                        busy,
                        Table.number(row.clientDelay()),
                        number(row.handoverDelay()),
                        row.largest(),
                        busiest);
            } else {
                table.row(
                        name,
                        alone,
                        busy,
                        Table.number(row.clientDelay()),
                        row.rounds().orElseThrow(),
                        row.largest(),
                        busiest);
            }
        }
        return table;
    }

    private Table theory(int nodes) {
        var table = new Table("algorithm", "theory", "", "expected", "measured", "");
        for (Row row : of(nodes)) {
            for (var figure : row.figures()) {
                table.row(
                        row.algorithm().name(),
                        figure.cost().measure().words(),
                        figure.cost().formula(),
                        Table.number(figure.expected()),
                        figure.measured(),
                        (figure.agrees() ? "✓ " : "✗ ") + figure.remark());
            }
        }
        return table;
    }

    private List<Row> of(int nodes) {
        return rows.stream().filter(row -> row.nodes() == nodes).toList();
    }

    private static String number(OptionalDouble value) {
        return value.isEmpty() ? "–" : Table.number(value.getAsDouble());
    }

    /** Both axes by powers of ten, so that a power of n is a straight line. */
    String chart() {
        var chart = new Chart(
                problem == Problem.MUTEX
                        ? "Messages an entry, when everybody wants in"
                        : "Messages of an election that all start",
                new Chart.Axis("nodes", true),
                new Chart.Axis("messages", true));
        for (Algorithm algorithm : Comparison.algorithms(problem)) {
            var seen = rows.stream()
                    .filter(row -> row.algorithm().equals(algorithm)
                            && row.busy().map(Mean::value).orElse(0.0) > 0)
                    .map(row -> new Chart.Point(
                            Math.log10(row.nodes()),
                            Math.log10(row.busy().orElseThrow().value())))
                    .toList();
            if (!seen.isEmpty()) {
                var theory = curve(algorithm);
                var name = algorithm.name()
                        + theory.map(cost -> ": " + cost.formula()).orElse("");
                chart.curve(name, theory.map(this::points).orElse(List.of()), seen);
            }
        }
        return chart.draw();
    }

    private static Optional<Cost> curve(Algorithm algorithm) {
        return algorithm.costs().stream()
                .filter(cost -> DRAWN.contains(cost.measure()))
                .findFirst();
    }

    private List<Chart.Point> points(Cost cost) {
        int least = sizes.stream().mapToInt(i -> i).min().orElseThrow();
        int most = sizes.stream().mapToInt(i -> i).max().orElseThrow();
        return IntStream.rangeClosed(least, most)
                .filter(n -> cost.of().applyAsDouble(n) > 0)
                .mapToObj(
                        n -> new Chart.Point(Math.log10(n), Math.log10(cost.of().applyAsDouble(n))))
                .toList();
    }
}
