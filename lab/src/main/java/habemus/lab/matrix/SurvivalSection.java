package habemus.lab.matrix;

import habemus.lab.table.TextTable;
import habemus.smallscope.SmallScopes;
import habemus.world.Property;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What the page of an algorithm says of what it survives: a part for it as it stands, and one for each of its
 * options, between marks.
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
     * The page with these parts as they are now.
     *
     * @param matrixRows of the algorithm of the page
     * @throws IllegalArgumentException if the page has no place for one of them
     */
    public static String update(String page, List<MatrixRow> matrixRows) {
        var text = page;
        var variants = matrixRows.stream()
                .collect(Collectors.groupingBy(
                        matrixRow -> matrixRow.matrixCell().variant().option(),
                        LinkedHashMap::new,
                        Collectors.toList()));
        for (var variant : variants.entrySet()) {
            var mark = "<!-- " + (variant.getKey().isEmpty() ? "survives" : "survives with " + variant.getKey())
                    + " -->\n";
            var place = Pattern.compile("(?s)" + Pattern.quote(mark) + ".*?<!-- end -->")
                    .matcher(text);
            if (!place.find()) {
                throw new IllegalArgumentException("there is no " + mark.strip() + " with an <!-- end -->");
            }
            text = place.replaceFirst(Matcher.quoteReplacement(mark + table(variant.getValue()) + "<!-- end -->"));
        }
        return text;
    }

    /** The other network is on the page of the matrix, but for the line that says what it does by itself. */
    private static String table(List<MatrixRow> matrixRows) {
        var properties = MatrixText.properties(matrixRows);
        var heading = new ArrayList<String>();
        heading.add("");
        heading.addAll(properties);
        heading.add("looked at");
        var textTable = new TextTable(heading);
        matrixRows.stream()
                .filter(matrixRow -> matrixRow.matrixCell().networkModel().inOrder()
                        || matrixRow.matrixCell().faultScenario() == FaultScenario.REORDER)
                .sorted((a, b) -> Boolean.compare(
                        a.matrixCell().isSynchronous(), b.matrixCell().isSynchronous()))
                .forEach(matrixRow -> {
                    var cells = new ArrayList<String>();
                    cells.add(matrixRow.matrixCell().faultScenario().description()
                            + (matrixRow.matrixCell().isSynchronous() ? ", alarms after all messages" : ""));
                    properties.forEach(property -> cells.add(matrixRow
                            .find(property)
                            .map(SurvivalSection::describe)
                            .orElse(empty(property))));
                    cells.add(matrixRow
                            .largestComplete()
                            .map(SmallScopes.Size::toString)
                            .orElse("in part"));
                    textTable.row(cells);
                });
        return textTable.markdown();
    }

    /** A bug that was not found is nothing to speak of. */
    private static String empty(String property) {
        return Property.find(property).isPresent() ? MatrixText.NOT_APPLICABLE : "";
    }

    private static String describe(CellFinding cellFinding) {
        return cellFinding.cellVerdict().hasCounterexample()
                ? "**" + cellFinding.cellVerdict() + "** " + cellFinding.run().steps()
                : cellFinding.cellVerdict().toString();
    }
}
