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
 * Who is there: who knows whom, and who is better than whom.
 *
 * @param shape of the topology, in words; empty for the usual one
 */
public record ScopeLayout(Topology topology, String shape, Ranking ranking) {

    /** Everybody knows everybody, or its neighbours on a ring; the higher number is better. */
    static ScopeLayout defaultFor(Algorithm algorithm, int nodes) {
        var topology = algorithm.shape() == Topology.Shape.RING ? Topology.ring(nodes) : Topology.complete(nodes);
        return new ScopeLayout(topology, "", Ranking.BY_NUMBER);
    }

    /** Each differs from the usual one in its graph, or in who is best. */
    static List<ScopeLayout> alternatives(Algorithm algorithm, int nodes) {
        var usual = defaultFor(algorithm, nodes);
        var others = new ArrayList<ScopeLayout>();
        if (algorithm.shape() == Topology.Shape.GRAPH && nodes > 2) {
            others.add(new ScopeLayout(line(nodes), "in a line", Ranking.BY_NUMBER));
            others.add(new ScopeLayout(line(nodes), "in a line", alternating(nodes)));
            if (nodes > 3) {
                others.add(new ScopeLayout(Topology.ring(nodes), "in a ring", Ranking.BY_NUMBER));
                others.add(new ScopeLayout(Topology.ring(nodes), "in a ring", alternating(nodes)));
            }
        }
        if (algorithm.ranked()) {
            others.add(new ScopeLayout(usual.topology, "", reversed(nodes)));
            if (nodes > 3) {
                others.add(new ScopeLayout(usual.topology, "", alternating(nodes)));
            }
        }
        return List.copyOf(others);
    }

    private static Topology line(int nodes) {
        var edges = IntStream.range(1, nodes)
                .mapToObj(i -> new Topology.Edge(new NodeId(i), new NodeId(i + 1)))
                .toList();
        return Topology.graph(nodes(nodes), edges);
    }

    private static List<NodeId> nodes(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(NodeId::new).toList();
    }

    private static Ranking reversed(int nodes) {
        return ranking(nodes, i -> nodes - i);
    }

    /** A good one between any two that are not: n1 is the worst, then the other odd ones, then the even ones. */
    private static Ranking alternating(int nodes) {
        return ranking(nodes, i -> i % 2 == 0 ? nodes + i : i);
    }

    private static Ranking ranking(int nodes, IntUnaryOperator rank) {
        return new Ranking(nodes(nodes).stream()
                .map(node -> new Ranking.Rank(node, rank.applyAsInt(node.number())))
                .toList());
    }

    /** Empty for the usual one. */
    @Override
    public String toString() {
        var ranks = ranking.equals(Ranking.BY_NUMBER) ? "" : "ranked " + order();
        return shape.isEmpty() || ranks.isEmpty() ? shape + ranks : shape + ", " + ranks;
    }

    private String order() {
        return topology.nodes().stream()
                .sorted((one, other) -> ranking.isBetter(one, other) ? -1 : 1)
                .map(NodeId::toString)
                .collect(Collectors.joining(" > "));
    }
}
