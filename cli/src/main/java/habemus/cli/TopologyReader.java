package habemus.cli;

import habemus.catalogue.Algorithm;
import habemus.lab.graph.Graphs;
import habemus.protocol.NodeId;
import habemus.world.Topology;
import habemus.world.Topology.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Reads {@code -n}, {@code --topology} and {@code --disconnected}. */
final class TopologyReader {

    private static final List<String> SHAPES =
            List.of("complete", "ring", "grid", "tree", "random", "scale-free", "graph", GraphReader.FILE);
    private static final String SHAPES_AND_FILES = "write complete, ring, ring:random, grid:3x4, tree:2, random:0.3,"
            + " scale-free:2, graph:1-2,2-3, or file:NAME";
    private static final String RING = "ring:";
    private static final int FEW_NODES = 12;
    private static final int FEW_PARTS = 6;

    private TopologyReader() {}

    static Topology read(RunWords words, long seed) {
        var given = words.ifGiven(WorldOption.TOPOLOGY);
        if (given.isEmpty()) {
            int size = size(words);
            return words.algorithm().shape() == Shape.RING ? Topology.ring(size) : Topology.complete(size);
        }
        requireShape(words.algorithm(), given.get());
        var topology = read(words, given.get(), seed);
        if (isListed(words) && words.has(WorldOption.NODES) && size(words) != topology.size()) {
            throw given.get().wrong("has " + topology.size() + " nodes, and -n says " + size(words), "leave -n out");
        }
        requireOnePart(words, given.get(), topology);
        return topology;
    }

    private static Topology read(RunWords words, Given given, long seed) {
        return switch (given.text()) {
            case "complete" -> Topology.complete(size(words));
            case "ring" -> Topology.ring(size(words));
            case "ring:random" -> Topology.shuffledRing(size(words), seed);
            case "ring:descending" -> Topology.ring(ascending(size(words)).reversed());
            default -> given.text().startsWith(RING) ? listed(given) : graph(words, given, seed);
        };
    }

    private static Topology graph(RunWords words, Given given, long seed) {
        var reader = new GraphReader(given, seed);
        return isListed(words) ? reader.listed() : reader.drawn(size(words));
    }

    /** Whether the nodes are given one by one, or at least their number, so that {@code -n} need not be. */
    static boolean isListed(RunWords words) {
        return words.ifGiven(WorldOption.TOPOLOGY)
                .map(Given::text)
                .filter(text -> switch (kind(text)) {
                    case "ring" ->
                        text.startsWith(RING) && !text.equals("ring:random") && !text.equals("ring:descending");
                    case "grid" -> !text.equals("grid");
                    case "graph", GraphReader.FILE -> true;
                    default -> false;
                })
                .isPresent();
    }

    private static int size(RunWords words) {
        return (int) words.one(WorldOption.NODES).number(1, NodeId.LIMIT - 1);
    }

    /** What stands before the colon; the name of a file needs nothing before it. */
    private static String kind(String text) {
        var kind = text.contains(":") ? text.substring(0, text.indexOf(':')) : text;
        return !SHAPES.contains(kind) && (text.contains("/") || text.contains(".")) ? GraphReader.FILE : kind;
    }

    private static void requireShape(Algorithm algorithm, Given given) {
        var kind = kind(given.text());
        if (!SHAPES.contains(kind) || (kind.equals("complete") && !given.text().equals(kind))) {
            throw given.wrong("is no topology", Nearest.hint(kind, SHAPES) + SHAPES_AND_FILES);
        }
        var shape = switch (kind) {
            case "complete" -> Shape.COMPLETE;
            case "ring" -> Shape.RING;
            default -> Shape.GRAPH;
        };
        if (!algorithm.shape().admits(shape)) {
            throw Refusal.wrong(
                    algorithm.name() + " runs on a " + name(algorithm.shape().toString()) + ", not on a " + name(kind),
                    "leave --topology out, or see habemus list");
        }
    }

    private static String name(String kind) {
        return switch (kind) {
            case "complete" -> "complete graph";
            case "random" -> "random graph";
            case "scale-free" -> "scale-free graph";
            case GraphReader.FILE -> "graph from a file";
            default -> kind;
        };
    }

    private static Topology listed(Given given) {
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
        return Topology.ring(order);
    }

    private static List<NodeId> ascending(int size) {
        return IntStream.rangeClosed(1, size).mapToObj(NodeId::new).toList();
    }

    private static void requireOnePart(RunWords words, Given given, Topology topology) {
        if (topology.shape() != Shape.GRAPH || words.has(WorldOption.DISCONNECTED)) {
            return;
        }
        var parts = Graphs.parts(topology);
        if (parts.size() > 1) {
            var hint = "--disconnected runs it on each part all the same";
            throw given.wrong(
                    "falls into " + parts.size() + " parts: " + describe(parts),
                    kind(given.text()).equals("random") ? "take another seed or likelier edges; " + hint : hint);
        }
    }

    private static String describe(List<List<NodeId>> parts) {
        var some = parts.stream().limit(FEW_PARTS).map(TopologyReader::names).collect(Collectors.joining(" | "));
        return parts.size() > FEW_PARTS ? some + " | …" : some;
    }

    private static String names(List<NodeId> part) {
        return part.size() > FEW_NODES
                ? part.getFirst() + " … " + part.getLast() + " (" + part.size() + ")"
                : part.stream().map(NodeId::toString).collect(Collectors.joining(" "));
    }
}
