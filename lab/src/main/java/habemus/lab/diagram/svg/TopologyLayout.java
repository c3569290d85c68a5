package habemus.lab.diagram.svg;

import habemus.lab.graph.PortableRandom;
import habemus.protocol.NodeId;
import habemus.world.Topology;
import java.util.Map;
import java.util.TreeMap;
import org.jgrapht.alg.drawing.IndexedFRLayoutAlgorithm2D;
import org.jgrapht.alg.drawing.model.Box2D;
import org.jgrapht.alg.drawing.model.LayoutModel2D;
import org.jgrapht.alg.drawing.model.MapLayoutModel2D;
import org.jgrapht.graph.DefaultEdge;
import org.jgrapht.graph.SimpleGraph;

/** Places the nodes of a topology on a square. */
public final class TopologyLayout {

    /** A point of the square, with y downwards. */
    public record Position(double x, double y) {}

    private static final int ITERATIONS = 300;

    private TopologyLayout() {}

    public static Map<NodeId, Position> of(Topology topology, double size) {
        return topology.shape() == Topology.Shape.GRAPH ? forceDirected(topology, size) : onCircle(topology, size);
    }

    /** Force-directed: links attract, nodes repel each other. The same graph always gets the same layout. */
    private static Map<NodeId, Position> forceDirected(Topology topology, double size) {
        var graph = new SimpleGraph<NodeId, DefaultEdge>(null, DefaultEdge::new, false);
        topology.nodes().forEach(graph::addVertex);
        for (NodeId node : topology.nodes()) {
            topology.neighbourhood(node).neighbours().stream()
                    .filter(graph::containsVertex)
                    .forEach(other -> graph.addEdge(node, other));
        }
        var model = new MapLayoutModel2D<NodeId>(Box2D.of(size, size));
        new IndexedFRLayoutAlgorithm2D<NodeId, DefaultEdge>(
                        ITERATIONS,
                        IndexedFRLayoutAlgorithm2D.DEFAULT_THETA_FACTOR,
                        IndexedFRLayoutAlgorithm2D.DEFAULT_NORMALIZATION_FACTOR,
                        new PortableRandom(1))
                .layout(graph, model);
        return stretchToSquare(topology, model, size);
    }

    /** Scales the layout to the edges of the square. */
    private static Map<NodeId, Position> stretchToSquare(Topology topology, LayoutModel2D<NodeId> model, double size) {
        var xs = topology.nodes().stream()
                .mapToDouble(node -> model.get(node).getX())
                .summaryStatistics();
        var ys = topology.nodes().stream()
                .mapToDouble(node -> model.get(node).getY())
                .summaryStatistics();
        var positions = new TreeMap<NodeId, Position>();
        for (NodeId node : topology.nodes()) {
            double x = (model.get(node).getX() - xs.getMin()) / Math.max(1, xs.getMax() - xs.getMin());
            double y = (model.get(node).getY() - ys.getMin()) / Math.max(1, ys.getMax() - ys.getMin());
            positions.put(node, new Position(size * x, size * y));
        }
        return positions;
    }

    /** On a circle in the order of the topology, clockwise from the top. */
    private static Map<NodeId, Position> onCircle(Topology topology, double size) {
        var positions = new TreeMap<NodeId, Position>();
        double radius = size / 2;
        for (int i = 0; i < topology.size(); i++) {
            double angle = 2 * Math.PI * i / topology.size();
            positions.put(
                    topology.nodes().get(i),
                    new Position(radius + radius * Math.sin(angle), radius - radius * Math.cos(angle)));
        }
        return positions;
    }
}
