package habemus.lab.matrix;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.world.Property;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The data that the HTML page shows for a clicked cell. Equal diagrams, the style and the script are stored once.
 */
final class MatrixPageData {

    private static final Pattern STYLE = Pattern.compile("(?s)\\s*<style>(.*?)</style>");
    private static final Pattern SCRIPT = Pattern.compile("(?s)\\s*<script[^>]*>(.*?)</script>");
    private static final Pattern HEADER = Pattern.compile("<\\?xml[^>]*>\\s*");
    private static final Pattern INDENT = Pattern.compile("\\n\\s*");

    private final ReplayCommandWriter commands;
    private final Map<String, Integer> pictureIndexByRun = new HashMap<>();
    private final Map<String, Integer> pictureIndexBySvg = new HashMap<>();
    private final JsonArray pictures = new JsonArray();
    private String style = "";
    private String script = "";

    private MatrixPageData(ReplayCommandWriter commands) {
        this.commands = commands;
    }

    static String of(List<MatrixRow> rows, ReplayCommandWriter commands) {
        var data = new MatrixPageData(commands);
        data.drawAll(rows);
        var cells = new JsonArray();
        rowsWithRuns(rows).forEach(row -> cells.add(data.cellJson(row)));
        var json = new JsonObject();
        json.addProperty("style", data.style);
        json.addProperty("script", data.script);
        json.add("cells", cells);
        json.add("pictures", data.pictures);
        return json.toString();
    }

    static List<MatrixRow> rowsWithRuns(List<MatrixRow> rows) {
        return rows.stream().filter(MatrixPageData::hasRun).toList();
    }

    /** Whether the row has a counterexample. */
    static boolean hasRun(MatrixRow row) {
        return row.findings().stream()
                .anyMatch(finding -> finding.run().schedule().size() > 0);
    }

    /** Draws each distinct run once, in parallel because drawing is slow, and stores the diagrams in order. */
    private void drawAll(List<MatrixRow> rows) {
        var runs = new LinkedHashMap<String, Supplier<String>>();
        for (MatrixRow row : rows) {
            for (CellFinding finding : row.findings()) {
                if (finding.run().schedule().size() > 0) {
                    runs.putIfAbsent(
                            runKey(row.cell(), finding),
                            () -> ReplayedFinding.of(row.cell(), finding).svg());
                }
            }
        }
        var names = List.copyOf(runs.keySet());
        var svgs = names.parallelStream()
                .map(name -> Objects.requireNonNull(runs.get(name)).get())
                .toList();
        for (int i = 0; i < names.size(); i++) {
            pictureIndexByRun.put(names.get(i), addPicture(svgs.get(i)));
        }
    }

    /** Equal for equal runs, whatever the fault of the cell. The diagram of an infinite run also names its property. */
    private static String runKey(MatrixCell cell, CellFinding finding) {
        return ReplayedFinding.title(cell, finding) + " " + finding.run().schedule()
                + (finding.run().loop().isPresent() ? finding.property() : "");
    }

    private int addPicture(String svg) {
        style = unescapedGroup(STYLE, svg);
        script = unescapedGroup(SCRIPT, svg);
        var bare = HEADER.matcher(
                        SCRIPT.matcher(STYLE.matcher(svg).replaceAll("")).replaceAll(""))
                .replaceAll("");
        var tight = INDENT.matcher(bare).replaceAll("");
        return pictureIndexBySvg.computeIfAbsent(tight, text -> {
            pictures.add(text);
            return pictures.size() - 1;
        });
    }

    /** The matched text without XML escapes. */
    private static String unescapedGroup(Pattern pattern, String svg) {
        Matcher found = pattern.matcher(svg);
        return found.find()
                ? found.group(1)
                        .replace("&lt;", "<")
                        .replace("&gt;", ">")
                        .replace("&quot;", "\"")
                        .replace("&amp;", "&")
                : "";
    }

    private JsonObject cellJson(MatrixRow row) {
        var cell = row.cell();
        var json = new JsonObject();
        json.addProperty(
                "title",
                MatrixText.name(cell) + ": " + cell.faultScenario().description() + " (" + cell.network() + ", "
                        + cell.timingName() + ")");
        var shown = row.findings().stream()
                .filter(finding -> finding.run().schedule().size() > 0)
                .toList();
        json.addProperty(
                "worst",
                row.worst().filter(shown::contains).orElse(shown.getFirst()).property());
        var properties = new JsonArray();
        row.findings().forEach(finding -> properties.add(propertyJson(cell, finding)));
        json.add("properties", properties);
        return json;
    }

    private JsonObject propertyJson(MatrixCell cell, CellFinding finding) {
        var json = new JsonObject();
        json.addProperty("name", finding.property());
        json.addProperty("cssClass", MatrixHtml.cssClass(finding.verdict()));
        json.addProperty(
                "text", finding.verdict().symbol() + " " + finding.property() + " " + MatrixText.describe(finding));
        boolean shown = finding.run().schedule().size() > 0;
        if (shown) {
            json.addProperty("sentence", sentence(finding));
            json.addProperty("picture", pictureIndexByRun.get(runKey(cell, finding)));
        }
        json.addProperty(
                "replay",
                shown
                        ? commands.commandLine(
                                cell, finding, finding.run().schedule().toString())
                        : "");
        return json;
    }

    private static String sentence(CellFinding finding) {
        var parts = new ArrayList<String>();
        parts.add(Property.find(finding.property()).map(Property::sentence).orElse("a step that must be impossible"));
        parts.add("is violated after " + finding.run().steps() + " steps, with " + finding.size());
        finding.run().loop().ifPresent(loop -> parts.add("the steps after step " + loop + " repeat forever"));
        return "“" + parts.getFirst() + "” " + String.join("; ", parts.subList(1, parts.size())) + ".";
    }
}
