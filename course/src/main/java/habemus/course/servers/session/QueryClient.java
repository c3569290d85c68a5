package habemus.course.servers.session;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the history of one lock, page by page, and carries on after a failure: at once, if it carries the cursor itself
 * or the server still knows its session; else from the first page. Not thread-safe.
 */
final class QueryClient implements AutoCloseable {

    private static final long RETRY_INTERVAL_NANOS = 10_000_000;
    private static final int MAX_ATTEMPTS = 3_000;
    private static final int TIMEOUT_MILLIS = 30_000;

    private final CursorPlace place;
    private final String lock;
    private final IntSupplier port;
    private @Nullable LineConnection connection;
    private @Nullable String session;
    private int page; // the last one of the current pass
    private int highestPage; // the last one that the client has seen in any pass
    private int connectionErrors;
    private int lostSessions;
    private int repeatedPages;

    /** @param port where the server listens now */
    QueryClient(CursorPlace place, String lock, IntSupplier port) {
        this.place = place;
        this.lock = lock;
        this.port = port;
    }

    /** Reads pages until the given one or the end. */
    void readTo(int lastPage) {
        readTo(lastPage, nanos -> {});
    }

    /** @param onPage told the time of each page in nanoseconds */
    void readTo(int lastPage, LongConsumer onPage) {
        while (page < lastPage) {
            long before = System.nanoTime();
            readNextPage();
            onPage.accept(System.nanoTime() - before);
        }
    }

    private void readNextPage() {
        if (place == CursorPlace.REQUEST) {
            exchange("page " + lock + " " + CursorSession.position(page + 1));
            countPage();
            return;
        }
        if (session == null) {
            session = exchange("open " + lock).substring("session ".length());
        }
        if (exchange("next " + session + " " + (page + 1)).equals(QueryServer.UNKNOWN)) {
            lostSessions++;
            session = null;
            page = 0; // only the server knew where this client was
        } else {
            countPage();
        }
    }

    private void countPage() {
        page++;
        if (page <= highestPage) {
            repeatedPages++;
        }
        highestPage = Math.max(highestPage, page);
    }

    /** Sends the request until a server answers it: a repeated request is harmless. */
    private String exchange(String request) {
        for (int i = 0; i < MAX_ATTEMPTS; i++) {
            try {
                var open = connection == null ? connect() : connection;
                connection = open;
                open.writeLine(request);
                return open.readLine();
            } catch (IOException failed) {
                connectionErrors++;
                disconnect();
                LockSupport.parkNanos(RETRY_INTERVAL_NANOS);
            }
        }
        throw new IllegalStateException("no server answers: " + request);
    }

    private LineConnection connect() throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), port.getAsInt());
        socket.setSoTimeout(TIMEOUT_MILLIS);
        return new LineConnection(socket);
    }

    @Override
    public void close() {
        disconnect();
    }

    /** Sends the next request through a new connection. */
    void disconnect() {
        if (connection != null) {
            try {
                connection.close();
            } catch (IOException gone) {
                // closed all the same
            }
            connection = null;
        }
    }

    int connectionErrors() {
        return connectionErrors;
    }

    int lostSessions() {
        return lostSessions;
    }

    int repeatedPages() {
        return repeatedPages;
    }
}
