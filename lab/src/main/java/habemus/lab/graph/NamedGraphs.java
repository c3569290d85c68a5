package habemus.lab.graph;

import habemus.protocol.NodeId;
import habemus.world.SeededRandom;
import habemus.world.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jgrapht.Graph;
import org.jgrapht.alg.connectivity.ConnectivityInspector;
import org.jgrapht.generate.BarabasiAlbertGraphGenerator;
import org.jgrapht.generate.GnpRandomGraphGenerator;
import org.jgrapht.generate.GraphGenerator;
import org.jgrapht.generate.PruferTreeGenerator;
import org.jgrapht.graph.DefaultEdge;
import org.jgrapht.graph.SimpleGraph;

/** Generates graphs by name. The same seed generates the same random graph on every machine. */
public final class NamedGraphs {

    private NamedGraphs() {}

    /** A grid, numbered row by row. JGraphT's own generator compares every pair of nodes. */
    public static Topology grid(int rows, int columns) {
        var nodes = firstNodes(rows * columns);
        var edges = new ArrayList<Topology.Edge>();
        for (int i = 0; i < nodes.size(); i++) {
            if (i % columns > 0) {
                edges.add(new Topology.Edge(nodes.get(i - 1), nodes.get(i)));
            }
            if (i >= columns) {
                edges.add(new Topology.Edge(nodes.get(i - columns), nodes.get(i)));
            }
        }
        return Topology.graph(nodes, edges);
    }

    /** A random tree, uniformly distributed. */
    public static Topology tree(int size, long seed) {
        return size == 1 ? grid(1, 1) : generate(new PruferTreeGenerator<>(size, seededRandom(seed)));
    }

    /** A tree with this many children per node, filled level by level from n1 on. */
    public static Topology balancedTree(int size, int children) {
        var nodes = firstNodes(size);
        var edges =
                IntStream.range(1, size).mapToObj(i -> new Topology.Edge(nodes.get(i), nodes.get((i - 1) / children)));
        return Topology.graph(nodes, edges.toList());
    }

    /** A random graph that has each edge with this probability. It may be disconnected. */
    public static Topology random(int size, double probability, long seed) {
        return generate(new GnpRandomGraphGenerator<>(size, probability, seededRandom(seed), false));
    }

    /** An edge probability with which a random graph is almost always connected. */
    public static double connectedEdgeProbability(int size) {
        return Math.min(1, (2 * Math.log(size) + 2) / size);
    }

    /** A scale-free graph (Barabási and Albert): each new node prefers neighbours with many edges. */
    public static Topology scaleFree(int size, int neighbours, long seed) {
        return generate(new BarabasiAlbertGraphGenerator<>(neighbours, neighbours, size, seededRandom(seed)));
    }

    /** Similar seeds give similar first numbers, so they are mixed. */
    private static Random seededRandom(long seed) {
        return new PortableRandom(new SeededRandom(seed).nextLong());
    }

    private static List<NodeId> firstNodes(int size) {
        return IntStream.rangeClosed(1, size).mapToObj(NodeId::new).toList();
    }

    private static Topology generate(GraphGenerator<Integer, DefaultEdge, Integer> generator) {
        var lastVertex = new AtomicInteger();
        var graph = new SimpleGraph<Integer, DefaultEdge>(lastVertex::incrementAndGet, DefaultEdge::new, false);
        generator.generateGraph(graph, null);
        var edges = graph.edgeSet().stream()
                .map(edge ->
                        new Topology.Edge(new NodeId(graph.getEdgeSource(edge)), new NodeId(graph.getEdgeTarget(edge))))
                .toList();
        return Topology.graph(graph.vertexSet().stream().map(NodeId::new).toList(), edges);
    }

    /** The connected components, each sorted by number, ordered by their lowest node. */
    public static List<List<NodeId>> connectedComponents(Topology topology) {
        Graph<NodeId, DefaultEdge> graph = new SimpleGraph<>(null, DefaultEdge::new, false);
        topology.nodes().forEach(graph::addVertex);
        for (NodeId node : topology.nodes()) {
            for (NodeId peer : topology.neighbourhood(node).neighbours()) {
                if (peer.isAbove(node)) {
                    graph.addEdge(node, peer);
                }
            }
        }
        return new ConnectivityInspector<>(graph)
                .connectedSets().stream()
                        .map(component -> List.copyOf(new TreeSet<>(component)))
                        .sorted((a, b) -> a.getFirst().compareTo(b.getFirst()))
                        .toList();
    }
}
