package habemus.lab.experiment;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Topology;
import java.util.ArrayList;
import java.util.List;

/** Parses node names, {@code 3} or {@code n3}, and checks that the nodes exist. */
final class NodeParser {

    /** A node, for use in larger patterns. */
    static final String PATTERN = "n?\\d{1,7}";
    /** Several nodes, for use in larger patterns. */
    static final String LIST = PATTERN + "(?:," + PATTERN + ")*";

    private static final int MAX_LISTED = 12;

    private final List<NodeId> first;
    private final List<NodeId> all;
    private final NodeSet known;

    /** @param joiners nodes of the topology that join later */
    NodeParser(Topology topology, NodeSet joiners) {
        all = topology.nodes();
        known = NodeSet.of(all);
        first = joiners.isEmpty() ? all : known.without(joiners).toList();
    }

    /** The nodes that start first. */
    List<NodeId> first() {
        return first;
    }

    NodeId parse(OptionValue value, String text) {
        int number = parseNumber(value, text);
        if (number < 1 || number >= NodeId.LIMIT || !known.contains(new NodeId(number))) {
            throw value.invalid("names n" + number + ", which does not exist", "nodes: " + describe());
        }
        return new NodeId(number);
    }

    /** Parses nodes separated by commas, each at most once. */
    List<NodeId> parseList(OptionValue value, String text) {
        var nodes = new ArrayList<NodeId>();
        for (String part : text.split(",", -1)) {
            var node = parse(value, part);
            if (nodes.contains(node)) {
                throw value.invalid("names " + node + " twice", "name each node once");
            }
            nodes.add(node);
        }
        return nodes;
    }

    static int parseNumber(OptionValue value, String text) {
        if (!text.matches(PATTERN)) {
            throw value.malformed();
        }
        return Integer.parseInt(text.startsWith("n") ? text.substring(1) : text);
    }

    private String describe() {
        if (all.size() == 1) {
            return all.getFirst().toString();
        }
        if (all.size() > MAX_LISTED) {
            return all.getFirst() + " … " + all.getLast();
        }
        var names = all.stream().map(NodeId::toString).toList();
        return String.join(" ", names);
    }
}
