package habemus.lab.graph;

import habemus.protocol.NodeId;
import habemus.world.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Parses a graph edge by edge: {@code 1 2} or {@code n1 - n2}. A single number is a node without edges. */
public final class EdgeListParser {

    private static final Pattern EDGE = Pattern.compile("n?(\\d{1,7})(?:\\s*(?:-+|\\s)\\s*n?(\\d{1,7}))?");

    private final SortedSet<NodeId> nodes = new TreeSet<>();
    private final List<Topology.Edge> edges = new ArrayList<>();

    /** @throws IllegalArgumentException if the text is not an edge or a node */
    public void add(String text) {
        var parts = EDGE.matcher(text.strip());
        if (!parts.matches()) {
            throw new IllegalArgumentException("not an edge: '" + text.strip() + "'");
        }
        var node = new NodeId(Integer.parseInt(parts.group(1)));
        nodes.add(node);
        if (parts.group(2) != null) {
            var other = new NodeId(Integer.parseInt(parts.group(2)));
            edges.add(new Topology.Edge(node, other));
            nodes.add(other);
        }
    }

    public boolean isEmpty() {
        return nodes.isEmpty();
    }

    public Topology graph() {
        return Topology.graph(nodes, edges);
    }

    /** A graph as text: each edge once, and nodes without edges, separated by commas. */
    public static String format(Topology graph) {
        var parts = new ArrayList<String>();
        for (NodeId node : graph.nodes()) {
            var peers = graph.neighbourhood(node).neighbours();
            if (peers.isEmpty()) {
                parts.add(Integer.toString(node.number()));
            }
            peers.stream()
                    .filter(peer -> peer.isAbove(node))
                    .forEach(peer -> parts.add(node.number() + "-" + peer.number()));
        }
        return String.join(",", parts);
    }
}
