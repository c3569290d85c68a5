package habemus.lab.matrix;

import habemus.catalogue.Algorithm;
import habemus.check.BypassGrowth;
import habemus.check.model.CheckReport;
import habemus.lab.table.TextTable;
import habemus.smallscope.SmallScopes;
import habemus.world.Problem;
import habemus.world.Property;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The matrix as text tables: a summary with a symbol for each cell, and the details of one algorithm. */
public final class MatrixText {

    /** The faults of the columns. Reordering is a network, not a column. */
    static final List<FaultScenario> COLUMNS = Arrays.stream(FaultScenario.values())
            .filter(scenario -> scenario != FaultScenario.REORDER)
            .toList();

    static final String NOT_APPLICABLE = "–";

    /** Short names of properties for headings. */
    private static final Map<String, String> SHORT_NAMES = Map.of(
            Property.MUTUAL_EXCLUSION.toString(),
            "exclusion",
            Property.DEADLOCK_FREEDOM.toString(),
            "no-deadlock",
            Property.NO_STARVATION.toString(),
            "no-starve",
            Property.HAPPENED_BEFORE_ORDER.toString(),
            "hb-order",
            Property.BOUNDED_WAITING.toString(),
            "bypass",
            Property.FENCES_GROW.toString(),
            "fences",
            Property.NOTIFIED_BEFORE_REGRANTED.toString(),
            "notified",
            Property.ONE_LEADER_PER_TERM.toString(),
            "one-per-term",
            Property.EVENTUAL_ACCURACY.toString(),
            "eventually",
            CheckReport.PROTOCOL_BUG,
            "bug");

    private MatrixText() {}

    /** The rows by line of the table: one variant, network and timing. */
    static SequencedMap<String, List<MatrixRow>> groupByLine(List<MatrixRow> matrixRows) {
        return matrixRows.stream()
                .collect(Collectors.groupingBy(MatrixText::lineKey, LinkedHashMap::new, Collectors.toList()));
    }

    private static String lineKey(MatrixRow row) {
        var cell = row.cell();
        return name(cell) + "\n" + cell.timing() + " " + cell.network();
    }

    /** The algorithm, with its option if it has one. */
    static String name(MatrixCell cell) {
        return (cell.algorithm().name() + " " + cell.variant().option()).strip();
    }

    /** The label of a line: the name for the first line of a variant, else what differs. */
    static String label(MatrixCell cell) {
        var differences = new ArrayList<String>();
        if (cell.isSynchronous()) {
            differences.add("synchronous");
        }
        if (!cell.network().inOrder()) {
            differences.add("bag");
        }
        return differences.isEmpty() ? name(cell) : "  " + String.join(", ", differences);
    }

    static Optional<MatrixRow> findRow(List<MatrixRow> line, FaultScenario scenario) {
        return line.stream()
                .filter(row -> row.cell().faultScenario() == scenario
                        || scenario == FaultScenario.NOTHING && row.cell().faultScenario() == FaultScenario.REORDER)
                .findFirst();
    }

    /** One table of all rows, which must be of one problem. */
    public static TextTable summary(Problem problem, List<MatrixRow> matrixRows) {
        var heading = Stream.concat(
                Stream.of(problem.toString().toUpperCase(Locale.ROOT)),
                COLUMNS.stream().map(FaultScenario::heading));
        var table = new TextTable(heading.toList());
        groupByLine(matrixRows).values().forEach(line -> {
            var cells = new ArrayList<String>();
            cells.add(label(line.getFirst().cell()));
            COLUMNS.forEach(scenario ->
                    cells.add(findRow(line, scenario).map(MatrixText::symbol).orElse(NOT_APPLICABLE)));
            table.row(cells);
        });
        return table;
    }

    /** The worst finding, and the length of its counterexample. */
    static String symbol(MatrixRow row) {
        return row.worst().map(MatrixText::symbol).orElse(NOT_APPLICABLE);
    }

    private static String symbol(CellFinding finding) {
        var sign = finding.verdict().symbol();
        return finding.verdict().hasCounterexample()
                ? sign + " " + finding.run().steps()
                : finding.bypassGrowth()
                        .map(growth -> sign + " " + growth.largest())
                        .orElse(sign);
    }

    /** Explains symbols and headings. */
    public static String legend() {
        var outcomes = Arrays.stream(CellVerdict.values())
                .map(verdict -> verdict.symbol() + " " + verdict)
                .collect(Collectors.joining("   "));
        var table = new TextTable("", "");
        COLUMNS.forEach(scenario -> table.row(scenario.heading(), scenario.description()));
        return outcomes + "   " + NOT_APPLICABLE
                + " does not apply\n"
                + "a number: the steps of a shortest counterexample, or the largest bypass; untimed: no timer fires\n"
                + table.text().replaceFirst("^\\R", "");
    }

    /** All results of one algorithm with its defaults, or with one of its options. */
    public static TextTable detail(Algorithm algorithm, SmallScopes.Variant variant, List<MatrixRow> matrixRows) {
        var rows = matrixRows.stream()
                .filter(row -> row.cell().algorithm().equals(algorithm)
                        && row.cell().variant().option().equals(variant.option()))
                .toList();
        var properties = properties(rows);
        var table = new TextTable(Stream.concat(
                        Stream.of("fault", "network"),
                        Stream.concat(properties.stream().map(MatrixText::shortName), Stream.of("checked")))
                .toList());
        for (MatrixRow row : rows) {
            var cells = new ArrayList<String>();
            cells.add(row.cell().faultScenario().toString());
            cells.add(row.cell().network() + (row.cell().isSynchronous() ? ", sync" : ""));
            properties.forEach(property ->
                    cells.add(row.find(property).map(MatrixText::symbol).orElse(NOT_APPLICABLE)));
            cells.add(row.checkedWorld());
            table.row(cells);
        }
        return table;
    }

    /** The properties of the problem, and further names among the findings. */
    static SequencedSet<String> properties(List<MatrixRow> matrixRows) {
        var names = new LinkedHashSet<String>();
        matrixRows.stream()
                .flatMap(row -> Property.of(row.cell().algorithm().problem()).stream())
                .map(Property::toString)
                .forEach(names::add);
        matrixRows.forEach(row -> row.findings().forEach(finding -> names.add(finding.property())));
        return names;
    }

    private static String shortName(String property) {
        return SHORT_NAMES.getOrDefault(property, property);
    }

    static String describe(CellFinding finding) {
        return finding.verdict().hasCounterexample()
                ? finding.verdict() + " " + finding.run().steps()
                : finding.bypassGrowth()
                        .map(BypassGrowth::toString)
                        .orElse(finding.verdict().toString());
    }
}
