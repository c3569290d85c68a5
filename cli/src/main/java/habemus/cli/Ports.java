package habemus.cli;

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
 * @param claim keeps others from taking them before the nodes listen there
 */
record Ports(int first, ServerSocket claim) implements Site {

    private static final int FIRST = 7_601;
    private static final int LAST = 60_000;
    private static final int STEP = 400;

    @Override
    public String host(int node) {
        return "127.0.0.1";
    }

    @Override
    public int port(int node) {
        return first + node - 1;
    }

    @Override
    public List<String> at(int node) {
        return List.of();
    }

    /** Where there is room. */
    static Ports find(int nodes) {
        for (int port = FIRST; port < LAST; port += STEP) {
            var found = at(port, nodes);
            if (found.isPresent()) {
                return found.get();
            }
        }
        throw Refusal.cannot("there are not enough free ports", "choose the first one with --port");
    }

    /** Nothing if not all of them are free. */
    static Optional<Ports> at(int first, int nodes) {
        var claim = listen(first + STEP - 1);
        if (claim.isPresent() && areFree(first, nodes)) {
            return Optional.of(new Ports(first, claim.get()));
        }
        claim.ifPresent(Ports::shut);
        return Optional.empty();
    }

    /** With the three more that each needs. */
    static boolean areFree(int first, int nodes) {
        return IntStream.range(first, first + nodes)
                .flatMap(port -> IntStream.of(port, port + 100, port + 200, port + 300))
                .allMatch(Ports::isFree);
    }

    private static boolean isFree(int port) {
        var socket = listen(port);
        socket.ifPresent(Ports::shut);
        return socket.isPresent();
    }

    private static Optional<ServerSocket> listen(int port) {
        try {
            return Optional.of(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
        } catch (IOException taken) {
            return Optional.empty();
        }
    }

    private static void shut(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void close() {
        shut(claim);
    }
}
