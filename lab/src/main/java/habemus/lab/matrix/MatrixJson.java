package habemus.lab.matrix;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import habemus.check.BypassGrowth;
import habemus.check.model.Schedule;
import habemus.smallscope.SmallScopes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * The matrix as one JSON document. It has a line for each property of each cell, and one for each cell with the
 * fingerprint of its sources.
 *
 * <pre>
 * {"rows": [{"algorithm", "variant", "network", "timing", "fault", "property", "verdict", "nodes", "entries",
 *            "steps", "loop", "moves", "replay", "bypasses"}],
 *  "cells": [{"algorithm", "variant", "network", "timing", "fault", "states", "nodes", "entries", "key"}]}
 * </pre>
 *
 * <p>Rows with a counterexample have steps, moves and replay, and loop if the run is infinite. A row with the verdict
 * {@code measured} has the largest bypasses, by the number of entries. Nodes and entries of a cell describe the largest
 * scope that was checked completely; they are missing if there is none. Callers are missing if all nodes make requests.
 * Where no timer fires although the timing allows it, {@code timed} is false.
 */
public final class MatrixJson {

    private MatrixJson() {}

    public static String write(List<MatrixRow> rows, ReplayCommandWriter commands) {
        var found = new ArrayList<String>();
        var cells = new ArrayList<String>();
        for (MatrixRow matrixRow : rows) {
            matrixRow.findings().forEach(finding -> found.add(json(matrixRow.cell(), finding, commands)));
            cells.add(json(matrixRow));
        }
        return "{\"rows\": [\n" + String.join(",\n", found) + "\n],\n\"cells\": [\n" + String.join(",\n", cells)
                + "\n]}\n";
    }

    private static String json(MatrixCell matrixCell, CellFinding finding, ReplayCommandWriter commands) {
        var json = json(matrixCell);
        json.addProperty("property", finding.property());
        json.addProperty("verdict", finding.verdict().toString());
        add(json, finding.size());
        if (finding.verdict().hasCounterexample()) {
            var moves = finding.run().schedule().toString();
            json.addProperty("steps", finding.run().steps());
            finding.run().loop().ifPresent(loop -> json.addProperty("loop", loop));
            json.addProperty("moves", moves);
            json.addProperty("replay", moves.isEmpty() ? "" : commands.commandLine(matrixCell, finding, moves));
        }
        finding.bypassGrowth().ifPresent(growth -> {
            var bypasses = new JsonArray();
            growth.bypasses().forEach(bypasses::add);
            json.add("bypasses", bypasses);
        });
        return json.toString();
    }

    private static String json(MatrixRow matrixRow) {
        var json = json(matrixRow.cell());
        json.addProperty("states", matrixRow.states());
        matrixRow.largestComplete().ifPresent(size -> add(json, size));
        json.addProperty("key", matrixRow.fingerprint());
        return json.toString();
    }

    private static JsonObject json(MatrixCell matrixCell) {
        var json = new JsonObject();
        json.addProperty("algorithm", matrixCell.algorithm().name());
        json.addProperty("variant", matrixCell.variant().option());
        json.addProperty("network", matrixCell.network().toString());
        json.addProperty("timing", matrixCell.timingName());
        json.addProperty("fault", matrixCell.faultScenario().toString());
        return json;
    }

    private static void add(JsonObject json, SmallScopes.Size size) {
        json.addProperty("nodes", size.nodes());
        json.addProperty("entries", size.entries());
        if (size.callers() < size.nodes()) {
            json.addProperty("callers", size.callers());
        }
        if (!size.timed()) {
            json.addProperty("timed", false);
        }
    }

    /**
     * Reads the results of these cells; others in the document are ignored.
     *
     * @throws IllegalArgumentException if the text is not such a document
     */
    public static List<MatrixRow> read(String text, List<MatrixCell> matrixCells) {
        try {
            var json = JsonParser.parseString(text).getAsJsonObject();
            var found = new HashMap<String, List<CellFinding>>();
            for (JsonElement row : json.getAsJsonArray("rows")) {
                var object = row.getAsJsonObject();
                found.computeIfAbsent(cellKey(object), key -> new ArrayList<>()).add(finding(object));
            }
            var cellByKey = matrixCells.stream()
                    .collect(Collectors.toMap(matrixCell -> cellKey(json(matrixCell)), matrixCell -> matrixCell));
            var rows = new ArrayList<MatrixRow>();
            for (JsonElement cell : json.getAsJsonArray("cells")) {
                row(cell.getAsJsonObject(), cellByKey, found).ifPresent(rows::add);
            }
            return List.copyOf(rows);
        } catch (JsonParseException
                | IllegalStateException
                | NullPointerException
                | ClassCastException
                | UnsupportedOperationException unreadable) {
            throw new IllegalArgumentException("not a matrix document", unreadable);
        }
    }

    private static Optional<MatrixRow> row(
            JsonObject json, Map<String, MatrixCell> matrixCells, Map<String, List<CellFinding>> found) {
        var key = cellKey(json);
        return Optional.ofNullable(matrixCells.get(key))
                .map(matrixCell -> new MatrixRow(
                        matrixCell,
                        json.get("key").getAsString(),
                        json.get("states").getAsLong(),
                        json.has("nodes") ? Optional.of(size(json)) : Optional.empty(),
                        found.getOrDefault(key, List.of())));
    }

    private static String cellKey(JsonObject json) {
        return String.join(
                " ",
                text(json, "algorithm"),
                text(json, "variant"),
                text(json, "network"),
                text(json, "timing"),
                text(json, "fault"));
    }

    private static String text(JsonObject json, String name) {
        return json.get(name).getAsString();
    }

    private static CellFinding finding(JsonObject json) {
        var verdict = CellVerdict.parse(text(json, "verdict"));
        return new CellFinding(
                text(json, "property"),
                verdict,
                size(json),
                verdict.hasCounterexample() ? run(json) : CellFinding.Run.NONE,
                verdict == CellVerdict.MEASURED ? Optional.of(bypassGrowth(json)) : Optional.empty());
    }

    private static BypassGrowth bypassGrowth(JsonObject json) {
        return new BypassGrowth(json.getAsJsonArray("bypasses").asList().stream()
                .map(JsonElement::getAsInt)
                .toList());
    }

    private static CellFinding.Run run(JsonObject json) {
        var moves = text(json, "moves");
        return new CellFinding.Run(
                json.get("steps").getAsInt(),
                moves.isEmpty() ? Schedule.EMPTY : Schedule.parse(moves),
                json.has("loop") ? OptionalInt.of(json.get("loop").getAsInt()) : OptionalInt.empty());
    }

    private static SmallScopes.Size size(JsonObject json) {
        int nodes = json.get("nodes").getAsInt();
        return new SmallScopes.Size(
                nodes,
                json.get("entries").getAsInt(),
                json.has("callers") ? json.get("callers").getAsInt() : nodes,
                !json.has("timed"));
    }
}
