package habemus.web;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import habemus.lab.command.CommandException;
import habemus.lab.experiment.Intervention;
import habemus.lab.experiment.SimulatedTime;
import habemus.lab.trace.NodeNames;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.util.ArrayList;
import java.util.List;

/** Reads an intervention as the page sends it. Nodes are ids or names. */
final class InterventionJson {

    private final JsonObject json;
    private final NodeNames names;

    private InterventionJson(JsonObject json, NodeNames names) {
        this.json = json;
        this.names = names;
    }

    static Intervention parse(String text, NodeNames names) {
        return new InterventionJson(JsonParser.parseString(text).getAsJsonObject(), names).intervention();
    }

    private Intervention intervention() {
        var kind = json.get("kind").getAsString();
        return switch (kind) {
            case "crash" -> new Intervention.Crash(node());
            case "restart" -> new Intervention.Restart(node(), false);
            case "amnesia" -> new Intervention.Restart(node(), true);
            case "pause" -> new Intervention.Pause(node());
            case "resume" -> new Intervention.Resume(node());
            case "partition" -> new Intervention.Partition(groups());
            case "heal" -> new Intervention.Heal(groups());
            case "lose" -> new Intervention.Lose(message());
            case "duplicate" -> new Intervention.Duplicate(message());
            case "delay" ->
                json.has("moves")
                        ? new Intervention.DelayByMoves(
                                message(), json.get("moves").getAsInt())
                        : new Intervention.Delay(
                                message(),
                                SimulatedTime.parseMillis(json.get("by").getAsString()));
            case "acquire" -> new Intervention.Acquire(node());
            case "campaign" -> new Intervention.Campaign(node());
            case "move" -> new Intervention.NextMoves(json.get("move").getAsString());
            default -> throw CommandException.usage("unknown intervention: '" + kind + "'", "crash, pause, lose, …");
        };
    }

    private long message() {
        return json.get("message").getAsLong();
    }

    private NodeId node() {
        return node(json.get("node"));
    }

    private NodeId node(JsonElement element) {
        var text = element.getAsString();
        return names.find(text).orElseGet(() -> {
            if (!text.matches("n\\d{1,7}")) {
                throw CommandException.usage("unknown node: '" + text + "'", "choose a node of the run");
            }
            return new NodeId(Integer.parseInt(text.substring(1)));
        });
    }

    private List<NodeSet> groups() {
        var groups = new ArrayList<NodeSet>();
        if (json.has("groups")) {
            for (JsonElement group : json.getAsJsonArray("groups")) {
                groups.add(nodes(group.getAsJsonArray()));
            }
        }
        return groups;
    }

    private NodeSet nodes(JsonArray group) {
        var nodes = NodeSet.NONE;
        for (JsonElement element : group) {
            nodes = nodes.with(node(element));
        }
        return nodes;
    }
}
