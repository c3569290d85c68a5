package habemus.web;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import habemus.lab.command.CommandException;
import habemus.lab.diagram.svg.TopologyLayout;
import habemus.world.Topology;
import habemus.world.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/**
 * Reads a trace file, one JSON object a line, into the same document as that of a run. It may come from {@code habemus
 * run --trace} or from real nodes. What only the classes of the run know is missing: links, and properties that are not
 * violated.
 */
final class TraceImport {

    private static final String HINT = "choose a file written by habemus run --trace FILE, or by real nodes";

    private final JsonArray trace = new JsonArray();
    private final TreeSet<String> nodes = new TreeSet<>();
    private final Map<Long, JsonObject> messages = new LinkedHashMap<>();
    private final JsonArray properties = new JsonArray();
    private String timeField = "at";

    private TraceImport() {}

    static JsonObject parse(String text) {
        var reader = new TraceImport();
        int number = 0;
        for (String line : text.split("\n", -1)) {
            number++;
            if (!line.isBlank()) {
                reader.read(line, number);
            }
        }
        if (reader.trace.isEmpty()) {
            throw CommandException.usage("the file has no events", HINT);
        }
        return reader.document();
    }

    private void read(String line, int number) {
        try {
            var event = JsonParser.parseString(line).getAsJsonObject();
            timeField = event.has("step") ? "step" : "at";
            if (!event.getAsJsonPrimitive(timeField).isNumber()) {
                throw new IllegalStateException("the time is no number");
            }
            read(event);
        } catch (JsonParseException | IllegalStateException | NullPointerException | ClassCastException unreadable) {
            throw CommandException.usage("line " + number + " is not an event of a trace", HINT);
        }
    }

    private void read(JsonObject event) {
        var text = new JsonArray();
        text.add(describe(event));
        event.add("text", text);
        trace.add(event);
        switch (event.get("what").getAsString()) {
            case "started", "step" -> readStep(event);
            case "message-outcome" -> readOutcome(event);
            case "violated", "not-guaranteed" -> readViolation(event);
            default -> {}
        }
    }

    private static String describe(JsonObject event) {
        var subject = event.has("node") ? event.get("node").getAsString() + " " : "";
        for (String field : List.of("event", "fault", "message", "property")) {
            if (event.has(field)) {
                return subject + describe(event.get(field));
            }
        }
        return subject + event.get("what").getAsString();
    }

    /** {@code Received Request from n2}. */
    private static String describe(JsonElement value) {
        if (!value.isJsonObject()) {
            return value.getAsString();
        }
        var object = value.getAsJsonObject();
        var words = new ArrayList<String>();
        if (object.has("type")) {
            words.add(object.get("type").getAsString());
        }
        if (object.has("message")) {
            words.add(describe(object.get("message")));
        }
        for (String field : List.of("from", "node", "peer", "timer")) {
            if (object.has(field) && object.get(field).isJsonPrimitive()) {
                words.add((field.equals("from") ? "from " : "")
                        + object.get(field).getAsString());
            }
        }
        return String.join(" ", words);
    }

    private void readStep(JsonObject step) {
        nodes.add(step.get("node").getAsString());
        if (step.get("what").getAsString().equals("step")) {
            arrive(step.get("messageNumber").getAsLong(), "delivered");
        }
        step.getAsJsonArray("sent").forEach(sent -> send(sent.getAsJsonObject()));
    }

    private void readViolation(JsonObject event) {
        var json = new JsonObject();
        boolean required = event.get("what").getAsString().equals("violated");
        json.add("name", event.get("property"));
        json.add("sentence", event.get("sentence"));
        json.addProperty("required", required);
        json.addProperty("verdict", Verdict.VIOLATED.toString());
        json.addProperty("answer", Verdict.VIOLATED.answer());
        json.addProperty("brokenAt", last());
        properties.add(json);
    }

    private void send(JsonObject sent) {
        var message = sent.getAsJsonObject("message");
        var json = new JsonObject();
        json.add("number", sent.get("number"));
        json.add("type", message.get("type"));
        json.add("from", sent.get("from"));
        json.add("to", sent.get("to"));
        nodes.add(sent.get("to").getAsString());
        json.add("sentAt", time());
        json.addProperty("sentIndex", last());
        json.addProperty("fate", "in-flight");
        messages.put(sent.get("number").getAsLong(), json);
    }

    private void readOutcome(JsonObject event) {
        var fate = event.get("fate").getAsString();
        if (!fate.equals("DUPLICATED")) {
            arrive(
                    event.getAsJsonObject("message").get("number").getAsLong(),
                    fate.toLowerCase(Locale.ROOT).replace('_', '-'));
        }
    }

    private void arrive(long number, String fate) {
        var message = messages.get(number);
        if (message != null && !message.has("deliveredIndex")) {
            message.add("arrivedAt", time());
            message.addProperty("deliveredIndex", last());
            message.addProperty("fate", fate);
        }
    }

    private int last() {
        return trace.size() - 1;
    }

    private JsonElement time() {
        return trace.get(last()).getAsJsonObject().get(timeField);
    }

    private JsonObject document() {
        var json = new JsonObject();
        json.add("command", JsonNull.INSTANCE);
        json.add("replay", JsonNull.INSTANCE);
        json.addProperty("headline", "imported trace: " + nodes.size() + " nodes, " + trace.size() + " events");
        json.addProperty("algorithm", "");
        json.addProperty("problem", "");
        json.addProperty("timeScale", timeField.equals("step") ? "steps" : "millis");
        json.addProperty("end", "rest");
        json.add("nodes", placedNodes());
        json.add("links", new JsonArray());
        json.add("trace", trace);
        var all = new JsonArray();
        messages.values().forEach(all::add);
        json.add("messages", all);
        json.add("properties", properties);
        json.add("summary", new JsonArray());
        json.addProperty("events", trace.size());
        return json;
    }

    /** As the nodes of a run without links. */
    private JsonArray placedNodes() {
        var positions =
                TopologyLayout.of(Topology.complete(nodes.size()), 1).values().iterator();
        var placed = new JsonArray();
        for (String node : nodes) {
            placed.add(RunDocument.node(node, node, positions.next()));
        }
        return placed;
    }
}
