package habemus.cli;

import habemus.catalogue.Algorithm;
import habemus.protocol.NodeId;
import habemus.world.Topology;
import habemus.world.Topology.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Reads {@code -n} and {@code --topology}. */
final class TopologyReader {

    private static final List<String> SHAPES = List.of("complete", "ring", "grid", "tree", "random");
    private static final String RING = "ring:";

    private TopologyReader() {}

    static Topology read(RunWords words, long seed) {
        var given = words.ifGiven(WorldOption.TOPOLOGY);
        if (given.isEmpty()) {
            int size = size(words);
            return words.algorithm().shape() == Shape.RING ? Topology.ring(size) : Topology.complete(size);
        }
        requireShape(words.algorithm(), given.get());
        var text = given.get().text();
        return switch (text) {
            case "complete" -> Topology.complete(size(words));
            case "ring" -> Topology.ring(size(words));
            case "ring:random" -> Topology.shuffledRing(size(words), seed);
            case "ring:descending" -> Topology.ring(ascending(size(words)).reversed());
            default -> listed(words, given.get());
        };
    }

    /** Whether the nodes are given one by one, so that {@code -n} need not be. */
    static boolean isListed(RunWords words) {
        return words.ifGiven(WorldOption.TOPOLOGY)
                .map(Given::text)
                .filter(text -> text.startsWith(RING) && !text.equals("ring:random") && !text.equals("ring:descending"))
                .isPresent();
    }

    private static int size(RunWords words) {
        return (int) words.one(WorldOption.NODES).number(1, NodeId.LIMIT - 1);
    }

    private static void requireShape(Algorithm algorithm, Given given) {
        var text = given.text();
        var kind = text.contains(":") ? text.substring(0, text.indexOf(':')) : text;
        boolean file = text.contains("/") || text.contains(".") || kind.equals("file");
        if (!file && (!SHAPES.contains(kind) || (kind.equals("complete") && !text.equals(kind)))) {
            throw given.wrong("is no topology", Nearest.hint(kind, SHAPES) + "write it as in --topology ring:random");
        }
        if (file || !kind.equals(algorithm.shape().toString())) {
            throw Refusal.wrong(
                    algorithm.name() + " runs on a " + name(algorithm.shape().toString()) + ", not on a "
                            + (file ? "graph from a file" : name(kind)),
                    "leave --topology out, or see habemus list");
        }
    }

    private static String name(String kind) {
        return switch (kind) {
            case "complete" -> "complete graph";
            case "random" -> "random graph";
            default -> kind;
        };
    }

    private static Topology listed(RunWords words, Given given) {
        var order = new ArrayList<NodeId>();
        var seen = new TreeSet<NodeId>();
        for (String part : given.text().substring(RING.length()).split(",", -1)) {
            int number = part.matches(Nodes.PATTERN) ? Nodes.number(given, part) : 0;
            if (number < 1 || number >= NodeId.LIMIT) {
                throw given.wrong("is no ring: '" + part + "' is no node", "write it as in --topology ring:17,24,1,28");
            }
            order.add(new NodeId(number));
            if (!seen.add(order.getLast())) {
                throw given.wrong("has " + order.getLast() + " twice", "a ring has every node once");
            }
        }
        if (words.has(WorldOption.NODES) && size(words) != order.size()) {
            throw given.wrong("has " + order.size() + " nodes, and -n says " + size(words), "leave -n out");
        }
        return Topology.ring(order);
    }

    private static List<NodeId> ascending(int size) {
        return IntStream.rangeClosed(1, size).mapToObj(NodeId::new).toList();
    }
}
