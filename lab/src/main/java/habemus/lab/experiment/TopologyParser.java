package habemus.lab.experiment;

import habemus.catalogue.Algorithm;
import habemus.lab.command.CommandException;
import habemus.lab.command.SpellingSuggestion;
import habemus.lab.graph.NamedGraphs;
import habemus.protocol.NodeId;
import habemus.world.Problem;
import habemus.world.Topology;
import habemus.world.Topology.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Parses {@code -n}, {@code --topology} and {@code --disconnected}. */
public final class TopologyParser {

    private static final List<String> SHAPES =
            List.of("complete", "ring", "grid", "tree", "random", "scale-free", "graph", GraphParser.FILE);
    private static final String SHAPES_AND_FILES = "write complete, ring, ring:random, grid:3x4, tree:2, random:0.3,"
            + " scale-free:2, graph:1-2,2-3, or file:NAME";
    private static final String RING = "ring:";
    private static final int MAX_LISTED_NODES = 12;
    private static final int MAX_LISTED_PARTS = 6;

    private TopologyParser() {}

    static Topology parse(RunArguments arguments, long seed) {
        var value = arguments.find(WorldOption.TOPOLOGY);
        if (value.isEmpty()) {
            int size = size(arguments);
            return arguments.algorithm().shape() == Shape.RING ? Topology.ring(size) : Topology.complete(size);
        }
        requireShape(arguments.algorithm(), value.get());
        var topology = parse(arguments, value.get(), seed);
        if (hasOwnSize(arguments) && arguments.has(WorldOption.NODES) && size(arguments) != topology.size()) {
            throw value.get()
                    .invalid("has " + topology.size() + " nodes, but -n is " + size(arguments), "leave -n out");
        }
        requireConnected(arguments, value.get(), topology);
        return topology;
    }

    private static Topology parse(RunArguments arguments, OptionValue value, long seed) {
        return switch (value.text()) {
            case "complete" -> Topology.complete(size(arguments));
            case "ring" -> Topology.ring(size(arguments));
            case "ring:random" -> Topology.shuffledRing(size(arguments), seed);
            case "ring:descending" -> Topology.ring(ascending(size(arguments)).reversed());
            default -> value.text().startsWith(RING) ? parseRing(value) : graph(arguments, value, seed);
        };
    }

    private static Topology graph(RunArguments arguments, OptionValue value, long seed) {
        var reader = new GraphParser(value, seed);
        return hasOwnSize(arguments) ? reader.parseExplicit() : reader.generate(size(arguments));
    }

    /** Whether the topology or the program defines its number of nodes, so that {@code -n} is not needed. */
    public static boolean hasOwnSize(RunArguments arguments) {
        return arguments.algorithm().problem() == Problem.THREADS || isListed(arguments);
    }

    private static boolean isListed(RunArguments arguments) {
        return arguments
                .find(WorldOption.TOPOLOGY)
                .map(OptionValue::text)
                .filter(text -> switch (shapeName(text)) {
                    case "ring" ->
                        text.startsWith(RING) && !text.equals("ring:random") && !text.equals("ring:descending");
                    case "grid" -> !text.equals("grid");
                    case "graph", GraphParser.FILE -> true;
                    default -> false;
                })
                .isPresent();
    }

    private static int size(RunArguments arguments) {
        return (int) arguments.value(WorldOption.NODES).number(1, NodeId.LIMIT - 1);
    }

    /** The word before the colon; {@code file} for a bare file name. */
    private static String shapeName(String text) {
        var kind = text.contains(":") ? text.substring(0, text.indexOf(':')) : text;
        return !SHAPES.contains(kind) && (text.contains("/") || text.contains(".")) ? GraphParser.FILE : kind;
    }

    private static void requireShape(Algorithm algorithm, OptionValue value) {
        var kind = shapeName(value.text());
        if (!SHAPES.contains(kind) || (kind.equals("complete") && !value.text().equals(kind))) {
            throw value.invalid("is not a topology", SpellingSuggestion.hint(kind, SHAPES) + SHAPES_AND_FILES);
        }
        var shape = switch (kind) {
            case "complete" -> Shape.COMPLETE;
            case "ring" -> Shape.RING;
            default -> Shape.GRAPH;
        };
        if (!algorithm.shape().admits(shape)) {
            throw CommandException.usage(
                    algorithm.name() + " runs on a "
                            + describeShape(algorithm.shape().toString()) + ", not on a " + describeShape(kind),
                    "leave --topology out");
        }
    }

    private static String describeShape(String kind) {
        return switch (kind) {
            case "complete" -> "complete graph";
            case "random" -> "random graph";
            case "scale-free" -> "scale-free graph";
            case GraphParser.FILE -> "graph from a file";
            default -> kind;
        };
    }

    private static Topology parseRing(OptionValue value) {
        var order = new ArrayList<NodeId>();
        var seen = new TreeSet<NodeId>();
        for (String part : value.text().substring(RING.length()).split(",", -1)) {
            int number = part.matches(NodeParser.PATTERN) ? NodeParser.parseNumber(value, part) : 0;
            if (number < 1 || number >= NodeId.LIMIT) {
                throw value.invalid("is not a ring: '" + part + "' is not a node", "write --topology ring:17,24,1,28");
            }
            order.add(new NodeId(number));
            if (!seen.add(order.getLast())) {
                throw value.invalid("has " + order.getLast() + " twice", "name each node once");
            }
        }
        return Topology.ring(order);
    }

    private static List<NodeId> ascending(int size) {
        return IntStream.rangeClosed(1, size).mapToObj(NodeId::new).toList();
    }

    private static void requireConnected(RunArguments arguments, OptionValue value, Topology topology) {
        if (topology.shape() != Shape.GRAPH || arguments.has(WorldOption.DISCONNECTED)) {
            return;
        }
        var parts = NamedGraphs.connectedComponents(topology);
        if (parts.size() > 1) {
            var hint = "--disconnected runs the algorithm on each part";
            throw value.invalid(
                    "has " + parts.size() + " unconnected parts: " + describeParts(parts),
                    shapeName(value.text()).equals("random") ? "use another seed or more edges; " + hint : hint);
        }
    }

    private static String describeParts(List<List<NodeId>> parts) {
        var some = parts.stream()
                .limit(MAX_LISTED_PARTS)
                .map(TopologyParser::names)
                .collect(Collectors.joining(" | "));
        return parts.size() > MAX_LISTED_PARTS ? some + " | …" : some;
    }

    private static String names(List<NodeId> part) {
        return part.size() > MAX_LISTED_NODES
                ? part.getFirst() + " … " + part.getLast() + " (" + part.size() + ")"
                : part.stream().map(NodeId::toString).collect(Collectors.joining(" "));
    }
}
