package habemus.web;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import habemus.lab.diagram.model.MessageArrow;
import habemus.lab.diagram.model.MessageArrows;
import habemus.lab.diagram.svg.TopologyLayout;
import habemus.lab.experiment.Experiment;
import habemus.lab.experiment.ReplayCommandLine;
import habemus.lab.experiment.RunArguments;
import habemus.lab.run.RunJson;
import habemus.lab.run.RunSummary;
import habemus.lab.run.RunView;
import habemus.lab.table.AnsiColors;
import habemus.lab.trace.JsonNumber;
import habemus.lab.trace.Recording;
import habemus.lab.trace.TimeScale;
import habemus.lab.trace.TraceJson;
import habemus.lab.trace.TraceText;
import habemus.lab.trace.TraceWording;
import habemus.protocol.NodeId;
import habemus.protocol.PeriodicMessage;
import habemus.simulate.RunResult;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** A run as one JSON document: all that the page draws of it. */
final class RunDocument {

    /** The page keeps every event of a run. */
    static final int MAX_EVENTS = 20_000;

    private final Experiment experiment;
    private final Recording recording;

    private RunDocument(Experiment experiment, List<TraceEvent> events) {
        this.experiment = experiment;
        recording = new Recording(
                experiment.headline(),
                experiment.world().topology().nodes(),
                events,
                experiment.names(),
                experiment.timeScale());
    }

    /** Runs the experiment. A longer trace is cut after {@link #MAX_EVENTS} events, and the document says so. */
    static JsonObject of(Experiment experiment) {
        var events = new ArrayList<TraceEvent>();
        var counter = new int[1];
        var result = experiment.run(event -> {
            if (counter[0]++ < MAX_EVENTS) {
                events.add(event);
            }
        });
        var json = new RunDocument(experiment, events).json(result);
        json.addProperty("events", counter[0]);
        return experiment.names().in(json).getAsJsonObject();
    }

    /** The command line without {@code ./habemus run}. */
    static String command(RunArguments arguments) {
        return ReplayCommandLine.of(arguments).substring("./habemus run ".length());
    }

    private JsonObject json(RunResult result) {
        var json = new JsonObject();
        json.addProperty("command", command(experiment.arguments()));
        json.addProperty("replay", ReplayCommandLine.of(experiment.arguments()));
        json.addProperty("headline", experiment.headline());
        json.addProperty("algorithm", experiment.algorithm().name());
        json.addProperty("problem", experiment.algorithm().problem().toString());
        json.addProperty("timeScale", experiment.timeScale().name().toLowerCase(Locale.ROOT));
        json.addProperty("end", result.end().name().toLowerCase(Locale.ROOT));
        json.add("endAt", time(result.micros()));
        json.addProperty("steps", result.steps());
        json.addProperty("bug", result.bug());
        json.add("nodes", nodes());
        json.add("links", links());
        json.add("trace", trace());
        json.add("messages", messages());
        json.add("properties", properties(result));
        var lines = RunSummary.of(experiment.algorithm().problem(), result, RunView.of(experiment), AnsiColors.NONE);
        var summary = new JsonArray();
        lines.stream().map(String::stripTrailing).forEach(summary::add);
        json.add("summary", summary);
        var counts = new JsonObject();
        RunJson.add(counts, result, RunView.of(experiment));
        json.add("result", counts);
        return json;
    }

    private JsonArray nodes() {
        var positions = TopologyLayout.of(experiment.world().topology(), 1);
        var nodes = new JsonArray();
        for (NodeId node : recording.nodes()) {
            var position = Objects.requireNonNull(positions.get(node));
            nodes.add(node(node.toString(), recording.name(node), position));
        }
        return nodes;
    }

    static JsonObject node(String id, String name, TopologyLayout.Position position) {
        var json = new JsonObject();
        json.addProperty("id", id);
        json.addProperty("name", name);
        json.addProperty("x", rounded(position.x()));
        json.addProperty("y", rounded(position.y()));
        return json;
    }

