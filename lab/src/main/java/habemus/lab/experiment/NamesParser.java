package habemus.lab.experiment;

import habemus.lab.command.SpellingSuggestion;
import habemus.lab.trace.NodeNames;
import habemus.protocol.NodeId;
import habemus.world.Topology;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.regex.Pattern;

/** Parses {@code --names}, and puts the ids of nodes in place of their names in the other options. */
public final class NamesParser {

    /** A name where an option expects a node: at the start of a part, and before a time, another node or a rank. */
    private static final Pattern NAMED_NODE = Pattern.compile("(?<=^|[,/>])\\p{L}[\\p{L}\\p{Nd}_]*(?=$|[@,/>=])");

    /** In place of a node it means every node. */
    private static final String ALL = "all";

    private NamesParser() {}

    static NodeNames parse(RunArguments arguments, Topology topology) {
        return arguments
                .find(WorldOption.NAMES)
                .map(value -> parse(value, topology.nodes()))
                .orElse(NodeNames.NONE);
    }

    /** The names of a cluster of real nodes. */
    public static NodeNames parse(String text, List<NodeId> nodes) {
        return parse(new OptionValue(WorldOption.NAMES, text), nodes);
    }

    private static NodeNames parse(OptionValue value, List<NodeId> nodes) {
        var names = List.of(value.text().split(",", -1));
        var seen = new HashSet<String>();
        for (String name : names) {
            if (!NodeNames.isValid(name) || name.equals(ALL)) {
                throw value.invalid(
                        "has an invalid name '" + name + "'",
                        "a name is a letter, then letters, digits or underscores; not n1, n2 … and not all");
            }
            if (!seen.add(name)) {
                throw value.invalid("has the name " + name + " twice", "give each node another name");
            }
        }
        if (names.size() != nodes.size()) {
            throw value.invalid(
                    "has " + names.size() + " names for " + nodes.size() + " nodes",
                    "name every node, or write -n " + names.size());
        }
        return NodeNames.of(nodes, names);
    }

    /** The arguments with ids in place of names, for the parsers of the other options. */
    static RunArguments withIds(RunArguments arguments, NodeNames names) {
        if (names.isEmpty()) {
            return arguments;
        }
        var options = new LinkedHashMap<>(arguments.options());
        for (WorldOption option : WorldOption.values()) {
            if (option.namesNodes() && arguments.has(option)) {
                options.put(
                        option.option(),
                        arguments.values(option).stream()
                                .map(value -> withIds(value, names))
                                .toList());
            }
        }
        return new RunArguments(arguments.algorithm(), options);
    }

    private static String withIds(OptionValue value, NodeNames names) {
        return NodeNames.replaceAll(NAMED_NODE, value.text(), found -> {
            var name = found.group();
            boolean isNode = NodeNames.isValid(name) && !name.equals(ALL);
            return isNode ? find(value, name, names).toString() : name;
        });
    }

    private static NodeId find(OptionValue value, String name, NodeNames names) {
        return names.find(name)
                .orElseThrow(() -> value.invalid(
                        "names " + name + ", which does not exist",
                        SpellingSuggestion.hint(name, List.copyOf(names.all())) + "nodes: "
                                + String.join(" ", names.all())));
    }
}
