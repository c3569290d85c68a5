package habemus.service.transport;

import habemus.protocol.NodeId;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** A node of a cluster and its address for the other nodes. */
public record Member(NodeId node, InetSocketAddress address) {

    /**
     * Parses a member list like {@code n1=127.0.0.1:7601,n2=127.0.0.1:7602}. Names are optional; the default is n1, n2
     * and so on.
     *
     * @throws IllegalArgumentException if the list is invalid
     */
    public static List<Member> parse(String cluster) {
        var members = new ArrayList<Member>();
        for (String text : cluster.split(",", -1)) {
            var parts = text.strip().split("=", -1);
            var name = parts.length == 1 ? "n" + (members.size() + 1) : parts[0];
            members.add(new Member(parseNode(name), parseAddress(parts[parts.length - 1], text)));
        }
        if (members.stream().map(Member::node).distinct().count() < members.size()) {
            throw new IllegalArgumentException("duplicate node in the member list: '" + cluster + "'");
        }
        return List.copyOf(members);
    }

    /**
     * Parses a node name like {@code n1} or {@code 1}.
     *
     * @throws IllegalArgumentException if the name is invalid
     */
    public static NodeId parseNode(String name) {
        if (!name.matches("n?[1-9]\\d{0,5}")) {
            throw new IllegalArgumentException("invalid node name: '" + name + "' (n1, n2, …)");
        }
        return new NodeId(Integer.parseInt(name.replace("n", "")));
    }

    /**
     * Parses an address like {@code 127.0.0.1:7601}.
     *
     * @param input the text to quote in the message
     * @throws IllegalArgumentException if the address is invalid
     */
    public static InetSocketAddress parseAddress(String text, String input) {
        int colon = text.lastIndexOf(':');
        boolean hasPort = text.substring(colon + 1).matches("\\d{1,5}");
        int port = hasPort ? Integer.parseInt(text.substring(colon + 1)) : -1;
        if (colon < 1 || port < 1 || port > 65_535) {
            throw new IllegalArgumentException("invalid address: '" + input + "' (HOST:PORT)");
        }
        return new InetSocketAddress(text.substring(0, colon), port);
    }

    /** The address as {@code host:port}. */
    public String addressText() {
        return address.getHostString() + ":" + address.getPort();
    }

    @Override
    public String toString() {
        return node + "=" + addressText();
    }
}
