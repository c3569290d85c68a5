package habemus.lab.trace;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import habemus.protocol.Envelope;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Stamp;
import habemus.world.InFlightMessage;
import habemus.world.Property;
import habemus.world.TraceEvent;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * The trace as data: an object for each line of a JSON-lines file, with its keys in a fixed order.
 *
 * <p>A record is an object with its simple name as {@code type} and its components by name; a node is {@code "n1"}, a
 * set or list an array, an enum its name, a time a number of milliseconds.
 */
public final class TraceJson {

    private TraceJson() {}

    public static JsonObject of(TraceEvent line) {
        var json = new JsonObject();
        json.addProperty("at", JsonNumber.of(line.at(), 3));
        json.addProperty("what", line.getClass().getSimpleName().toLowerCase(Locale.ROOT));
        switch (line) {
            case TraceEvent.Started started -> {
                json.addProperty("node", started.node().toString());
                json.addProperty("how", started.how().name());
                addStep(json, started);
            }
            case TraceEvent.Step step -> {
                json.addProperty("node", step.node().toString());
                json.add("event", value(step.event()));
                json.addProperty("mail", step.messageNumber());
                addStep(json, step);
            }
            case TraceEvent.FaultInjected(var at, var fault) -> json.add("fault", value(fault));
            case TraceEvent.MessageOutcome(var at, var inFlightMessage, var fate) -> {
                json.add("mail", value(inFlightMessage));
                json.addProperty("fate", fate.name());
            }
            case TraceEvent.AppMessageSent(var at, var inFlightMessage) -> json.add("mail", value(inFlightMessage));
            case TraceEvent.AppMessageReceived(var at, var inFlightMessage) -> json.add("mail", value(inFlightMessage));
            case TraceEvent.Wrote(var at, var node, var fence, var accepted) -> {
                json.add("node", value(node));
                json.addProperty("fence", fence);
                json.addProperty("accepted", accepted);
            }
            case TraceEvent.Observed(var at, var observableEvent) -> json.add("happening", value(observableEvent));
            case TraceEvent.Violated(var at, var property) -> {
                json.add("property", value(property));
                json.addProperty("sentence", property.sentence());
            }
        }
        return json;
    }

    private static void addStep(JsonObject json, TraceEvent.NodeStep nodeStep) {
        json.add("state", value(nodeStep.state()));
        json.add("effects", value(nodeStep.effects()));
        json.add("sent", value(nodeStep.sent()));
    }

    private static JsonElement value(Object value) {
        return switch (Envelope.unwrap(value)) {
            case NodeId node -> new JsonPrimitive(node.toString());
            case NodeSet nodes -> array(nodes);
            case List<?> list -> array(list);
            case Duration duration -> new JsonPrimitive(JsonNumber.millis(duration));
            case Property property -> new JsonPrimitive(property.toString());
            case Enum<?> constant -> new JsonPrimitive(constant.name());
            case Boolean flag -> new JsonPrimitive(flag);
            case Number number -> new JsonPrimitive(number);
            case InFlightMessage inFlightMessage -> addComponents(new JsonObject(), inFlightMessage);
            case Stamp stamp -> addComponents(new JsonObject(), stamp);
            case Record some -> {
                var json = new JsonObject();
                json.addProperty("type", some.getClass().getSimpleName());
                yield addComponents(json, some);
            }
            case Object other -> new JsonPrimitive(other.toString());
        };
    }

    private static JsonObject addComponents(JsonObject json, Record some) {
        RecordComponentValue.of(some)
                .forEach(recordComponentValue ->
                        json.add(recordComponentValue.name(), value(recordComponentValue.value())));
        return json;
    }

    private static JsonArray array(Iterable<?> elements) {
        var json = new JsonArray();
        elements.forEach(each -> json.add(value(each)));
        return json;
    }
}
