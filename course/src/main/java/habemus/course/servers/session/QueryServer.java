package habemus.course.servers.session;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * Serves a paged query on the loopback interface, with a virtual thread for each connection.
 *
 * <pre>
 *   page LOCK POSITION    the client carries the cursor       ─▶ page NEXT-POSITION ROW … | end
 *   open LOCK             the server keeps it in a session    ─▶ session ID | full
 *   next ID PAGE          the number tells a repeated request ─▶ page PAGE ROW … | end | unknown
 * </pre>
 */
final class QueryServer implements AutoCloseable {

    static final String UNKNOWN = "unknown";
    static final String END = "end";
    private static final int BACKLOG = 1_024;
    private static final int MAX_CONNECTIONS = 1_000;

    private final ServerSocket listener;
    private final SessionTable sessions;
    private final Semaphore connections = new Semaphore(MAX_CONNECTIONS);

    QueryServer(SessionTable sessions) {
        this.sessions = sessions;
        try {
            listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        } catch (IOException noPort) {
            throw new UncheckedIOException(noPort);
        }
        Thread.ofPlatform().daemon().name("query-acceptor").start(this::run);
    }

    int port() {
        return listener.getLocalPort();
    }

    private void run() {
        while (!listener.isClosed()) {
            try {
                connections.acquireUninterruptibly(); // the backlog of the system holds further clients
                var socket = listener.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException closed) {
                connections.release();
            }
        }
    }

    private void serve(Socket socket) {
        try (socket;
                var connection = new LineConnection(socket)) {
            while (true) {
                connection.writeLine(answer(connection.readLine()));
            }
        } catch (IOException gone) {
            // the client is gone, or its line is too long
        } finally {
            connections.release();
        }
    }

    String answer(String request) throws IOException {
        var words = request.split(" ", -1);
        try {
            return switch (words[0]) {
                case "page" -> pageFrom(words[1], Integer.parseInt(words[2]));
                case "open" ->
                    sessions.open(words[1]).map(id -> "session " + id).orElse("full");
                case "next" -> nextPage(Long.parseLong(words[1]), Integer.parseInt(words[2]));
                default -> UNKNOWN;
            };
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException malformed) {
            return UNKNOWN;
        }
    }

    private static String pageFrom(String lock, int position) {
        return GrantHistory.isEnd(position) || position < 0
                ? END
                : rows(position + GrantHistory.PAGE_ROWS, lock, position);
    }

    private String nextPage(long id, int page) throws IOException {
        Optional<CursorSession> session = sessions.moveTo(id, page);
        int position = CursorSession.position(page);
        return session.map(found -> GrantHistory.isEnd(position) ? END : rows(page, found.lock(), position))
                .orElse(UNKNOWN);
    }

    private static String rows(int number, String lock, int position) {
        return "page " + number + " " + String.join(" ", GrantHistory.page(lock, position));
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
