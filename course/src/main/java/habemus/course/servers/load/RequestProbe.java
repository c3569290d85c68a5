package habemus.course.servers.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A single request that shows whether a server answers. */
final class RequestProbe {

    private static final int IDLE_PATIENCE_MILLIS = 5_000;
    private static final int IDLE_ATTEMPTS = 6;

    private RequestProbe() {}

    static boolean isAnswered(int port, int patienceMillis) {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), patienceMillis);
            socket.setSoTimeout(patienceMillis);
            socket.getOutputStream().write("acquire probe 2\n".getBytes(StandardCharsets.US_ASCII));
            var reply = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return reply.startsWith("granted");
        } catch (IOException noAnswer) {
            return false;
        }
    }

    /** Returns when the server has worked off what an earlier load left in its queues: they are first in, first out. */
    static void awaitIdle(int port) {
        for (int i = 0; i < IDLE_ATTEMPTS; i++) {
            if (isAnswered(port, IDLE_PATIENCE_MILLIS)) {
                return;
            }
        }
        throw new IllegalStateException("the server does not become idle after a load");
    }
}
