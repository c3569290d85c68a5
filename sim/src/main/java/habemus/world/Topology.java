package habemus.world;

import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
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
import java.util.Random;
import java.util.RandomAccess;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Who stands where, and can talk to whom. */
public final class Topology {

    /** The kinds that an algorithm may ask for. */
    public enum Shape {
        /** Everybody can talk to everybody. */
        COMPLETE,
        /** Everybody can talk to the one after and the one before. */
        RING,
        /** Any graph: whoever shares an edge can talk. As what an algorithm asks for, any one that is connected. */
        GRAPH;

        /** Whether an algorithm that asks for this shape can run on that one. */
        public boolean admits(Shape other) {
            return this == GRAPH || this == other;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Whoever is at one end can talk to whoever is at the other. */
    public record Edge(NodeId first, NodeId second) {
        public Edge {
            if (first.equals(second)) {
                throw new IllegalArgumentException("an edge joins two nodes, not " + first + " with itself");
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
                Shape.COMPLETE, nodes, self -> new Neighbourhood(self, new Others(nodes, self.number() - 1)));
    }

    /** All nodes but one, as a view: a hundred thousand nodes that all know each other are too many lists. */
    private static final class Others extends AbstractList<NodeId> implements RandomAccess {
        private final List<NodeId> nodes;
        private final int left;

        /** @param left where the one stands that is left out */
        Others(List<NodeId> nodes, int left) {
            this.nodes = nodes;
            this.left = left;
        }

        @Override
        public NodeId get(int index) {
            Objects.checkIndex(index, size());
            return nodes.get(index < left ? index : index + 1);
        }

        @Override
        public int size() {
            return nodes.size() - 1;
        }
    }

    /** A ring in the order of the numbers. */
    public static Topology ring(int size) {
        return ring(firstNodes(size));
    }

    /** A ring in the order given: each is followed by the next, and the last by the first. */
    public static Topology ring(List<NodeId> order) {
        requireNodes(order.size());
        if (new HashSet<>(order).size() < order.size()) {
            throw new IllegalArgumentException("a ring has every node once: " + order);
        }
        var nodes = List.copyOf(order);
        int size = nodes.size();
        var at = new int[nodes.stream().mapToInt(NodeId::number).max().orElseThrow() + 1];
        IntStream.range(0, size).forEach(i -> at[nodes.get(i).number()] = i);
        return new Topology(Shape.RING, nodes, self -> {
            int i = at[self.number()];
            return new Neighbourhood(self, List.of(nodes.get((i + 1) % size), nodes.get((i + size - 1) % size)));
        });
    }

    /**
     * Any graph, connected or not. An edge that is there twice, or both ways, counts once.
     *
     * @throws IllegalArgumentException if an edge ends at a node that is not among them
     */
    public static Topology graph(Collection<NodeId> nodes, Collection<Edge> edges) {
        requireNodes(nodes.size());
        var adjacent = new TreeMap<NodeId, Set<NodeId>>();
        nodes.forEach(node -> adjacent.put(node, new TreeSet<>()));
        for (Edge edge : edges) {
            join(adjacent, edge.first(), edge.second());
            join(adjacent, edge.second(), edge.first());
        }
        var sorted = List.copyOf(adjacent.keySet());
        var neighbourhoods = new Neighbourhood[sorted.getLast().number() + 1];
        adjacent.forEach(
                (self, others) -> neighbourhoods[self.number()] = new Neighbourhood(self, List.copyOf(others)));
        return new Topology(Shape.GRAPH, sorted, self -> neighbourhoods[self.number()]);
    }

    private static void join(Map<NodeId, Set<NodeId>> adjacent, NodeId one, NodeId other) {
        var others = adjacent.get(one);
        if (others == null) {
            throw new IllegalArgumentException("an edge ends at " + one + ", which is not among the nodes");
        }
        others.add(other);
    }

    /** A ring in an order that the seed draws. */
    public static Topology shuffledRing(int size, long seed) {
        var order = new ArrayList<>(firstNodes(size));
        Collections.shuffle(order, new Random(seed)); // both are specified to the bit
        return ring(order);
    }

    private static List<NodeId> firstNodes(int size) {
        requireNodes(size);
        return IntStream.rangeClosed(1, size).mapToObj(NodeId::new).toList();
    }

    private static void requireNodes(int size) {
        if (size < 1 || size >= NodeId.LIMIT) {
            throw new IllegalArgumentException("there are 1 to " + (NodeId.LIMIT - 1) + " nodes, not " + size);
        }
    }

    public Shape shape() {
        return shape;
    }

    /** In a ring as they follow each other, else by number. */
    public List<NodeId> nodes() {
        return nodes;
    }

    public int size() {
        return nodes.size();
    }

    /** The highest number, which gaps can make larger than the size. */
    public int highestNumber() {
        return known.length() - 1;
    }

    public Neighbourhood neighbourhood(NodeId node) {
        return neighbourhoods.apply(node);
    }

    /** @throws IllegalArgumentException naming one that does not stand here */
    public void requireKnown(Collection<NodeId> named) {
        for (NodeId node : named) {
            if (!known.get(node.number())) {
                throw new IllegalArgumentException("there is no " + node + " among " + summary());
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
