package habemus.lab.matrix;

import habemus.lab.table.Table;
import habemus.small.SmallWorlds;
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
public final class SurvivalPart {

    private SurvivalPart() {}

    /**
     * The page with these parts as they are now.
     *
     * @param rows of the algorithm of the page
     * @throws IllegalArgumentException if the page has no place for one of them
     */
    public static String renewed(String page, List<Row> rows) {
        var text = page;
        var variants = rows.stream()
                .collect(Collectors.groupingBy(
                        row -> row.cell().variant().option(), LinkedHashMap::new, Collectors.toList()));
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
    private static String table(List<Row> rows) {
        var properties = MatrixText.properties(rows);
        var heading = new ArrayList<String>();
        heading.add("");
        heading.addAll(properties);
        heading.add("looked at");
        var table = new Table(heading);
        rows.stream()
                .filter(row -> row.cell().network().inOrder() || row.cell().mishap() == Mishap.REORDER)
                .sorted((a, b) ->
                        Boolean.compare(a.cell().isSynchronous(), b.cell().isSynchronous()))
                .forEach(row -> {
                    var cells = new ArrayList<String>();
                    cells.add(row.cell().mishap().words()
                            + (row.cell().isSynchronous() ? ", alarms after all messages" : ""));
                    properties.forEach(property -> cells.add(
                            row.find(property).map(SurvivalPart::words).orElse(empty(property))));
                    cells.add(row.whole().map(SmallWorlds.Size::toString).orElse("in part"));
                    table.row(cells);
                });
        return table.markdown();
    }

    /** A bug that was not found is nothing to speak of. */
    private static String empty(String property) {
        return Property.find(property).isPresent() ? MatrixText.NONE : "";
    }

    private static String words(Finding finding) {
        return finding.outcome().isShown()
                ? "**" + finding.outcome() + "** " + finding.run().steps()
                : finding.outcome().toString();
    }
}
