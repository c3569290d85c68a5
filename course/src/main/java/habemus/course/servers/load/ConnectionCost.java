package habemus.course.servers.load;

import habemus.course.servers.process.ProcessMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What silent clients cost a server: they connect, send half of a request, and wait.
 *
 * @param clients that tried to connect
 * @param open connections that the server accepted and did not close
 * @param refused by the server
 * @param threads more than before
 * @param memory more than before
 * @param answered whether the server answered another client, while these were silent, in {@link #PATIENCE_MILLIS}
 */
public record ConnectionCost(
        ServerSettings settings,
        int clients,
        int open,
        long refused,
        int threads,
        ProcessMemory memory,
        boolean answered) {

    public static final int PATIENCE_MILLIS = 2_000;
    private static final int WARM_UP_CLIENTS = 50;
    private static final int SETTLE_ATTEMPTS = 40;

    public static ConnectionCost measure(ServerSettings settings, int clients) {
        try (var server = LockServerProcess.start(settings)) {
            for (int i = 0; i < WARM_UP_CLIENTS; i++) {
                RequestProbe.isAnswered(server.port(), PATIENCE_MILLIS);
            }
            var idle = settled(server);
            var before = server.memory();
            var sockets = connect(server.port(), clients);
            try {
                var busy = settled(server);
                var memory = server.memory().minus(before);
                boolean answered = RequestProbe.isAnswered(server.port(), PATIENCE_MILLIS);
                return new ConnectionCost(
                        settings,
                        clients,
                        busy.connections(),
                        busy.refused() - idle.refused(),
                        busy.threads() - idle.threads(),
                        memory,
                        answered);
            } finally {
                sockets.forEach(ConnectionCost::close);
            }
        }
    }

    /** The statistics when two in a row are equal. */
    private static ServerStatistics settled(LockServerProcess server) {
        var last = server.statistics();
        for (int i = 0; i < SETTLE_ATTEMPTS; i++) {
            pause();
            var next = server.statistics();
            if (next.equals(last)) {
                return next;
            }
            last = next;
        }
        return last;
    }

    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /** As many as the server and the system accept. */
    private static List<Socket> connect(int port, int clients) {
        var sockets = new ArrayList<Socket>();
        for (int i = 0; i < clients; i++) {
            var socket = new Socket();
            sockets.add(socket);
            try {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
                socket.getOutputStream().write("acquire".getBytes(StandardCharsets.US_ASCII));
            } catch (SocketTimeoutException backlogFull) {
                return sockets;
            } catch (IOException refused) {
                close(socket);
            }
        }
        return sockets;
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    public double heapBytesPerConnection() {
        return (double) memory.heapBytes() / Math.max(1, open);
    }

    public double nativeBytesPerConnection() {
        return (double) memory.residentBytes() / Math.max(1, open);
    }
}
