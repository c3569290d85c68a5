package habemus.course.servers.session;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A connection that carries lines of bounded length in both directions. Not thread-safe. */
final class LineConnection implements AutoCloseable {

    private static final int MAX_LINE_BYTES = 4_096;

    private final Socket socket;
    private final InputStream input;

    LineConnection(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        input = new BufferedInputStream(socket.getInputStream());
    }

    /** @throws IOException if the peer closes the connection, or sends too long a line */
    String readLine() throws IOException {
        var line = new StringBuilder();
        for (int next = input.read(); next != '\n'; next = input.read()) {
            if (next < 0) {
                throw new EOFException("connection closed by the peer");
            }
            if (line.length() == MAX_LINE_BYTES) {
                throw new IOException("line longer than " + MAX_LINE_BYTES + " bytes");
            }
            line.append((char) next);
        }
        return line.toString();
    }

    void writeLine(String line) throws IOException {
        socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
