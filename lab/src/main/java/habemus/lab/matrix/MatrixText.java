package habemus.lab.matrix;

import habemus.catalogue.Algorithm;
import habemus.check.Report;
import habemus.lab.table.Table;
import habemus.small.SmallWorlds;
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
    static final List<Mishap> COLUMNS = Arrays.stream(Mishap.values())
            .filter(mishap -> mishap != Mishap.REORDER)
            .toList();

    static final String NONE = "–";

    /** A column is not to be wider than what is said in it. */
    private static final Map<String, String> SHORT = Map.of(
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
            Property.TOLD_BEFORE_REGRANTED.toString(),
            "told",
            Property.ONE_LEADER_PER_TERM.toString(),
            "one-a-term",
            Property.EVENTUAL_ACCURACY.toString(),
            "eventually",
            Report.PROTOCOL_BUG,
            "bug");

    private MatrixText() {}

    /** The cells of a line: of one variant, on one network, under one timing. */
    static SequencedMap<String, List<Row>> lines(List<Row> rows) {
        return rows.stream().collect(Collectors.groupingBy(MatrixText::line, LinkedHashMap::new, Collectors.toList()));
    }

    private static String line(Row row) {
        var cell = row.cell();
        return name(cell) + "\n" + cell.timing() + " " + cell.network();
    }

    /** The algorithm, with its option if it has one. */
    static String name(Cell cell) {
        return (cell.algorithm().name() + " " + cell.variant().option()).strip();
    }

    /** Of the first line of a variant its name, of the others what is different. */
    static String label(Cell cell) {
        var more = new ArrayList<String>();
        if (cell.isSynchronous()) {
            more.add("synchronous");
        }
        if (!cell.network().inOrder()) {
            more.add("bag");
        }
        return more.isEmpty() ? name(cell) : "  " + String.join(", ", more);
    }

    static Optional<Row> at(List<Row> line, Mishap mishap) {
        return line.stream()
                .filter(row -> row.cell().mishap() == mishap
                        || mishap == Mishap.NOTHING && row.cell().mishap() == Mishap.REORDER)
                .findFirst();
    }

    /** One table of all these, if they are about one problem. */
    public static String summary(Problem problem, List<Row> rows) {
        var heading = Stream.concat(
                Stream.of(problem.toString().toUpperCase(Locale.ROOT)),
                COLUMNS.stream().map(Mishap::heading));
        var table = new Table(heading.toList());
        lines(rows).values().forEach(line -> {
            var cells = new ArrayList<String>();
            cells.add(label(line.getFirst().cell()));
            COLUMNS.forEach(
                    mishap -> cells.add(at(line, mishap).map(MatrixText::sign).orElse(NONE)));
            table.row(cells);
        });
        return table.text();
    }

    /** The worst of what is promised at all, and after how many steps. */
    static String sign(Row row) {
        return row.worst().map(MatrixText::sign).orElse(NONE);
    }

    private static String sign(Finding finding) {
        var sign = finding.outcome().sign();
        return finding.outcome().isShown() ? sign + " " + finding.run().steps() : sign;
    }

    /** What the signs and the headings mean. */
    public static String legend() {
        var outcomes = Arrays.stream(Outcome.values())
                .map(outcome -> outcome.sign() + " " + outcome)
                .collect(Collectors.joining("   "));
        var table = new Table("", "");
        COLUMNS.forEach(mishap -> table.row(mishap.heading(), mishap.words()));
        return outcomes + "   " + NONE + " does not apply; a number: the steps of the shortest run that shows it\n"
                + table.text().replaceFirst("^\\R", "");
    }

    /** Everything about one algorithm as it stands, or with one of its options. */
    public static String detail(Algorithm algorithm, SmallWorlds.Variant variant, List<Row> rows) {
        var mine = rows.stream()
                .filter(row -> row.cell().algorithm().equals(algorithm)
                        && row.cell().variant().option().equals(variant.option()))
                .toList();
        var properties = properties(mine);
        var table = new Table(Stream.concat(
                        Stream.of("fault", "network"),
                        Stream.concat(properties.stream().map(MatrixText::shortened), Stream.of("looked at")))
                .toList());
        for (Row row : mine) {
            var cells = new ArrayList<String>();
            cells.add(row.cell().mishap().toString());
            cells.add(row.cell().network() + (row.cell().isSynchronous() ? ", sync" : ""));
            properties.forEach(property ->
                    cells.add(row.find(property).map(MatrixText::sign).orElse(NONE)));
            cells.add(row.whole().map(SmallWorlds.Size::toString).orElse("in part"));
            table.row(cells);
        }
        return table.text();
    }

    /** Those of the problem, and whatever else was found. */
    static SequencedSet<String> properties(List<Row> rows) {
        var names = new LinkedHashSet<String>();
        rows.stream()
                .flatMap(row -> Property.of(row.cell().algorithm().problem()).stream())
                .map(Property::toString)
                .forEach(names::add);
        rows.forEach(row -> row.findings().forEach(finding -> names.add(finding.property())));
        return names;
    }

    private static String shortened(String property) {
        return SHORT.getOrDefault(property, property);
    }

    static String words(Finding finding) {
        return finding.outcome().isShown()
                ? finding.outcome() + " " + finding.run().steps()
                : finding.outcome().toString();
    }
}
