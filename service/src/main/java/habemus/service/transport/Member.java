package habemus.service.transport;

import habemus.protocol.NodeId;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** A node of a cluster, and where it listens for the others. */
public record Member(NodeId node, InetSocketAddress address) {

    /**
     * Of a text like {@code n1=127.0.0.1:7601,n2=127.0.0.1:7602}; the names may be left out.
     *
     * @throws IllegalArgumentException saying what is wrong with it
     */
    public static List<Member> parse(String cluster) {
        var members = new ArrayList<Member>();
        for (String text : cluster.split(",", -1)) {
            var parts = text.strip().split("=", -1);
            var name = parts.length == 1 ? "n" + (members.size() + 1) : parts[0];
            members.add(new Member(parseNode(name), parseAddress(parts[parts.length - 1], text)));
        }
        if (members.stream().map(Member::node).distinct().count() < members.size()) {
            throw new IllegalArgumentException("a node is there twice in " + cluster);
        }
        return List.copyOf(members);
    }

    /** @throws IllegalArgumentException if it is no name of a node, as {@code n1} is */
    public static NodeId parseNode(String name) {
        if (!name.matches("n?[1-9]\\d{0,5}")) {
            throw new IllegalArgumentException("'" + name + "' is no node: nodes are n1, n2 …");
        }
        return new NodeId(Integer.parseInt(name.replace("n", "")));
    }

    /** @throws IllegalArgumentException if it is none */
    public static InetSocketAddress parseAddress(String text, String input) {
        int colon = text.lastIndexOf(':');
        boolean number = text.substring(colon + 1).matches("\\d{1,5}");
        int port = number ? Integer.parseInt(text.substring(colon + 1)) : -1;
        if (colon < 1 || port < 1 || port > 65_535) {
            throw new IllegalArgumentException("'" + input + "' has no address like 127.0.0.1:7601");
        }
        return new InetSocketAddress(text.substring(0, colon), port);
    }

    @Override
    public String toString() {
        return node + "=" + address.getHostString() + ":" + address.getPort();
    }
}
