package habemus.course.servers;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A connection with one request and one reply, on a blocking socket. Not thread-safe. */
final class RequestConnection implements AutoCloseable {

    /** A longer request is an error, so that no client makes the server collect bytes for ever. */
    static final int MAX_LINE_BYTES = 128;

    private final Socket socket;
    private final ConnectionCount count;
    private final boolean admitted;

    RequestConnection(Socket socket, ConnectionCount count) throws IOException {
        this.socket = socket;
        this.count = count;
        admitted = count.opened();
        try {
            socket.setSoTimeout(ServerCapacity.READ_TIMEOUT_MILLIS);
            socket.setTcpNoDelay(true);
        } catch (IOException gone) {
            close();
            throw gone;
        }
    }

    /** Whether the server has room for this connection. */
    boolean isAdmitted() {
        return admitted;
    }

    /** @throws IOException if the client closes the connection, is too slow, or sends too long a line */
    String readRequest() throws IOException {
        var buffer = new byte[MAX_LINE_BYTES];
        int length = 0;
        while (length < MAX_LINE_BYTES) {
            int read = socket.getInputStream().read(buffer, length, MAX_LINE_BYTES - length);
            if (read < 0) {
                break;
            }
            length += read;
            if (buffer[length - 1] == '\n') {
                return new String(buffer, 0, length - 1, StandardCharsets.US_ASCII);
            }
        }
        throw new IOException("no request of at most " + MAX_LINE_BYTES + " bytes");
    }

    void reply(String line) throws IOException {
        socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    /** Replies that the server has no room, and closes the connection. */
    void refuse() {
        count.countRefused();
        try (this) {
            reply(LockReply.BUSY);
            socket.getInputStream().skip(socket.getInputStream().available()); // else the system sends a reset
        } catch (IOException gone) {
            // nothing to refuse
        }
    }

    @Override
    public void close() {
        if (!socket.isClosed()) {
            count.closed();
            try {
                socket.close();
            } catch (IOException gone) {
                // closed all the same
            }
        }
    }
}
