package habemus.lab.matrix;

import habemus.catalogue.Algorithm;
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

/** The matrix in tables: all algorithms of a problem with a sign a cell, and one algorithm with all it has. */
public final class MatrixText {

    /** What stands over the columns: what goes wrong, whatever the network. */
    static final List<FaultScenario> COLUMNS = Arrays.stream(FaultScenario.values())
            .filter(faultScenario -> faultScenario != FaultScenario.REORDER)
            .toList();

    static final String NOT_APPLICABLE = "–";

    /** A column is not to be wider than what is said in it. */
    private static final Map<String, String> SHORT_NAMES = Map.of(
            Property.MUTUAL_EXCLUSION.toString(),
            "exclusion",
            Property.DEADLOCK_FREEDOM.toString(),
            "no-deadlock",
            Property.HAPPENED_BEFORE_ORDER.toString(),
            "hb-order",
            Property.BOUNDED_WAITING.toString(),
            "bounded",
            Property.FENCES_GROW.toString(),
            "fences",
            Property.NOTIFIED_BEFORE_REGRANTED.toString(),
            "told",
            Property.ONE_LEADER_PER_TERM.toString(),
            "one-a-term",
            Property.EVENTUAL_ACCURACY.toString(),
            "eventually",
            CheckReport.PROTOCOL_BUG,
            "bug");

    private MatrixText() {}

    /** The cells of a line: of one variant, on one network, under one timing. */
    static SequencedMap<String, List<MatrixRow>> groupByLine(List<MatrixRow> matrixRows) {
        return matrixRows.stream()
                .collect(Collectors.groupingBy(MatrixText::lineKey, LinkedHashMap::new, Collectors.toList()));
    }

    private static String lineKey(MatrixRow matrixRow) {
        var matrixCell = matrixRow.matrixCell();
        return name(matrixCell) + "\n" + matrixCell.timing() + " " + matrixCell.networkModel();
    }

    /** The algorithm, with its option if it has one. */
    static String name(MatrixCell matrixCell) {
        return (matrixCell.algorithm().name() + " " + matrixCell.variant().option()).strip();
    }

    /** Of the first line of a variant its name, of the others what is different. */
    static String label(MatrixCell matrixCell) {
        var more = new ArrayList<String>();
        if (matrixCell.isSynchronous()) {
            more.add("synchronous");
        }
        if (!matrixCell.networkModel().inOrder()) {
            more.add("bag");
        }
        return more.isEmpty() ? name(matrixCell) : "  " + String.join(", ", more);
    }

    static Optional<MatrixRow> findRow(List<MatrixRow> line, FaultScenario faultScenario) {
        return line.stream()
                .filter(matrixRow -> matrixRow.matrixCell().faultScenario() == faultScenario
                        || faultScenario == FaultScenario.NOTHING
                                && matrixRow.matrixCell().faultScenario() == FaultScenario.REORDER)
                .findFirst();
    }

    /** One table of all these, if they are about one problem. */
    public static String summary(Problem problem, List<MatrixRow> matrixRows) {
        var heading = Stream.concat(
                Stream.of(problem.toString().toUpperCase(Locale.ROOT)),
                COLUMNS.stream().map(FaultScenario::heading));
        var textTable = new TextTable(heading.toList());
        groupByLine(matrixRows).values().forEach(line -> {
            var cells = new ArrayList<String>();
            cells.add(label(line.getFirst().matrixCell()));
            COLUMNS.forEach(faultScenario -> cells.add(
                    findRow(line, faultScenario).map(MatrixText::symbol).orElse(NOT_APPLICABLE)));
            textTable.row(cells);
        });
        return textTable.text();
    }

    /** The worst of what is promised at all, and after how many steps. */
    static String symbol(MatrixRow matrixRow) {
        return matrixRow.worst().map(MatrixText::symbol).orElse(NOT_APPLICABLE);
    }

    private static String symbol(CellFinding cellFinding) {
        var sign = cellFinding.cellVerdict().symbol();
        return cellFinding.cellVerdict().hasCounterexample()
                ? sign + " " + cellFinding.run().steps()
                : sign;
    }

    /** What the signs and the headings mean. */
    public static String legend() {
        var outcomes = Arrays.stream(CellVerdict.values())
                .map(cellVerdict -> cellVerdict.symbol() + " " + cellVerdict)
                .collect(Collectors.joining("   "));
        var textTable = new TextTable("", "");
        COLUMNS.forEach(faultScenario -> textTable.row(faultScenario.heading(), faultScenario.description()));
        return outcomes + "   " + NOT_APPLICABLE
                + " does not apply; a number: the steps of the shortest run that shows it\n"
                + textTable.text().replaceFirst("^\\R", "");
    }

    /** Everything about one algorithm as it stands, or with one of its options. */
    public static String detail(Algorithm algorithm, SmallScopes.Variant variant, List<MatrixRow> matrixRows) {
        var mine = matrixRows.stream()
                .filter(matrixRow -> matrixRow.matrixCell().algorithm().equals(algorithm)
                        && matrixRow.matrixCell().variant().option().equals(variant.option()))
                .toList();
        var properties = properties(mine);
        var textTable = new TextTable(Stream.concat(
                        Stream.of("fault", "network"),
                        Stream.concat(properties.stream().map(MatrixText::shortName), Stream.of("looked at")))
                .toList());
        for (MatrixRow matrixRow : mine) {
            var cells = new ArrayList<String>();
            cells.add(matrixRow.matrixCell().faultScenario().toString());
            cells.add(matrixRow.matrixCell().networkModel()
                    + (matrixRow.matrixCell().isSynchronous() ? ", sync" : ""));
            properties.forEach(property ->
                    cells.add(matrixRow.find(property).map(MatrixText::symbol).orElse(NOT_APPLICABLE)));
            cells.add(
                    matrixRow.largestComplete().map(SmallScopes.Size::toString).orElse("in part"));
            textTable.row(cells);
        }
        return textTable.text();
    }

    /** Those of the problem, and whatever else was found. */
    static SequencedSet<String> properties(List<MatrixRow> matrixRows) {
        var names = new LinkedHashSet<String>();
        matrixRows.stream()
                .flatMap(matrixRow ->
                        Property.of(matrixRow.matrixCell().algorithm().problem()).stream())
                .map(Property::toString)
                .forEach(names::add);
        matrixRows.forEach(
                matrixRow -> matrixRow.cellFindings().forEach(cellFinding -> names.add(cellFinding.property())));
        return names;
    }

    private static String shortName(String property) {
        return SHORT_NAMES.getOrDefault(property, property);
    }

    static String describe(CellFinding cellFinding) {
        return cellFinding.cellVerdict().hasCounterexample()
                ? cellFinding.cellVerdict() + " " + cellFinding.run().steps()
                : cellFinding.cellVerdict().toString();
    }
}
