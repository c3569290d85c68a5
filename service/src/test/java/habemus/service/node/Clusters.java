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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Clusters for tests, on ports that nobody else has. */
public final class Clusters {

    /** A node listens at its port, and 100, 200 and 300 above it: a hundred ports, then none for three hundred. */
    private static final int BLOCK = 100;

    /** Below those that the system gives to whoever connects to somebody. */
    private static final int FIRST = 10_000;

    private static final int BLOCKS = 50;

    private static final AtomicInteger NEXT =
            new AtomicInteger((int) (ProcessHandle.current().pid() * 7 % BLOCKS) * BLOCK);

    private Clusters() {}

    /** On loopback. */
    public static List<Member> members(int nodes) {
        var members = new ArrayList<Member>();
        while (members.size() < nodes) {
            int next = NEXT.getAndIncrement() % (BLOCKS * BLOCK);
            int port = FIRST + next / BLOCK * 4 * BLOCK + next % BLOCK;
            if (Stream.of(port, port + BLOCK, port + 2 * BLOCK, port + 3 * BLOCK)
                    .allMatch(Clusters::isFree)) {
                var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
                members.add(new Member(new NodeId(members.size() + 1), address));
            }
        }
        return members;
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
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
