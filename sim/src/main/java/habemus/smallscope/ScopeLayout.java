package habemus.smallscope;

import habemus.catalogue.Algorithm;
import habemus.protocol.NodeId;
import habemus.protocol.Ranking;
import habemus.world.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The topology and the ranking of a small scope.
 *
 * @param shape a description of the topology; empty for the default topology of the algorithm
 */
public record ScopeLayout(Topology topology, String shape, Ranking ranking) {

    /** A complete graph, or a ring if the algorithm requires one; ranked by number. */
    static ScopeLayout defaultFor(Algorithm algorithm, int nodes) {
        var topology = algorithm.shape() == Topology.Shape.RING ? Topology.ring(nodes) : Topology.complete(nodes);
        return new ScopeLayout(topology, "", Ranking.BY_NUMBER);
    }

    /** Layouts that differ from the default in the graph or in the ranking. */
    static List<ScopeLayout> alternatives(Algorithm algorithm, int nodes) {
        var standard = defaultFor(algorithm, nodes);
        var layouts = new ArrayList<ScopeLayout>();
        if (algorithm.shape() == Topology.Shape.GRAPH && nodes > 2) {
            layouts.add(new ScopeLayout(Topology.line(nodes), "in a line", Ranking.BY_NUMBER));
            layouts.add(new ScopeLayout(Topology.line(nodes), "in a line", alternating(nodes)));
            if (nodes > 3) {
                layouts.add(new ScopeLayout(Topology.ring(nodes), "in a ring", Ranking.BY_NUMBER));
                layouts.add(new ScopeLayout(Topology.ring(nodes), "in a ring", alternating(nodes)));
            }
        }
        if (algorithm.ranked()) {
            layouts.add(new ScopeLayout(standard.topology, "", reversed(nodes)));
            if (nodes > 3) {
                layouts.add(new ScopeLayout(standard.topology, "", alternating(nodes)));
            }
        }
        return List.copyOf(layouts);
    }

    private static List<NodeId> nodes(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(NodeId::new).toList();
    }

    private static Ranking reversed(int nodes) {
        return ranking(nodes, i -> nodes - i);
    }

    /** Good and bad nodes alternate: the odd numbers rank below the even numbers. */
    private static Ranking alternating(int nodes) {
        return ranking(nodes, i -> i % 2 == 0 ? nodes + i : i);
    }

    private static Ranking ranking(int nodes, IntUnaryOperator rank) {
        return new Ranking(nodes(nodes).stream()
                .map(node -> new Ranking.Rank(node, rank.applyAsInt(node.number())))
                .toList());
    }

    /** A description; empty for the default layout. */
    @Override
    public String toString() {
        var ranks = ranking.equals(Ranking.BY_NUMBER) ? "" : "ranked " + order();
        return shape.isEmpty() || ranks.isEmpty() ? shape + ranks : shape + ", " + ranks;
    }

    private String order() {
        return topology.nodes().stream()
                .sorted((left, right) -> ranking.isBetter(left, right) ? -1 : 1)
                .map(NodeId::toString)
                .collect(Collectors.joining(" > "));
    }
}
