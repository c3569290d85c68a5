package habemus.harness.site;

import habemus.cli.terminal.CommandException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Ports of this machine for the nodes of a cluster, from the first on. A node listens at its port, and 100, 200
 * and 300 above it; so clusters begin 400 apart, and whoever listens at the last of these 400 has all of them.
 *
 * @param reservation keeps others from taking them before the nodes listen there
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

    /** Where there is room. */
    public static PortBlock reserve(int nodes) {
        for (int port = FIRST_PORT; port < LAST_PORT; port += BLOCK_SIZE) {
            var found = tryReserve(port, nodes);
            if (found.isPresent()) {
                return found.get();
            }
        }
        throw CommandException.failure("there are not enough free ports", "choose the first one with --port");
    }

    /** Nothing if not all of them are free. */
    public static Optional<PortBlock> tryReserve(int first, int nodes) {
        var claim = listen(first + BLOCK_SIZE - 1);
        if (claim.isPresent() && areFree(first, nodes)) {
            return Optional.of(new PortBlock(first, claim.get()));
        }
        claim.ifPresent(PortBlock::closeSocket);
        return Optional.empty();
    }

    /** With the three more that each needs. */
    public static boolean areFree(int first, int nodes) {
        return IntStream.range(first, first + nodes)
                .flatMap(port -> IntStream.of(port, port + 100, port + 200, port + 300))
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
