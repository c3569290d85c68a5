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
 * Formats trace events as JSON: one object for each line of a JSON-lines file, with its keys in a fixed order.
 *
 * <p>{@code what} is the kind of the event in kebab case. A nested record is an object with its simple name as
 * {@code type} and its components by name. A node is {@code "n1"}, a set or list an array, an enum its name, and a time
 * a number of milliseconds. The events of a checked run have a {@code step} in place of {@code at}.
 */
public final class TraceJson {

    private TraceJson() {}

    public static JsonObject of(TraceEvent event, TimeScale timeScale) {
        var json = new JsonObject();
        switch (timeScale) {
            case MILLIS -> json.addProperty("at", JsonNumber.of(event.at(), 3));
            case STEPS -> json.addProperty("step", event.at());
        }
        json.addProperty("what", kebabCase(event.getClass().getSimpleName()));
        switch (event) {
            case TraceEvent.Started started -> {
                json.addProperty("node", started.node().toString());
                json.addProperty("how", started.how().name());
                addStep(json, started);
            }
            case TraceEvent.Step step -> {
                json.addProperty("node", step.node().toString());
                json.add("event", value(step.event()));
                json.addProperty("messageNumber", step.messageNumber());
                addStep(json, step);
            }
            case TraceEvent.FaultInjected(var at, var fault) -> json.add("fault", value(fault));
            case TraceEvent.MessageOutcome(var at, var message, var fate) -> {
                json.add("message", value(message));
                json.addProperty("fate", fate.name());
            }
            case TraceEvent.AppMessageSent(var at, var message) -> json.add("message", value(message));
            case TraceEvent.AppMessageReceived(var at, var message) -> json.add("message", value(message));
            case TraceEvent.Wrote(var at, var node, var fence, var accepted) -> {
                json.add("node", value(node));
                json.addProperty("fence", fence);
                json.addProperty("accepted", accepted);
            }
            case TraceEvent.Observed(var at, var observableEvent) -> json.add("event", value(observableEvent));
            case TraceEvent.Violated(var at, var property) -> addProperty(json, property);
            case TraceEvent.NotGuaranteed(var at, var property) -> addProperty(json, property);
        }
        return json;
    }

    private static void addProperty(JsonObject json, Property property) {
        json.add("property", value(property));
        json.addProperty("sentence", property.sentence());
    }

    private static String kebabCase(String name) {
        return name.replaceAll("(?<!^)(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
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
            case InFlightMessage message -> addComponents(new JsonObject(), message);
            case Stamp stamp -> addComponents(new JsonObject(), stamp);
            case Record object -> {
                var json = new JsonObject();
                json.addProperty("type", object.getClass().getSimpleName());
                yield addComponents(json, object);
            }
            case Object other -> new JsonPrimitive(other.toString());
        };
    }

    private static JsonObject addComponents(JsonObject json, Record value) {
        RecordComponentValue.of(value).forEach(component -> json.add(component.name(), value(component.value())));
        return json;
    }

    private static JsonArray array(Iterable<?> elements) {
        var json = new JsonArray();
        elements.forEach(element -> json.add(value(element)));
        return json;
    }
}
