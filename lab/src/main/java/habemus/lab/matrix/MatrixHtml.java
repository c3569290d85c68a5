package habemus.lab.matrix;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.world.Problem;
import habemus.world.Property;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Base64;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** The matrix as one self-contained HTML page: tables, and the counterexamples of each failing cell. */
public final class MatrixHtml {

    private static final Pattern DATA = Pattern.compile("(id=\"data\">)([^<]*)(</script>)");

    private final List<MatrixRow> matrixRows;
    private final IdentityHashMap<MatrixRow, Integer> indexByRow = new IdentityHashMap<>();

    private MatrixHtml(List<MatrixRow> matrixRows) {
        this.matrixRows = matrixRows;
        MatrixPageData.rowsWithRuns(matrixRows).forEach(matrixRow -> indexByRow.put(matrixRow, indexByRow.size()));
    }

    public static String write(List<MatrixRow> matrixRows, ReplayCommandWriter replayCommandWriter) {
        var page = new MatrixHtml(matrixRows);
        return template()
                .replace("@LEGEND@", legend())
                .replace("@FAULTS@", faults())
                .replace("@TABLES@", page.tables())
                .replace("@DATA@", pack(MatrixPageData.of(matrixRows, replayCommandWriter)));
    }

    private static String template() {
        try (var file = Objects.requireNonNull(MatrixHtml.class.getResourceAsStream("matrix.html"))) {
            return new String(file.readAllBytes(), UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String legend() {
        return Arrays.stream(CellVerdict.values())
                        .map(cellVerdict -> mark(cellVerdict) + " " + cellVerdict)
                        .collect(Collectors.joining(" "))
                + " " + noMark() + " not checked, or does not apply";
    }

    private static String faults() {
        return MatrixText.COLUMNS.stream()
                .map(faultScenario ->
                        "<option value=\"" + faultScenario + "\">" + faultScenario.description() + "</option>")
                .collect(Collectors.joining());
    }

    private String tables() {
        return MatrixRow.PROBLEMS.stream().map(this::table).collect(Collectors.joining("\n"));
    }

    private String table(Problem problem) {
        var rows = matrixRows.stream()
                .filter(matrixRow -> matrixRow.cell().algorithm().problem() == problem)
                .toList();
        if (rows.isEmpty()) {
            return "";
        }
        var html = new StringBuilder();
        html.append("<section><h2>").append(problem).append("</h2>\n<p>In each cell, from left to right: ");
        html.append(Property.of(problem).stream().map(Property::toString).collect(Collectors.joining(", ")));
        html.append("; then protocol-bug, if one was found.</p>\n");
        html.append("<table><thead><tr><th scope=\"col\">algorithm</th>");
        MatrixText.COLUMNS.forEach(faultScenario -> html.append("<th scope=\"col\" data-fault=\"")
                .append(faultScenario)
                .append("\" title=\"")
                .append(faultScenario.description())
                .append("\">")
                .append(faultScenario)
                .append("</th>"));
        html.append("</tr></thead>\n<tbody>\n");
        MatrixText.groupByLine(rows)
                .values()
                .forEach(line -> html.append(line(line)).append('\n'));
        return html.append("</tbody></table></section>").toString();
    }

    private String line(List<MatrixRow> line) {
        var matrixCell = line.getFirst().cell();
        var label = MatrixText.label(matrixCell);
        boolean first = !label.startsWith(" ");
        var html = new StringBuilder();
        html.append(first ? "<tr class=\"first\"" : "<tr")
                .append(" data-name=\"")
                .append(MatrixText.name(matrixCell));
        html.append("\" data-network=\"")
                .append(matrixCell.network())
                .append("\" data-timing=\"")
                .append(matrixCell.timingName());
        html.append("\"><th scope=\"row\">");
        html.append(
                first
                        ? "<a href=\"algorithms/" + matrixCell.algorithm().name() + ".md\">" + label + "</a>"
                        : label.strip());
        html.append("</th>");
        for (FaultScenario faultScenario : MatrixText.COLUMNS) {
            html.append("<td data-fault=\"").append(faultScenario).append("\">");
            html.append(MatrixText.findRow(line, faultScenario).map(this::marks).orElseGet(MatrixHtml::noMark))
                    .append("</td>");
        }
        return html.append("</tr>").toString();
    }

    private String marks(MatrixRow matrixRow) {
        var marks = MatrixText.properties(List.of(matrixRow)).stream()
                .map(property -> matrixRow
                        .find(property)
                        .map(cellFinding -> mark(cellFinding.verdict()))
                        .orElseGet(MatrixHtml::noMark))
                .collect(Collectors.joining());
        if (!MatrixPageData.hasRun(matrixRow)) {
            return "<span class=\"marks\" role=\"img\" aria-label=\"" + describe(matrixRow) + "\">" + marks + "</span>";
        }
        return "<button type=\"button\" class=\"marks\" data-cell=\""
                + indexByRow.get(matrixRow) + "\" aria-label=\"" + describe(matrixRow)
                + "\" title=\"" + describe(matrixRow)
                + "\">" + marks + "</button>";
    }

    private static String describe(MatrixRow matrixRow) {
        return matrixRow.findings().stream()
                .map(cellFinding -> cellFinding.property() + " " + MatrixText.describe(cellFinding))
                .collect(Collectors.joining(", "));
    }

    private static String mark(CellVerdict cellVerdict) {
        return "<i class=\"" + cssClass(cellVerdict) + "\">" + cellVerdict.symbol() + "</i>";
    }

    private static String noMark() {
        return "<i class=\"n\">" + MatrixText.NOT_APPLICABLE + "</i>";
    }

    /** The class in the style sheet. */
    static String cssClass(CellVerdict cellVerdict) {
        return cellVerdict == CellVerdict.INCOMPLETE
                ? "q"
                : cellVerdict.toString().substring(0, 1).toLowerCase(Locale.ROOT);
    }

    private static String pack(String text) {
        var bytes = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(bytes)) {
            gzip.write(text.getBytes(UTF_8));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return Base64.getMimeEncoder(120, new byte[] {'\n'}).encodeToString(bytes.toByteArray());
    }

    /** The page with unpacked data. Different machines may compress equal data differently. */
    public static String unpack(String page) {
        return DATA.matcher(page).replaceFirst(MatrixHtml::unpack);
    }

    private static String unpack(MatchResult data) {
        var bytes = Base64.getMimeDecoder().decode(data.group(2));
        try (var gzip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return Matcher.quoteReplacement(data.group(1) + new String(gzip.readAllBytes(), UTF_8) + data.group(3));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
