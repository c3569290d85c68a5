package habemus.lab.graph;

import habemus.protocol.NodeId;
import habemus.world.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jgrapht.Graph;
import org.jgrapht.alg.connectivity.ConnectivityInspector;
import org.jgrapht.generate.BarabasiAlbertGraphGenerator;
import org.jgrapht.generate.GnpRandomGraphGenerator;
import org.jgrapht.generate.GraphGenerator;
import org.jgrapht.generate.PruferTreeGenerator;
import org.jgrapht.graph.DefaultEdge;
import org.jgrapht.graph.SimpleGraph;
import org.jgrapht.util.SupplierUtil;

/** The graphs that have a name. Those by chance are drawn by a seed: the same one on any machine. */
public final class NamedGraphs {

    private NamedGraphs() {}

    /** Row by row; everybody can talk to those beside, above and below. JGraphT's own compares every two nodes. */
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

    /** Any tree, each as likely as any other. */
    public static Topology tree(int size, long seed) {
        return size == 1 ? grid(1, 1) : generate(new PruferTreeGenerator<>(size, seededRandom(seed)));
    }

    /** A tree in which everybody has so many children, from n1 on row by row, until there are no more nodes. */
    public static Topology balancedTree(int size, int children) {
        var nodes = firstNodes(size);
        var edges =
                IntStream.range(1, size).mapToObj(i -> new Topology.Edge(nodes.get(i), nodes.get((i - 1) / children)));
        return Topology.graph(nodes, edges.toList());
    }

    /** Each edge is there with this probability; the whole is not always connected. */
    public static Topology random(int size, double probability, long seed) {
        return generate(new GnpRandomGraphGenerator<>(size, probability, seededRandom(seed), false));
    }

    /** So large that a random graph is connected almost always. */
    public static double connectedEdgeProbability(int size) {
        return Math.min(1, (2 * Math.log(size) + 2) / size);
    }

    /** One node after the other comes and takes so many neighbours, mostly those that have many already. */
    public static Topology scaleFree(int size, int neighbours, long seed) {
        return generate(new BarabasiAlbertGraphGenerator<>(neighbours, neighbours, size, seededRandom(seed)));
    }

    /** Specified to the bit. Seeds that are near to each other make {@link Random} itself begin nearly alike. */
    private static Random seededRandom(long seed) {
        return new Random(new SplittableRandom(seed).nextLong());
    }

    private static List<NodeId> firstNodes(int size) {
        return IntStream.rangeClosed(1, size).mapToObj(NodeId::new).toList();
    }

    private static Topology generate(GraphGenerator<Integer, DefaultEdge, Integer> generator) {
        var graph = new SimpleGraph<>(
                SupplierUtil.createIntegerSupplier(1), SupplierUtil.createDefaultEdgeSupplier(), false);
        generator.generateGraph(graph, null);
        var edges = graph.edgeSet().stream()
                .map(edge ->
                        new Topology.Edge(new NodeId(graph.getEdgeSource(edge)), new NodeId(graph.getEdgeTarget(edge))))
                .toList();
        return Topology.graph(graph.vertexSet().stream().map(NodeId::new).toList(), edges);
    }

    /** The parts that cannot talk to each other, each by number, the one with the lowest node first. */
    public static List<List<NodeId>> connectedComponents(Topology topology) {
        Graph<NodeId, DefaultEdge> graph = new SimpleGraph<>(DefaultEdge.class);
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
                        .map(part -> List.copyOf(new TreeSet<>(part)))
                        .sorted((one, other) -> one.getFirst().compareTo(other.getFirst()))
                        .toList();
    }
}
