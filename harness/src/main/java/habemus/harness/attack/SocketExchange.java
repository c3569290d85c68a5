package habemus.harness.attack;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.BindException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;

/** Sends bytes on a connection of their own, and reads until the node ends the connection. */
final class SocketExchange {

    private static final int MAX_KEPT_BYTES = 64 << 10;
    private static final Duration PORTS_PAUSE = Duration.ofMillis(50);

    private SocketExchange() {}

    /** Whether the attacker ends its side of the connection after it has written. */
    enum Ending {
        HALF_CLOSE,
        STAY_OPEN
    }

    /** {@return what the node has answered; empty if it has not ended the connection in time} */
    static Optional<byte[]> send(Socket socket, byte[] bytes, Ending ending, Duration timeout) throws IOException {
        socket.setSoTimeout(Math.toIntExact(timeout.toMillis()));
        var answer = new ByteArrayOutputStream();
        try {
            socket.getOutputStream().write(bytes);
            if (ending == Ending.HALF_CLOSE) {
                socket.shutdownOutput();
            }
        } catch (SocketTimeoutException never) {
            throw never;
        } catch (IOException closedByNode) {
            // the node has refused the first of these bytes; its answer follows
        }
        return readToEnd(socket, answer, System.nanoTime() + timeout.toNanos())
                ? Optional.of(answer.toByteArray())
                : Optional.empty();
    }

    private static boolean readToEnd(Socket socket, ByteArrayOutputStream answer, long deadline) {
        var buffer = new byte[8_192];
        try {
            var in = socket.getInputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                if (System.nanoTime() - deadline > 0) {
                    return false;
                }
                if (answer.size() < MAX_KEPT_BYTES) {
                    answer.write(buffer, 0, n);
                }
            }
            return true;
        } catch (SocketTimeoutException open) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    /** Connects, and waits while this machine has no free port for the attacker. */
    static Socket connect(Victim victim, Victim.Port port, long turn) throws IOException, InterruptedException {
        while (true) {
            try {
                var socket = victim.connect(port, turn);
                socket.setSoLinger(true, 0); // leaves no connection in TIME_WAIT: there would be too many
                return socket;
            } catch (BindException noFreePort) {
                Thread.sleep(PORTS_PAUSE);
            }
        }
    }
}
