package habemus.lab.matrix;

import habemus.lab.table.TextTable;
import habemus.world.Property;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The survival tables on the page of an algorithm: one for its defaults and one for each of its options, between
 * markers.
 *
 * <pre>
 * &lt;!-- survives with --lease 100 --&gt;
 * …
 * &lt;!-- end --&gt;
 * </pre>
 */
public final class SurvivalSection {

    private SurvivalSection() {}

    /**
     * Returns the page with current tables.
     *
     * @param rows the rows of the page's algorithm
     * @throws IllegalArgumentException if the page lacks the markers of a table
     */
    public static String update(String page, List<MatrixRow> rows) {
        var text = page;
        var variants = rows.stream()
                .collect(Collectors.groupingBy(
                        row -> row.cell().variant().option(), LinkedHashMap::new, Collectors.toList()));
        for (var variant : variants.entrySet()) {
            var mark = "<!-- " + (variant.getKey().isEmpty() ? "survives" : "survives with " + variant.getKey())
                    + " -->\n";
            var section = Pattern.compile("(?s)" + Pattern.quote(mark) + ".*?<!-- end -->")
                    .matcher(text);
            if (!section.find()) {
                throw new IllegalArgumentException(
                        "marker must be on the page, with <!-- end --> after it: " + mark.strip());
            }
            text = section.replaceFirst(Matcher.quoteReplacement(mark + table(variant.getValue()) + "<!-- end -->"));
        }
        return text;
    }

    /** Only ordered links, and the row for reordered messages. The page of the matrix has all networks. */
    private static String table(List<MatrixRow> rows) {
        var properties = MatrixText.properties(rows);
        var heading = new ArrayList<String>();
        heading.add("");
        heading.addAll(properties);
        heading.add("checked");
        var table = new TextTable(heading);
        rows.stream()
                .filter(row -> row.cell().network().inOrder() || row.cell().faultScenario() == FaultScenario.REORDER)
                .sorted((a, b) ->
                        Boolean.compare(a.cell().isSynchronous(), b.cell().isSynchronous()))
                .forEach(row -> {
                    var cells = new ArrayList<String>();
                    cells.add(row.cell().faultScenario().description()
                            + (row.cell().isSynchronous() ? ", synchronous" : ""));
                    properties.forEach(property -> cells.add(
                            row.find(property).map(SurvivalSection::describe).orElse(empty(property))));
                    cells.add(row.checkedWorld());
                    table.row(cells);
                });
        return table.markdown();
    }

    /** Empty for a protocol bug that was not found. */
    private static String empty(String property) {
        return Property.find(property).isPresent() ? MatrixText.NOT_APPLICABLE : "";
    }

    private static String describe(CellFinding finding) {
        return finding.verdict().hasCounterexample()
                ? "**" + finding.verdict() + "** " + finding.run().steps()
                : MatrixText.describe(finding);
    }
}
