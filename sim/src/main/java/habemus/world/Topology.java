package habemus.world;

import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;

/** The nodes of a world and the links between them. */
public final class Topology {

    /** The kind of graph that an algorithm requires. */
    public enum Shape {
        /** Every node has a link to every other node. */
        COMPLETE,
        /** Every node has a link to its successor and to its predecessor. */
        RING,
        /** Nodes that share an edge have a link. An algorithm that requires this shape runs on any connected graph. */
        GRAPH;

        /** Whether an algorithm that requires this shape can run on the other one. */
        public boolean admits(Shape other) {
            return this == GRAPH || this == other;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A bidirectional link. */
    public record Edge(NodeId first, NodeId second) {
        public Edge {
            if (first.equals(second)) {
                throw new IllegalArgumentException("the ends of an edge must differ, were both " + first);
            }
        }
    }

    private final Shape shape;
    private final List<NodeId> nodes;
    private final Function<NodeId, Neighbourhood> neighbourhoods;
    private final BitSet known = new BitSet();

    private Topology(Shape shape, List<NodeId> nodes, Function<NodeId, Neighbourhood> neighbourhoods) {
        this.shape = shape;
        this.nodes = nodes;
        this.neighbourhoods = neighbourhoods;
        nodes.forEach(node -> known.set(node.number()));
    }

    public static Topology complete(int size) {
        var nodes = firstNodes(size);
        return new Topology(
                Shape.COMPLETE, nodes, self -> new Neighbourhood(self, new AllExcept(nodes, self.number() - 1)));
    }

    /** This topology if there are no others; else the same nodes and these, each with a link to every other node. */
    public Topology completedWith(NodeSet others) {
        if (others.isEmpty()) {
            return this;
        }
        var all = NodeSet.of(nodes).with(others).toList();
        return new Topology(
                Shape.COMPLETE,
                all,
                self -> new Neighbourhood(self, new AllExcept(all, Collections.binarySearch(all, self))));
    }

    /** A view of all nodes but one: a list for each of a hundred thousand nodes would take too much memory. */
    private static final class AllExcept extends AbstractList<NodeId> implements RandomAccess {
        private final List<NodeId> nodes;
        private final int excluded;

        /** @param excluded the index of the node that is not in the view */
        AllExcept(List<NodeId> nodes, int excluded) {
            this.nodes = nodes;
            this.excluded = excluded;
        }

        @Override
        public NodeId get(int index) {
            Objects.checkIndex(index, size());
            return nodes.get(index < excluded ? index : index + 1);
        }

        @Override
        public int size() {
            return nodes.size() - 1;
        }
    }

    /** A ring in the order of the node numbers. */
    public static Topology ring(int size) {
        return ring(firstNodes(size));
    }

    /** A ring in this order; the last node is followed by the first. */
    public static Topology ring(List<NodeId> order) {
        requireNodes(order.size());
        if (new HashSet<>(order).size() < order.size()) {
            throw new IllegalArgumentException("the nodes of a ring must differ, were " + order);
        }
        var nodes = List.copyOf(order);
        int size = nodes.size();
        var indexes = new int[nodes.stream().mapToInt(NodeId::number).max().orElseThrow() + 1];
        IntStream.range(0, size).forEach(i -> indexes[nodes.get(i).number()] = i);
        return new Topology(Shape.RING, nodes, self -> {
            int i = indexes[self.number()];
            return new Neighbourhood(self, List.of(nodes.get((i + 1) % size), nodes.get((i + size - 1) % size)));
        });
    }

    /** A line in the order of the node numbers. */
    public static Topology line(int size) {
        var nodes = firstNodes(size);
        var edges = IntStream.range(1, size).mapToObj(i -> new Edge(nodes.get(i - 1), nodes.get(i)));
        return graph(nodes, edges.toList());
    }

    /**
     * Any graph, connected or not. Duplicate edges count once.
     *
     * @throws IllegalArgumentException if an edge names a node that is not in {@code nodes}
     */
    public static Topology graph(Collection<NodeId> nodes, Collection<Edge> edges) {
        requireNodes(nodes.size());
        var adjacent = new TreeMap<NodeId, Set<NodeId>>();
        nodes.forEach(node -> adjacent.put(node, new TreeSet<>()));
        for (Edge edge : edges) {
            addNeighbour(adjacent, edge.first(), edge.second());
            addNeighbour(adjacent, edge.second(), edge.first());
        }
        var sorted = List.copyOf(adjacent.keySet());
        var neighbourhoods = new Neighbourhood[sorted.getLast().number() + 1];
        adjacent.forEach(
                (self, neighbours) -> neighbourhoods[self.number()] = new Neighbourhood(self, List.copyOf(neighbours)));
        return new Topology(Shape.GRAPH, sorted, self -> neighbourhoods[self.number()]);
    }

    private static void addNeighbour(Map<NodeId, Set<NodeId>> adjacent, NodeId node, NodeId neighbour) {
        var neighbours = adjacent.get(node);
        if (neighbours == null) {
            throw new IllegalArgumentException("ends of an edge must be nodes of the graph, was " + node);
        }
        neighbours.add(neighbour);
    }

    /** A ring in a random order, determined by the seed. */
    public static Topology shuffledRing(int size, long seed) {
        var order = new ArrayList<>(firstNodes(size));
        new SeededRandom(seed).shuffle(order);
        return ring(order);
    }

    private static List<NodeId> firstNodes(int size) {
        requireNodes(size);
        return IntStream.rangeClosed(1, size).mapToObj(NodeId::new).toList();
    }

    private static void requireNodes(int size) {
        if (size < 1 || size >= NodeId.LIMIT) {
            throw new IllegalArgumentException(
                    "number of nodes must be from 1 to " + (NodeId.LIMIT - 1) + ", was " + size);
        }
    }

    public Shape shape() {
        return shape;
    }

    /** In ring order for a ring, else by number. */
    public List<NodeId> nodes() {
        return nodes;
    }

    public int size() {
        return nodes.size();
    }

    /** The highest node number. Gaps can make it larger than the size. */
    public int highestNumber() {
        return known.length() - 1;
    }

    public Neighbourhood neighbourhood(NodeId node) {
        return neighbourhoods.apply(node);
    }

    /** @throws IllegalArgumentException if one of these nodes is not in the topology */
    public void requireKnown(Collection<NodeId> required) {
        for (NodeId node : required) {
            if (!known.get(node.number())) {
                throw new IllegalArgumentException("unknown node: " + node + " (nodes are " + summary() + ")");
            }
        }
    }

    private String summary() {
        return size() <= 12
                ? nodes.stream()
                        .map(NodeId::toString)
                        .reduce((a, b) -> a + " " + b)
                        .orElseThrow()
                : nodes.getFirst() + " … " + nodes.getLast();
    }
}
