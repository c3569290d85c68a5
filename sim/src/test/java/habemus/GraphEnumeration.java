package habemus;

import static habemus.ProtocolFixture.n;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** All connected labelled graphs of a few nodes. */
public final class GraphEnumeration {

    private GraphEnumeration() {}

    /** There are 1, 1, 4, 38 and 728 graphs of 1, 2, 3, 4 and 5 nodes. */
    public static List<Topology> of(int size) {
        var nodes = IntStream.rangeClosed(1, size).mapToObj(NodeId::new).toList();
        var pairs = new ArrayList<Topology.Edge>();
        for (int i = 1; i <= size; i++) {
            for (int j = 1; j < i; j++) {
                pairs.add(new Topology.Edge(n(j), n(i)));
            }
        }
        return IntStream.range(0, 1 << pairs.size())
                .mapToObj(set -> Topology.graph(nodes, subset(pairs, set)))
                .filter(GraphEnumeration::isConnected)
                .toList();
    }

    private static List<Topology.Edge> subset(List<Topology.Edge> pairs, int set) {
        return IntStream.range(0, pairs.size())
                .filter(i -> (set & 1 << i) != 0)
                .mapToObj(pairs::get)
                .toList();
    }

    private static boolean isConnected(Topology graph) {
        var reached = NodeSet.of(graph.nodes().getFirst());
        for (int i = 1; i < graph.size(); i++) {
            for (NodeId node : reached) {
                reached = reached.with(graph.neighbourhood(node).peers());
            }
        }
        return reached.size() == graph.size();
    }

    public static int edgeCount(Topology graph) {
        return graph.nodes().stream()
                        .mapToInt(node -> graph.neighbourhood(node).peers().size())
                        .sum()
                / 2;
    }

    /** A path through these nodes. */
    public static Topology path(int... numbers) {
        var edges =
                IntStream.range(1, numbers.length).mapToObj(i -> new Topology.Edge(n(numbers[i - 1]), n(numbers[i])));
        return Topology.graph(ProtocolFixture.nodes(numbers).toList(), edges.toList());
    }
}
