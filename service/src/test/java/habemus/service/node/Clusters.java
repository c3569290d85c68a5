package habemus.service.node;

import habemus.protocol.NodeId;
import habemus.service.net.Member;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** Clusters for tests, on ports that nobody else has. */
public final class Clusters {

    private static final int DETECTOR = 100;

    private Clusters() {}

    /** On loopback; of each address also the port for the detector is free. */
    public static List<Member> members(int nodes) {
        var members = new ArrayList<Member>();
        var loopback = InetAddress.getLoopbackAddress();
        while (members.size() < nodes) {
            try (var port = new ServerSocket(0, 1, loopback);
                    var detector = new ServerSocket(port.getLocalPort() + DETECTOR, 1, loopback)) {
                var address = new InetSocketAddress(loopback, port.getLocalPort());
                if (detector.isBound() && members.stream().noneMatch(other -> isTooNear(other, address))) {
                    members.add(new Member(new NodeId(members.size() + 1), address));
                }
            } catch (IOException | IllegalArgumentException taken) {
                // another one
            }
        }
        return members;
    }

    private static boolean isTooNear(Member other, InetSocketAddress address) {
        int distance = Math.abs(other.address().getPort() - address.getPort());
        return distance == 0 || distance == DETECTOR;
    }

    /** All nodes of a cluster in this process, started together. */
    public static List<Node> start(int nodes, String locks, String elections, UnaryOperator<NodeConfig> config) {
        var members = members(nodes);
        var starting = members.stream()
                .map(member -> CompletableFuture.supplyAsync(
                        () -> Node.start(config.apply(NodeConfig.of(members, member.node(), locks, elections))),
                        task -> Thread.ofVirtual().start(task)))
                .toList();
        return starting.stream().map(CompletableFuture::join).toList();
    }
}
