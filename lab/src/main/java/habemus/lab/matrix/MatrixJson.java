package habemus.lab.matrix;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import habemus.check.Schedule;
import habemus.small.SmallWorlds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * The matrix as one JSON document: what was found of each property in each cell, a line each, and what it was worked
 * out from.
 *
 * <pre>
 * {"rows": [{"algorithm", "variant", "network", "timing", "fault", "property", "verdict", "nodes", "entries",
 *            "steps", "loop", "moves", "replay"}],
 *  "cells": [{"algorithm", "variant", "network", "timing", "fault", "states", "nodes", "entries", "key"}]}
 * </pre>
 *
 * <p>Steps, moves and replay are there where a run shows it, loop where that run has no end; in a cell, nodes and
 * entries are those of the largest world that was looked at wholly, if there is one.
 */
public final class MatrixJson {

    private MatrixJson() {}

    public static String write(List<Row> rows, Replays replays) {
        var found = new ArrayList<String>();
        var cells = new ArrayList<String>();
        for (Row row : rows) {
            row.findings().forEach(finding -> found.add(json(row.cell(), finding, replays)));
            cells.add(json(row));
        }
        return "{\"rows\": [\n" + String.join(",\n", found) + "\n],\n\"cells\": [\n" + String.join(",\n", cells)
                + "\n]}\n";
    }

    private static String json(Cell cell, Finding finding, Replays replays) {
        var json = json(cell);
        json.addProperty("property", finding.property());
        json.addProperty("verdict", finding.outcome().toString());
        add(json, finding.size());
        if (finding.outcome().isShown()) {
            var moves = finding.run().schedule().toString();
            json.addProperty("steps", finding.run().steps());
            finding.run().loop().ifPresent(loop -> json.addProperty("loop", loop));
            json.addProperty("moves", moves);
            json.addProperty("replay", moves.isEmpty() ? "" : replays.line(cell, finding.size(), moves));
        }
        return json.toString();
    }

    private static String json(Row row) {
        var json = json(row.cell());
        json.addProperty("states", row.states());
        row.whole().ifPresent(size -> add(json, size));
        json.addProperty("key", row.key());
        return json.toString();
    }

    private static JsonObject json(Cell cell) {
        var json = new JsonObject();
        json.addProperty("algorithm", cell.algorithm().name());
        json.addProperty("variant", cell.variant().option());
        json.addProperty("network", cell.network().toString());
        json.addProperty("timing", cell.timingText());
        json.addProperty("fault", cell.mishap().toString());
        return json;
    }

    private static void add(JsonObject json, SmallWorlds.Size size) {
        json.addProperty("nodes", size.nodes());
        json.addProperty("entries", size.entries());
    }

    /**
     * Cells that there are no more are left out.
     *
     * @throws IllegalArgumentException if this is no such document
     */
    public static List<Row> read(String text, List<Cell> cells) {
        try {
            var json = JsonParser.parseString(text).getAsJsonObject();
            var found = new HashMap<String, List<Finding>>();
            for (JsonElement row : json.getAsJsonArray("rows")) {
                var one = row.getAsJsonObject();
                found.computeIfAbsent(place(one), key -> new ArrayList<>()).add(finding(one));
            }
            var byPlace = cells.stream().collect(Collectors.toMap(cell -> place(json(cell)), cell -> cell));
            var rows = new ArrayList<Row>();
            for (JsonElement cell : json.getAsJsonArray("cells")) {
                row(cell.getAsJsonObject(), byPlace, found).ifPresent(rows::add);
            }
            return List.copyOf(rows);
        } catch (JsonParseException
                | IllegalStateException
                | NullPointerException
                | ClassCastException
                | UnsupportedOperationException unreadable) {
            throw new IllegalArgumentException("this is no matrix", unreadable);
        }
    }

    private static Optional<Row> row(JsonObject json, Map<String, Cell> cells, Map<String, List<Finding>> found) {
        var place = place(json);
        return Optional.ofNullable(cells.get(place))
                .map(cell -> new Row(
                        cell,
                        json.get("key").getAsString(),
                        json.get("states").getAsLong(),
                        json.has("nodes") ? Optional.of(size(json)) : Optional.empty(),
                        found.getOrDefault(place, List.of())));
    }

    private static String place(JsonObject json) {
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

    private static Finding finding(JsonObject json) {
        var outcome = Outcome.find(text(json, "verdict"));
        return new Finding(
                text(json, "property"), outcome, size(json), outcome.isShown() ? run(json) : Finding.Run.NONE);
    }

    private static Finding.Run run(JsonObject json) {
        var moves = text(json, "moves");
        return new Finding.Run(
                json.get("steps").getAsInt(),
                moves.isEmpty() ? Schedule.EMPTY : Schedule.parse(moves),
                json.has("loop") ? OptionalInt.of(json.get("loop").getAsInt()) : OptionalInt.empty());
    }

    private static SmallWorlds.Size size(JsonObject json) {
        return new SmallWorlds.Size(
                json.get("nodes").getAsInt(), json.get("entries").getAsInt());
    }
}
