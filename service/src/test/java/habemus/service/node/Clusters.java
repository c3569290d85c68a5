package habemus.service.node;

import habemus.protocol.NodeId;
import habemus.service.net.Member;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Clusters for tests, on ports that nobody else has. */
public final class Clusters {

    /**
     * A node listens at its port, and 100, 200 and 300 above it: so ports are taken in blocks of 400, of which the
     * first 99 are for nodes. Whoever listens at the last of a block has all of it, as the command line sees it too.
     */
    private static final int BLOCK = 400;

    private static final int NODES = 99;
    private static final int BETWEEN = 100;
    private static final int FIRST = 7_601;

    /** From here on the system gives ports to whoever connects to somebody. */
    private static final int END = 32_768;

    private static final int BLOCKS = (END - FIRST) / BLOCK;

    private static final List<ServerSocket> CLAIMS = new ArrayList<>(); // as long as this process lives
    private static int next; // of the nodes of the last block

    private Clusters() {}

    /** On loopback. */
    public static List<Member> members(int nodes) {
        var members = new ArrayList<Member>();
        while (members.size() < nodes) {
            int port = port();
            if (IntStream.range(0, BLOCK / BETWEEN).allMatch(i -> isFree(port + i * BETWEEN))) {
                var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
                members.add(new Member(new NodeId(members.size() + 1), address));
            }
        }
        return members;
    }

    /** That no other process will choose. */
    private static synchronized int port() {
        if (CLAIMS.isEmpty() || next == NODES) {
            CLAIMS.add(claim());
            next = 0;
        }
        return CLAIMS.getLast().getLocalPort() - BLOCK + 1 + next++;
    }

    /** The lower ones are left to those who begin there. */
    private static ServerSocket claim() {
        return IntStream.rangeClosed(1, BLOCKS)
                .mapToObj(i -> listen(FIRST + (BLOCKS - i + 1) * BLOCK - 1))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow();
    }

    private static Optional<ServerSocket> listen(int port) {
        try {
            return Optional.of(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
        } catch (IOException taken) {
            return Optional.empty();
        }
    }

    private static boolean isFree(int port) {
        var socket = listen(port);
        try {
            if (socket.isPresent()) {
                socket.get().close();
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return socket.isPresent();
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
