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

/** The matrix as one page that needs nothing else: tables, and behind each cell that fails the runs that show it. */
public final class MatrixHtml {

    private static final Pattern DATA = Pattern.compile("(id=\"data\">)([^<]*)(</script>)");

    private final List<Row> rows;
    private final IdentityHashMap<Row, Integer> numbers = new IdentityHashMap<>();

    private MatrixHtml(List<Row> rows) {
        this.rows = rows;
        MatrixData.failing(rows).forEach(row -> numbers.put(row, numbers.size()));
    }

    public static String write(List<Row> rows, Replays replays) {
        var page = new MatrixHtml(rows);
        return template()
                .replace("@LEGEND@", legend())
                .replace("@FAULTS@", faults())
                .replace("@TABLES@", page.tables())
                .replace("@DATA@", packed(MatrixData.of(rows, replays)));
    }

    private static String template() {
        try (var file = Objects.requireNonNull(MatrixHtml.class.getResourceAsStream("matrix.html"))) {
            return new String(file.readAllBytes(), UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String legend() {
        return Arrays.stream(Outcome.values())
                        .map(outcome -> mark(outcome) + " " + outcome)
                        .collect(Collectors.joining(" "))
                + " " + none() + " is not asked, or does not apply";
    }

    private static String faults() {
        return MatrixText.COLUMNS.stream()
                .map(mishap -> "<option value=\"" + mishap + "\">" + mishap.words() + "</option>")
                .collect(Collectors.joining());
    }

    private String tables() {
        return Arrays.stream(Problem.values()).map(this::table).collect(Collectors.joining("\n"));
    }

    private String table(Problem problem) {
        var mine = rows.stream()
                .filter(row -> row.cell().algorithm().problem() == problem)
                .toList();
        if (mine.isEmpty()) {
            return "";
        }
        var html = new StringBuilder();
        html.append("<section><h2>").append(problem).append("</h2>\n<p>In each cell, from left to right: ");
        html.append(Property.of(problem).stream().map(Property::toString).collect(Collectors.joining(", ")));
        html.append("; then, if there was one, a step that should have been impossible.</p>\n");
        html.append("<table><thead><tr><th scope=\"col\">algorithm</th>");
        MatrixText.COLUMNS.forEach(mishap -> html.append("<th scope=\"col\" data-fault=\"")
                .append(mishap)
                .append("\" title=\"")
                .append(mishap.words())
                .append("\">")
                .append(mishap)
                .append("</th>"));
        html.append("</tr></thead>\n<tbody>\n");
        MatrixText.lines(mine).values().forEach(line -> html.append(line(line)).append('\n'));
        return html.append("</tbody></table></section>").toString();
    }

    private String line(List<Row> line) {
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
                .append(cell.timingText());
        html.append("\"><th scope=\"row\">");
        html.append(
                first ? "<a href=\"algorithms/" + cell.algorithm().name() + ".md\">" + label + "</a>" : label.strip());
        html.append("</th>");
        for (Mishap mishap : MatrixText.COLUMNS) {
            html.append("<td data-fault=\"").append(mishap).append("\">");
            html.append(MatrixText.at(line, mishap).map(this::marks).orElseGet(MatrixHtml::none))
                    .append("</td>");
        }
        return html.append("</tr>").toString();
    }

    private String marks(Row row) {
        var marks = MatrixText.properties(List.of(row)).stream()
                .map(property -> row.find(property)
                        .map(finding -> mark(finding.outcome()))
                        .orElseGet(MatrixHtml::none))
                .collect(Collectors.joining());
        if (!MatrixData.fails(row)) {
            return "<span class=\"marks\" role=\"img\" aria-label=\"" + words(row) + "\">" + marks + "</span>";
        }
        return "<button type=\"button\" class=\"marks\" data-cell=\""
                + MatrixData.failing(rows).indexOf(row) + "\" aria-label=\"" + words(row) + "\" title=\"" + words(row)
                + "\">" + marks + "</button>";
    }

    private static String words(Row row) {
        return row.findings().stream()
                .map(finding -> finding.property() + " " + MatrixText.words(finding))
                .collect(Collectors.joining(", "));
    }

    private static String mark(Outcome outcome) {
        return "<i class=\"" + look(outcome) + "\">" + outcome.sign() + "</i>";
    }

    private static String none() {
        return "<i class=\"n\">" + MatrixText.NONE + "</i>";
    }

    /** The class of it in the style sheet. */
    static String look(Outcome outcome) {
        return outcome == Outcome.INCOMPLETE
                ? "q"
                : outcome.toString().substring(0, 1).toLowerCase(Locale.ROOT);
    }

    private static String packed(String text) {
        var bytes = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(bytes)) {
            gzip.write(text.getBytes(UTF_8));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return Base64.getMimeEncoder(120, new byte[] {'\n'}).encodeToString(bytes.toByteArray());
    }

    /** The page with its data unpacked: equal pages may be packed differently by different machines. */
    public static String unpacked(String page) {
        return DATA.matcher(page).replaceFirst(MatrixHtml::unpacked);
    }

    private static String unpacked(MatchResult data) {
        var bytes = Base64.getMimeDecoder().decode(data.group(2));
        try (var gzip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return Matcher.quoteReplacement(data.group(1) + new String(gzip.readAllBytes(), UTF_8) + data.group(3));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
