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
final class MatrixData {

    private static final Pattern STYLE = Pattern.compile("(?s)\\s*<style>(.*?)</style>");
    private static final Pattern SCRIPT = Pattern.compile("(?s)\\s*<script[^>]*>(.*?)</script>");
    private static final Pattern HEADER = Pattern.compile("<\\?xml[^>]*>\\s*");
    private static final Pattern INDENT = Pattern.compile("\\n\\s*");

    private final Replays replays;
    private final Map<String, Integer> pictures = new HashMap<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    private final JsonArray drawn = new JsonArray();
    private String style = "";
    private String script = "";

    private MatrixData(Replays replays) {
        this.replays = replays;
    }

    static String of(List<Row> rows, Replays replays) {
        var data = new MatrixData(replays);
        data.drawAll(rows);
        var cells = new JsonArray();
        failing(rows).forEach(row -> cells.add(data.cell(row)));
        var json = new JsonObject();
        json.addProperty("style", data.style);
        json.addProperty("script", data.script);
        json.add("cells", cells);
        json.add("pictures", data.drawn);
        return json.toString();
    }

    static List<Row> failing(List<Row> rows) {
        return rows.stream().filter(MatrixData::fails).toList();
    }

    /** Whether there is a run to show. */
    static boolean fails(Row row) {
        return row.findings().stream()
                .anyMatch(finding -> finding.run().schedule().size() > 0);
    }

    /** Each run once, and several at once, which is what takes the time; then in order. */
    private void drawAll(List<Row> rows) {
        var runs = new LinkedHashMap<String, Supplier<String>>();
        for (Row row : rows) {
            for (Finding finding : row.findings()) {
                if (finding.run().schedule().size() > 0) {
                    runs.putIfAbsent(
                            name(row.cell(), finding),
                            () -> Retold.of(row.cell(), finding).svg());
                }
            }
        }
        var names = List.copyOf(runs.keySet());
        var svgs = names.parallelStream()
                .map(name -> Objects.requireNonNull(runs.get(name)).get())
                .toList();
        for (int i = 0; i < names.size(); i++) {
            pictures.put(names.get(i), number(svgs.get(i)));
        }
    }

    /** Equal for equal runs, whatever may go wrong besides; but one that has no end tells what it violates. */
    private static String name(Cell cell, Finding finding) {
        return Retold.title(cell, finding) + " " + finding.run().schedule()
                + (finding.run().loop().isPresent() ? finding.property() : "");
    }

    private int number(String svg) {
        style = group(STYLE, svg);
        script = group(SCRIPT, svg);
        var bare = HEADER.matcher(
                        SCRIPT.matcher(STYLE.matcher(svg).replaceAll("")).replaceAll(""))
                .replaceAll("");
        var tight = INDENT.matcher(bare).replaceAll("");
        return numbers.computeIfAbsent(tight, text -> {
            drawn.add(text);
            return drawn.size() - 1;
        });
    }

    /** As it was before it was written into XML. */
    private static String group(Pattern pattern, String svg) {
        Matcher found = pattern.matcher(svg);
        return found.find()
                ? found.group(1)
                        .replace("&lt;", "<")
                        .replace("&gt;", ">")
                        .replace("&quot;", "\"")
                        .replace("&amp;", "&")
                : "";
    }

    private JsonObject cell(Row row) {
        var cell = row.cell();
        var json = new JsonObject();
        json.addProperty(
                "title",
                MatrixText.name(cell) + ": " + cell.mishap().words() + " (" + cell.network() + ", " + cell.timingText()
                        + ")");
        var shown = row.findings().stream()
                .filter(finding -> finding.run().schedule().size() > 0)
                .toList();
        json.addProperty(
                "worst",
                row.worst().filter(shown::contains).orElse(shown.getFirst()).property());
        var properties = new JsonArray();
        row.findings().forEach(finding -> properties.add(property(cell, finding)));
        json.add("properties", properties);
        return json;
    }

    private JsonObject property(Cell cell, Finding finding) {
        var json = new JsonObject();
        json.addProperty("name", finding.property());
        json.addProperty("look", MatrixHtml.look(finding.outcome()));
        json.addProperty(
                "words", finding.outcome().sign() + " " + finding.property() + " " + MatrixText.words(finding));
        boolean shown = finding.run().schedule().size() > 0;
        if (shown) {
            json.addProperty("sentence", sentence(finding));
            json.addProperty("picture", pictures.get(name(cell, finding)));
        }
        json.addProperty(
                "replay",
                shown
                        ? replays.line(
                                cell, finding.size(), finding.run().schedule().toString())
                        : "");
        return json;
    }

    private static String sentence(Finding finding) {
        var said = new ArrayList<String>();
        said.add(Property.find(finding.property()).map(Property::sentence).orElse("that should have been impossible"));
        said.add("is violated after " + finding.run().steps() + " steps, with " + finding.size());
        finding.run()
                .loop()
                .ifPresent(loop -> said.add("what comes after step " + loop + " happens again and again, for ever"));
        return "“" + said.getFirst() + "” " + String.join("; ", said.subList(1, said.size())) + ".";
    }
}
