package habemus.lab.trace;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import habemus.protocol.NodeId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The names that a user gives to nodes. Only the views of a run know them: every text is worded with node ids, and
 * {@link #in} puts the names in their place.
 */
public final class NodeNames {

    /** Nodes are shown by their ids: {@code n1}. */
    public static final NodeNames NONE = new NodeNames(Map.of());

    private static final Pattern NAME = Pattern.compile("\\p{L}[\\p{L}\\p{Nd}_]*");
    private static final Pattern ID = Pattern.compile("(?<![\\p{L}\\p{Nd}_-])n(\\d{1,7})(?![\\p{L}\\p{Nd}_])");

    private final Map<Integer, String> byNumber;

    private NodeNames(Map<Integer, String> byNumber) {
        this.byNumber = byNumber;
    }

    /** @param names valid and different, one for each node */
    public static NodeNames of(List<NodeId> nodes, List<String> names) {
        var byNumber = new TreeMap<Integer, String>();
        for (int i = 0; i < nodes.size(); i++) {
            byNumber.put(nodes.get(i).number(), names.get(i));
        }
        return new NodeNames(byNumber);
    }

    /** Whether it is a letter, then letters, digits and underscores, and is not the id of a node. */
    public static boolean isValid(String name) {
        return NAME.matcher(name).matches() && !ID.matcher(name).matches();
    }

    public boolean isEmpty() {
        return byNumber.isEmpty();
    }

    public Collection<String> all() {
        return byNumber.values();
    }

    /** The name of a node, or else its id. */
    public String of(NodeId node) {
        return byNumber.getOrDefault(node.number(), node.toString());
    }

    /** The node with this name. */
    public Optional<NodeId> find(String name) {
        return byNumber.entrySet().stream()
                .filter(entry -> entry.getValue().equals(name))
                .map(entry -> new NodeId(entry.getKey()))
                .findFirst();
    }

    /** The text with the name of each node in place of its id. */
    public String in(String text) {
        return isEmpty() ? text : replaceAll(ID, text, this::name);
    }

    private String name(MatchResult id) {
        return byNumber.getOrDefault(Integer.parseInt(id.group(1)), id.group());
    }

    /** Replaces each match. {@code Matcher.replaceAll} with a function does not exist on every platform. */
    public static String replaceAll(Pattern pattern, String text, Function<MatchResult, String> replacement) {
        var matcher = pattern.matcher(text);
        var replaced = new StringBuilder();
        int end = 0;
        while (matcher.find()) {
            replaced.append(text, end, matcher.start()).append(replacement.apply(matcher));
            end = matcher.end();
        }
        return replaced.append(text, end, text.length()).toString();
    }

    /** The same document with names in its strings. Keys stay as they are. */
    public JsonElement in(JsonElement json) {
        return switch (json) {
            case JsonPrimitive value when value.isString() -> new JsonPrimitive(in(value.getAsString()));
            case JsonArray array -> {
                var named = new JsonArray();
                array.forEach(element -> named.add(in(element)));
                yield named;
            }
            case JsonObject object -> {
                var named = new JsonObject();
                object.entrySet().forEach(entry -> named.add(entry.getKey(), in(entry.getValue())));
                yield named;
            }
            default -> json;
        };
    }
}
