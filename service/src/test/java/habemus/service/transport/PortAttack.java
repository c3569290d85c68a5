package habemus.service.transport;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;

/** What an attacker sends to a port of a node. */
public final class PortAttack {

    private static final String FIRST_BYTES_OF_A_FRAME = "\0\0\17\0 "; // of 3,840 bytes
    private static final String FIRST_BYTES_OF_TLS = "\26\3\1\17 "; // of a record with a handshake

    private PortAttack() {}

    public static byte[] randomBytes() {
        var bytes = new byte[100_000];
        new SplittableRandom(1).nextBytes(bytes);
        return bytes;
    }

    public static byte[] hugeLength() {
        return ByteBuffer.allocate(4).putInt(Integer.MAX_VALUE).array();
    }

    public static byte[] httpRequest() {
        return "GET / HTTP/1.1\r\nHost: n1\r\n\r\n".getBytes(US_ASCII);
    }

    /** A frame with a serialized object. */
    public static byte[] serializedObject() throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new ObjectOutputStream(bytes)) {
            out.writeObject(new ArrayList<>(List.of("gadget")));
        }
        return frame(bytes.toByteArray());
    }

    public static byte[] frame(byte[] content) {
        return ByteBuffer.allocate(4 + content.length)
                .putInt(content.length)
                .put(content)
                .array();
    }

    /** Writes as much as the node reads. */
    public static void write(Socket socket, byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException closed) {
            // the node has closed the connection already
        }
    }

    /** Sends the handshake of a frame or of TLS byte by byte, until the executor is shut down. */
    @SuppressWarnings("FutureReturnValueIgnored") // a failed write ends the attack
    public static ScheduledExecutorService dripHandshake(Socket socket, boolean hasTls) {
        var bytes = hasTls ? FIRST_BYTES_OF_TLS : FIRST_BYTES_OF_A_FRAME;
        var sent = new AtomicInteger();
        var scheduler = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().factory());
        scheduler.scheduleAtFixedRate(
                () -> writeByte(socket, bytes.charAt(Math.min(sent.getAndIncrement(), bytes.length() - 1))),
                0,
                50,
                MILLISECONDS);
        return scheduler;
    }

    private static void writeByte(Socket socket, int value) {
        try {
            socket.getOutputStream().write(value);
        } catch (IOException closed) {
            throw new UncheckedIOException(closed); // ends the attack
        }
    }

    /** Whether the node closes the connection, after whatever it still sends. */
    public static boolean isClosedByNode(Socket socket) {
        try {
            socket.getInputStream().readAllBytes();
            return true;
        } catch (SocketTimeoutException open) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }
}
