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

    private final ReplayCommandWriter replayCommandWriter;
    private final Map<String, Integer> pictureIndexByRun = new HashMap<>();
    private final Map<String, Integer> pictureIndexBySvg = new HashMap<>();
    private final JsonArray pictures = new JsonArray();
    private String style = "";
    private String script = "";

    private MatrixPageData(ReplayCommandWriter replayCommandWriter) {
        this.replayCommandWriter = replayCommandWriter;
    }

    static String of(List<MatrixRow> matrixRows, ReplayCommandWriter replayCommandWriter) {
        var data = new MatrixPageData(replayCommandWriter);
        data.drawAll(matrixRows);
        var cells = new JsonArray();
        rowsWithRuns(matrixRows).forEach(matrixRow -> cells.add(data.cellJson(matrixRow)));
        var json = new JsonObject();
        json.addProperty("style", data.style);
        json.addProperty("script", data.script);
        json.add("cells", cells);
        json.add("pictures", data.pictures);
        return json.toString();
    }

    static List<MatrixRow> rowsWithRuns(List<MatrixRow> matrixRows) {
        return matrixRows.stream().filter(MatrixPageData::hasRun).toList();
    }

    /** Whether the row has a counterexample. */
    static boolean hasRun(MatrixRow matrixRow) {
        return matrixRow.findings().stream()
                .anyMatch(cellFinding -> cellFinding.run().schedule().size() > 0);
    }

    /** Draws each distinct run once, in parallel because drawing is slow, and stores the diagrams in order. */
    private void drawAll(List<MatrixRow> matrixRows) {
        var runs = new LinkedHashMap<String, Supplier<String>>();
        for (MatrixRow matrixRow : matrixRows) {
            for (CellFinding cellFinding : matrixRow.findings()) {
                if (cellFinding.run().schedule().size() > 0) {
                    runs.putIfAbsent(
                            runKey(matrixRow.cell(), cellFinding),
                            () -> ReplayedFinding.of(matrixRow.cell(), cellFinding)
                                    .svg());
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
    private static String runKey(MatrixCell matrixCell, CellFinding cellFinding) {
        return ReplayedFinding.title(matrixCell, cellFinding) + " "
                + cellFinding.run().schedule() + (cellFinding.run().loop().isPresent() ? cellFinding.property() : "");
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

    private JsonObject cellJson(MatrixRow matrixRow) {
        var matrixCell = matrixRow.cell();
        var json = new JsonObject();
        json.addProperty(
                "title",
                MatrixText.name(matrixCell) + ": " + matrixCell.faultScenario().description() + " ("
                        + matrixCell.network() + ", " + matrixCell.timingName() + ")");
        var shown = matrixRow.findings().stream()
                .filter(cellFinding -> cellFinding.run().schedule().size() > 0)
                .toList();
        json.addProperty(
                "worst",
                matrixRow
                        .worst()
                        .filter(shown::contains)
                        .orElse(shown.getFirst())
                        .property());
        var properties = new JsonArray();
        matrixRow.findings().forEach(cellFinding -> properties.add(propertyJson(matrixCell, cellFinding)));
        json.add("properties", properties);
        return json;
    }

    private JsonObject propertyJson(MatrixCell matrixCell, CellFinding cellFinding) {
        var json = new JsonObject();
        json.addProperty("name", cellFinding.property());
        json.addProperty("cssClass", MatrixHtml.cssClass(cellFinding.verdict()));
        json.addProperty(
                "text",
                cellFinding.verdict().symbol() + " " + cellFinding.property() + " " + MatrixText.describe(cellFinding));
        boolean shown = cellFinding.run().schedule().size() > 0;
        if (shown) {
            json.addProperty("sentence", sentence(cellFinding));
            json.addProperty("picture", pictureIndexByRun.get(runKey(matrixCell, cellFinding)));
        }
        json.addProperty(
                "replay",
                shown
                        ? replayCommandWriter.commandLine(
                                matrixCell,
                                cellFinding.size(),
                                cellFinding.run().schedule().toString())
                        : "");
        return json;
    }

    private static String sentence(CellFinding cellFinding) {
        var parts = new ArrayList<String>();
        parts.add(
                Property.find(cellFinding.property()).map(Property::sentence).orElse("a step that must be impossible"));
        parts.add("is violated after " + cellFinding.run().steps() + " steps, with " + cellFinding.size());
        cellFinding.run().loop().ifPresent(loop -> parts.add("the steps after step " + loop + " repeat forever"));
        return "“" + parts.getFirst() + "” " + String.join("; ", parts.subList(1, parts.size())) + ".";
    }
}
