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
 * What the page shows when a cell is clicked on. Equal pictures are kept once, and the style and the script of all of
 * them once.
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

    /** Whether there is a run to show. */
    static boolean hasRun(MatrixRow matrixRow) {
        return matrixRow.cellFindings().stream()
                .anyMatch(cellFinding -> cellFinding.run().schedule().size() > 0);
    }

    /** Each run once, and several at once, which is what takes the time; then in order. */
    private void drawAll(List<MatrixRow> matrixRows) {
        var runs = new LinkedHashMap<String, Supplier<String>>();
        for (MatrixRow matrixRow : matrixRows) {
            for (CellFinding cellFinding : matrixRow.cellFindings()) {
                if (cellFinding.run().schedule().size() > 0) {
                    runs.putIfAbsent(
                            runKey(matrixRow.matrixCell(), cellFinding),
                            () -> ReplayedFinding.of(matrixRow.matrixCell(), cellFinding)
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

    /** Equal for equal runs, whatever may go wrong besides; but one that has no end tells what it violates. */
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

    /** As it was before it was written into XML. */
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
        var matrixCell = matrixRow.matrixCell();
        var json = new JsonObject();
        json.addProperty(
                "title",
                MatrixText.name(matrixCell) + ": " + matrixCell.faultScenario().description() + " ("
                        + matrixCell.networkModel() + ", " + matrixCell.timingName() + ")");
        var shown = matrixRow.cellFindings().stream()
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
        matrixRow.cellFindings().forEach(cellFinding -> properties.add(propertyJson(matrixCell, cellFinding)));
        json.add("properties", properties);
        return json;
    }

    private JsonObject propertyJson(MatrixCell matrixCell, CellFinding cellFinding) {
        var json = new JsonObject();
        json.addProperty("name", cellFinding.property());
        json.addProperty("look", MatrixHtml.cssClass(cellFinding.cellVerdict()));
        json.addProperty(
                "words",
                cellFinding.cellVerdict().symbol() + " " + cellFinding.property() + " "
                        + MatrixText.describe(cellFinding));
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
        var said = new ArrayList<String>();
        said.add(Property.find(cellFinding.property())
                .map(Property::sentence)
                .orElse("that should have been impossible"));
        said.add("is violated after " + cellFinding.run().steps() + " steps, with " + cellFinding.size());
        cellFinding
                .run()
                .loop()
                .ifPresent(loop -> said.add("what comes after step " + loop + " happens again and again, for ever"));
        return "“" + said.getFirst() + "” " + String.join("; ", said.subList(1, said.size())) + ".";
    }
}