    private static double rounded(double coordinate) {
        return Math.round(coordinate * 10_000) / 10_000.0;
    }

    private JsonArray links() {
        var topology = experiment.world().topology();
        var links = new JsonArray();
        for (NodeId node : topology.nodes()) {
            for (NodeId peer : topology.neighbourhood(node).neighbours()) {
                if (isFirstMention(node, peer, topology)) {
                    var link = new JsonArray();
                    link.add(node.toString());
                    link.add(peer.toString());
                    links.add(link);
                }
            }
        }
        return links;
    }

    /** A link in both directions is listed once. */
    private static boolean isFirstMention(NodeId node, NodeId peer, Topology topology) {
        return peer.isAbove(node) || !topology.neighbourhood(peer).neighbours().contains(node);
    }

    private JsonArray trace() {
        var trace = new JsonArray();
        for (TraceEvent event : recording.events()) {
            var json = TraceJson.of(event, recording.timeScale());
            var text = new JsonArray();
            TraceText.of(event, recording.names(), recording.timeScale()).forEach(text::add);
            json.add("text", text);
            trace.add(json);
        }
        return trace;
    }

    private JsonArray messages() {
        var messages = new JsonArray();
        MessageArrows.of(recording.events()).forEach(arrow -> messages.add(message(arrow)));
        return messages;
    }

    private JsonObject message(MessageArrow arrow) {
        var message = arrow.inFlightMessage();
        var json = new JsonObject();
        json.addProperty("number", message.number());
        json.addProperty("type", TraceWording.name(message.message()));
        json.addProperty("from", message.from().toString());
        json.addProperty("to", message.to().toString());
        json.add("sentAt", time(arrow.sendIndex()));
        json.addProperty("sentIndex", arrow.sendIndex());
        switch (arrow.end()) {
            case MessageArrow.End.Received(var index) -> end(json, index, "delivered");
            case MessageArrow.End.Dropped(var index, var fate) ->
                end(json, index, fate.name().toLowerCase(Locale.ROOT).replace('_', '-'));
            case MessageArrow.End.InFlight() -> json.addProperty("fate", "in-flight");
        }
        json.addProperty("duplicate", arrow.duplicate());
        json.addProperty("fromApplication", arrow.fromApplication());
        json.addProperty("periodic", PeriodicMessage.isPeriodic(message.message()));
        return json;
    }

    private void end(JsonObject json, int index, String fate) {
        json.add("arrivedAt", time(index));
        json.addProperty("deliveredIndex", index);
        json.addProperty("fate", fate);
    }

    /** The time of an event: milliseconds or steps. */
    private JsonPrimitive time(int index) {
        return time(recording.events().get(index).at());
    }

    private JsonPrimitive time(long at) {
        return recording.timeScale() == TimeScale.MILLIS
                ? new JsonPrimitive(JsonNumber.of(at, 3))
                : new JsonPrimitive(at);
    }

    private JsonArray properties(RunResult result) {
        var required = experiment.required();
        var properties = new JsonArray();
        result.verdicts().forEach((property, verdict) -> {
            var json = new JsonObject();
            json.addProperty("name", property.toString());
            json.addProperty("sentence", property.sentence());
            json.addProperty("required", required.contains(property));
            json.addProperty("verdict", verdict.toString());
            json.addProperty("answer", verdict.answer());
            json.addProperty("brokenAt", brokenAt(property));
            properties.add(json);
        });
        return properties;
    }

    /** The first event from which the property is not true, or -1. */
    private int brokenAt(Property property) {
        for (int i = 0; i < recording.events().size(); i++) {
            var event = recording.events().get(i);
            if (event instanceof TraceEvent.Violated(var at, var broken) && broken == property
                    || event instanceof TraceEvent.NotGuaranteed(var time, var untrue) && untrue == property) {
                return i;
            }
        }
        return -1;
    }
}
