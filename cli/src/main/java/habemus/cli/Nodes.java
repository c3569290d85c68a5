package habemus.cli;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Topology;
import java.util.ArrayList;
import java.util.List;

/** The nodes that there are, and may be named: {@code 3} or {@code n3}. */
final class Nodes {

    /** As a part of a larger pattern. */
    static final String PATTERN = "n?\\d{1,7}";
    /** The same, of several. */
    static final String LIST = PATTERN + "(?:," + PATTERN + ")*";

    private static final int FEW = 12;

    private final List<NodeId> all;
    private final NodeSet known;

    Nodes(Topology topology) {
        all = topology.nodes();
        known = NodeSet.of(all);
    }

    List<NodeId> all() {
        return all;
    }

    NodeId read(Given given, String text) {
        int number = number(given, text);
        if (number < 1 || number >= NodeId.LIMIT || !known.contains(new NodeId(number))) {
            throw given.wrong("names n" + number + ", which does not exist", "there " + describe());
        }
        return new NodeId(number);
    }

    /** Separated by commas, no one twice. */
    List<NodeId> list(Given given, String text) {
        var nodes = new ArrayList<NodeId>();
        for (String part : text.split(",", -1)) {
            var node = read(given, part);
            if (nodes.contains(node)) {
                throw given.wrong("names " + node + " twice", "name every node once");
            }
            nodes.add(node);
        }
        return nodes;
    }

    static int number(Given given, String text) {
        if (!text.matches(PATTERN)) {
            throw given.malformed();
        }
        return Integer.parseInt(text.startsWith("n") ? text.substring(1) : text);
    }

    private String describe() {
        if (all.size() == 1) {
            return "is only " + all.getFirst();
        }
        if (all.size() > FEW) {
            return "are " + all.size() + " nodes, " + all.getFirst() + " … " + all.getLast();
        }
        var names = all.stream().map(NodeId::toString).toList();
        return "are " + String.join(" ", names);
    }
}
