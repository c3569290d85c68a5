package habemus.course.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client that sends text and reads until the server closes the connection. */
final class TextClient implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 30_000;

    private final Socket socket;

    TextClient(CoordinatorServer server) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
            socket.setSoTimeout(TIMEOUT_MILLIS);
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    static String ask(CoordinatorServer server, String request) {
        try (var client = new TextClient(server)) {
            return client.send(request + "\n").readAll();
        }
    }

    TextClient send(String text) {
        try {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            return this;
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    /** What the server sends until it closes the connection; nothing if it resets the connection. */
    String readAll() {
        try {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        } catch (IOException reset) {
            return "";
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }
}
