package habemus.service.algorithm;

import habemus.protocol.NodeId;
import habemus.service.transport.Member;
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
public final class TestClusters {

    /**
     * A node listens at its port, and 100, 200 and 300 above it: so ports are taken in blocks of 400, of which the
     * first 99 are for nodes. Whoever listens at the last of a block has all of it, as the command line sees it too.
     */
    private static final int BLOCK = 400;

    private static final int NODES_PER_BLOCK = 99;
    private static final int PORT_OFFSET = 100;
    private static final int FIRST_PORT = 7_601;

    /** From here on the system gives ports to whoever connects to somebody. */
    private static final int EPHEMERAL_PORTS_START = 32_768;

    private static final int BLOCKS = (EPHEMERAL_PORTS_START - FIRST_PORT) / BLOCK;

    private static final List<ServerSocket> RESERVATIONS = new ArrayList<>(); // as long as this process lives
    private static int next; // of the nodes of the last block

    private TestClusters() {}

    /** On loopback. */
    public static List<Member> members(int nodes) {
        var members = new ArrayList<Member>();
        while (members.size() < nodes) {
            int port = port();
            if (IntStream.range(0, BLOCK / PORT_OFFSET).allMatch(i -> isFree(port + i * PORT_OFFSET))) {
                var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
                members.add(new Member(new NodeId(members.size() + 1), address));
            }
        }
        return members;
    }

    /** That no other process will choose. */
    private static synchronized int port() {
        if (RESERVATIONS.isEmpty() || next == NODES_PER_BLOCK) {
            RESERVATIONS.add(reserveBlock());
            next = 0;
        }
        return RESERVATIONS.getLast().getLocalPort() - BLOCK + 1 + next++;
    }

    /** The lower ones are left to those who begin there. */
    private static ServerSocket reserveBlock() {
        return IntStream.rangeClosed(1, BLOCKS)
                .mapToObj(i -> listen(FIRST_PORT + (BLOCKS - i + 1) * BLOCK - 1))
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
    public static List<AlgorithmNode> start(
            int nodes, String locks, String elections, UnaryOperator<AlgorithmNodeConfig> config) {
        var members = members(nodes);
        var starting = members.stream()
                .map(member -> CompletableFuture.supplyAsync(
                        () -> AlgorithmNode.start(
                                config.apply(AlgorithmNodeConfig.of(members, member.node(), locks, elections))),
                        task -> Thread.ofVirtual().start(task)))
                .toList();
        return starting.stream().map(CompletableFuture::join).toList();
    }
}
