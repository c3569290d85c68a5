package habemus.harness.site;

import habemus.harness.HarnessException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A block of 400 loopback ports for the nodes of a cluster. A node listens on its port and on those 200 and 300 above
 * it. The process that listens on the last port of a block owns the whole block.
 *
 * @param first port of the first node
 * @param reservation listens on the last port of the block until the cluster is closed
 */
public record PortBlock(int first, ServerSocket reservation) implements ClusterSite {

    private static final int FIRST_PORT = 7_601;
    private static final int LAST_PORT = 60_000;
    private static final int BLOCK_SIZE = 400;

    @Override
    public String host(int node) {
        return "127.0.0.1";
    }

    @Override
    public int port(int node) {
        return first + node - 1;
    }

    @Override
    public List<String> commandPrefix(int node) {
        return List.of();
    }

    /** Reserves the first free block. */
    public static PortBlock reserve(int nodes) {
        for (int port = FIRST_PORT; port < LAST_PORT; port += BLOCK_SIZE) {
            var found = tryReserve(port, nodes);
            if (found.isPresent()) {
                return found.get();
            }
        }
        throw new HarnessException("no block of " + BLOCK_SIZE + " free ports found", "choose one with --port");
    }

    /** Empty if not all ports of the nodes are free. */
    public static Optional<PortBlock> tryReserve(int first, int nodes) {
        var reservation = listen(first + BLOCK_SIZE - 1);
        if (reservation.isPresent() && areFree(first, nodes)) {
            return Optional.of(new PortBlock(first, reservation.get()));
        }
        reservation.ifPresent(PortBlock::closeSocket);
        return Optional.empty();
    }

    /** Whether the ports of each node are free. */
    public static boolean areFree(int first, int nodes) {
        return IntStream.range(first, first + nodes)
                .flatMap(port -> IntStream.of(port, port + 200, port + 300))
                .allMatch(PortBlock::isFree);
    }

    private static boolean isFree(int port) {
        var socket = listen(port);
        socket.ifPresent(PortBlock::closeSocket);
        return socket.isPresent();
    }

    private static Optional<ServerSocket> listen(int port) {
        try {
            return Optional.of(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
        } catch (IOException taken) {
            return Optional.empty();
        }
    }

    private static void closeSocket(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void close() {
        closeSocket(reservation);
    }
}
