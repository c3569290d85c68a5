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
        MatrixPageData.rowsWithRuns(matrixRows).forEach(row -> indexByRow.put(row, indexByRow.size()));
    }

    public static String write(List<MatrixRow> matrixRows, ReplayCommandWriter commands) {
        var page = new MatrixHtml(matrixRows);
        return template()
                .replace("@LEGEND@", legend())
                .replace("@FAULTS@", faults())
                .replace("@TABLES@", page.tables())
                .replace("@DATA@", pack(MatrixPageData.of(matrixRows, commands)));
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
                        .map(verdict -> mark(verdict) + " " + verdict)
                        .collect(Collectors.joining(" "))
                + " " + noMark() + " not checked, or does not apply";
    }

    private static String faults() {
        return MatrixText.COLUMNS.stream()
                .map(scenario -> "<option value=\"" + scenario + "\">" + scenario.description() + "</option>")
                .collect(Collectors.joining());
    }

    private String tables() {
        return MatrixRow.PROBLEMS.stream().map(this::table).collect(Collectors.joining("\n"));
    }

    private String table(Problem problem) {
        var rows = matrixRows.stream()
                .filter(row -> row.cell().algorithm().problem() == problem)
                .toList();
        if (rows.isEmpty()) {
            return "";
        }
        var html = new StringBuilder();
        html.append("<section><h2>").append(problem).append("</h2>\n<p>In each cell, from left to right: ");
        html.append(Property.of(problem).stream().map(Property::toString).collect(Collectors.joining(", ")));
        html.append("; then protocol-bug, if one was found.</p>\n");
        html.append("<table><thead><tr><th scope=\"col\">algorithm</th>");
        MatrixText.COLUMNS.forEach(scenario -> html.append("<th scope=\"col\" data-fault=\"")
                .append(scenario)
                .append("\" title=\"")
                .append(scenario.description())
                .append("\">")
                .append(scenario)
                .append("</th>"));
        html.append("</tr></thead>\n<tbody>\n");
        MatrixText.groupByLine(rows)
                .values()
                .forEach(line -> html.append(line(line)).append('\n'));
        return html.append("</tbody></table></section>").toString();
    }

    private String line(List<MatrixRow> line) {
        var cell = line.getFirst().cell();
        var label = MatrixText.label(cell);
        boolean first = !label.startsWith(" ");
        var html = new StringBuilder();
        html.append(first ? "<tr class=\"first\"" : "<tr")
                .append(" data-name=\"")
                .append(MatrixText.name(cell));
        html.append("\" data-network=\"")
                .append(cell.network())
                .append("\" data-timing=\"")
                .append(cell.timingName());
        html.append("\"><th scope=\"row\">");
        html.append(
                first ? "<a href=\"algorithms/" + cell.algorithm().name() + ".md\">" + label + "</a>" : label.strip());
        html.append("</th>");
        for (FaultScenario scenario : MatrixText.COLUMNS) {
            html.append("<td data-fault=\"").append(scenario).append("\">");
            html.append(MatrixText.findRow(line, scenario).map(this::marks).orElseGet(MatrixHtml::noMark))
                    .append("</td>");
        }
        return html.append("</tr>").toString();
    }

    private String marks(MatrixRow row) {
        var marks = MatrixText.properties(List.of(row)).stream()
                .map(property -> row.find(property)
                        .map(finding -> mark(finding.verdict()))
                        .orElseGet(MatrixHtml::noMark))
                .collect(Collectors.joining());
        if (!MatrixPageData.hasRun(row)) {
            return "<span class=\"marks\" role=\"img\" aria-label=\"" + describe(row) + "\">" + marks + "</span>";
        }
        return "<button type=\"button\" class=\"marks\" data-cell=\""
                + indexByRow.get(row) + "\" aria-label=\"" + describe(row)
                + "\" title=\"" + describe(row)
                + "\">" + marks + "</button>";
    }

    private static String describe(MatrixRow row) {
        return row.findings().stream()
                .map(finding -> finding.property() + " " + MatrixText.describe(finding))
                .collect(Collectors.joining(", "));
    }

    private static String mark(CellVerdict verdict) {
        return "<i class=\"" + cssClass(verdict) + "\">" + verdict.symbol() + "</i>";
    }

    private static String noMark() {
        return "<i class=\"n\">" + MatrixText.NOT_APPLICABLE + "</i>";
    }

    /** The class in the style sheet. */
    static String cssClass(CellVerdict verdict) {
        return verdict == CellVerdict.INCOMPLETE
                ? "q"
                : verdict.toString().substring(0, 1).toLowerCase(Locale.ROOT);
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
