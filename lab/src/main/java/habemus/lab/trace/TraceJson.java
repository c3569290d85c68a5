package habemus.lab.trace;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import habemus.protocol.Envelope;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Stamp;
import habemus.world.Mail;
import habemus.world.Property;
import habemus.world.TraceLine;
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

    public static JsonObject of(TraceLine line) {
        var json = new JsonObject();
        json.addProperty("at", Figure.of(line.at(), 3));
        json.addProperty("what", line.getClass().getSimpleName().toLowerCase(Locale.ROOT));
        switch (line) {
            case TraceLine.Started started -> {
                json.addProperty("node", started.node().toString());
                json.addProperty("how", started.how().name());
                addStep(json, started);
            }
            case TraceLine.Stepped stepped -> {
                json.addProperty("node", stepped.node().toString());
                json.add("event", value(stepped.event()));
                json.addProperty("mail", stepped.mail());
                addStep(json, stepped);
            }
            case TraceLine.Struck(var at, var fault) -> json.add("fault", value(fault));
            case TraceLine.Fared(var at, var mail, var fate) -> {
                json.add("mail", value(mail));
                json.addProperty("fate", fate.name());
            }
            case TraceLine.Told(var at, var mail) -> json.add("mail", value(mail));
            case TraceLine.Heard(var at, var mail) -> json.add("mail", value(mail));
            case TraceLine.Wrote(var at, var node, var fence, var accepted) -> {
                json.add("node", value(node));
                json.addProperty("fence", fence);
                json.addProperty("accepted", accepted);
            }
            case TraceLine.Seen(var at, var happening) -> json.add("happening", value(happening));
            case TraceLine.Violated(var at, var property) -> {
                json.add("property", value(property));
                json.addProperty("sentence", property.sentence());
            }
        }
        return json;
    }

    private static void addStep(JsonObject json, TraceLine.Acted acted) {
        json.add("state", value(acted.state()));
        json.add("effects", value(acted.effects()));
        json.add("sent", value(acted.sent()));
    }

    private static JsonElement value(Object value) {
        return switch (Envelope.open(value)) {
            case NodeId node -> new JsonPrimitive(node.toString());
            case NodeSet nodes -> array(nodes);
            case List<?> list -> array(list);
            case Duration duration -> new JsonPrimitive(Figure.millis(duration));
            case Property property -> new JsonPrimitive(property.toString());
            case Enum<?> constant -> new JsonPrimitive(constant.name());
            case Boolean flag -> new JsonPrimitive(flag);
            case Number number -> new JsonPrimitive(number);
            case Mail mail -> parts(new JsonObject(), mail);
            case Stamp stamp -> parts(new JsonObject(), stamp);
            case Record some -> {
                var json = new JsonObject();
                json.addProperty("type", some.getClass().getSimpleName());
                yield parts(json, some);
            }
            case Object other -> new JsonPrimitive(other.toString());
        };
    }

    private static JsonObject parts(JsonObject json, Record some) {
        Part.of(some).forEach(part -> json.add(part.name(), value(part.value())));
        return json;
    }

    private static JsonArray array(Iterable<?> elements) {
        var json = new JsonArray();
        elements.forEach(each -> json.add(value(each)));
        return json;
    }
}
