package habemus.lab.graph;

import habemus.protocol.NodeId;
import habemus.world.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** A graph that is read edge by edge: {@code 1 2} or {@code n1 - n2}; a node may also stand alone. */
public final class EdgeListParser {

    private static final Pattern EDGE = Pattern.compile("n?(\\d{1,7})(?:\\s*(?:-+|\\s)\\s*n?(\\d{1,7}))?");

    private final SortedSet<NodeId> nodes = new TreeSet<>();
    private final List<Topology.Edge> edges = new ArrayList<>();

    /** @throws IllegalArgumentException saying what is wrong with it */
    public void add(String text) {
        var parts = EDGE.matcher(text.strip());
        if (!parts.matches()) {
            throw new IllegalArgumentException("'" + text.strip() + "' is no edge");
        }
        var one = new NodeId(Integer.parseInt(parts.group(1)));
        nodes.add(one);
        if (parts.group(2) != null) {
            var other = new NodeId(Integer.parseInt(parts.group(2)));
            edges.add(new Topology.Edge(one, other));
            nodes.add(other);
        }
    }

    public boolean isEmpty() {
        return nodes.isEmpty();
    }

    public Topology graph() {
        return Topology.graph(nodes, edges);
    }

    /** The same as text: every edge once, and nodes without any, separated by commas. */
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
