package habemus.course.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.function.Consumer;

/** Accepts connections on a thread of its own and passes them to a handler, one after the other. */
final class Acceptor implements AutoCloseable {

    private final ServerSocket listener;
    private final ConnectionCount count;
    private final Consumer<RequestConnection> handler;
    private final Thread thread;

    /** @param handler runs on the accepting thread: the next connection waits for it */
    Acceptor(ServerCapacity capacity, Consumer<RequestConnection> handler) {
        this.count = new ConnectionCount(capacity.connections());
        this.handler = handler;
        try {
            listener = new ServerSocket(0, ServerCapacity.BACKLOG, InetAddress.getLoopbackAddress());
        } catch (IOException noPort) {
            throw new UncheckedIOException(noPort);
        }
        thread = Thread.ofPlatform().daemon().name("acceptor").start(this::run);
    }

    private void run() {
        while (!listener.isClosed()) {
            try {
                var connection = new RequestConnection(listener.accept(), count);
                if (connection.isAdmitted()) {
                    handler.accept(connection);
                } else {
                    connection.refuse();
                }
            } catch (IOException gone) {
                // the client is gone, or the listener is closed
            }
        }
    }

    int port() {
        return listener.getLocalPort();
    }

    ConnectionCount count() {
        return count;
    }

    @Override
    public void close() {
        try {
            listener.close();
            thread.interrupt();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
