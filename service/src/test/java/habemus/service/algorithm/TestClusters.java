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

/** Clusters for tests, on ports that no other process uses. */
public final class TestClusters {

    /**
     * A node listens on its port and on those 200 and 300 above it. So ports are reserved in blocks of 400, of which
     * the first 99 are for nodes. The process that listens on the last port of a block owns the whole block.
     */
    private static final int BLOCK = 400;

    private static final int NODES_PER_BLOCK = 99;
    private static final int FIRST_PORT = 7_601;

    /** From here on the system assigns ports to outgoing connections. */
    private static final int EPHEMERAL_PORTS_START = 32_768;

    private static final int BLOCKS = (EPHEMERAL_PORTS_START - FIRST_PORT) / BLOCK;

    private static final List<ServerSocket> RESERVATIONS = new ArrayList<>(); // until this process exits
    private static int next; // node of the last block

    private TestClusters() {}

    /** Members on loopback ports. */
    public static List<Member> members(int nodes) {
        var members = new ArrayList<Member>();
        while (members.size() < nodes) {
            int port = port();
            if (IntStream.of(0, 200, 300).allMatch(offset -> isFree(port + offset))) {
                var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
                members.add(new Member(new NodeId(members.size() + 1), address));
            }
        }
        return members;
    }

    /** A port that no other process chooses. */
    private static synchronized int port() {
        if (RESERVATIONS.isEmpty() || next == NODES_PER_BLOCK) {
            RESERVATIONS.add(reserveBlock());
            next = 0;
        }
        return RESERVATIONS.getLast().getLocalPort() - BLOCK + 1 + next++;
    }

    /** Searches downwards: the command line searches upwards. */
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

    /** Starts all nodes of a cluster in this process. */
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
