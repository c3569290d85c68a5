package habemus.course.chapter;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;

/** Blocking input: the thread of a connection waits in {@code read} until bytes come. */
final class BlockingEcho implements LoopbackEcho {

    private final ServerSocket listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final ExecutorService workers;

    /** @param workers each of its threads serves a connection until the client closes it */
    BlockingEcho(ExecutorService workers) throws IOException {
        this.workers = workers;
        Thread.ofPlatform().daemon().name("acceptor").start(this::accept);
    }

    private void accept() {
        try {
            while (true) {
                var connection = listener.accept();
                connections.add(connection);
                workers.execute(() -> echo(connection));
            }
        } catch (IOException closed) {
            // the server is closed
        }
    }

    private void echo(Socket connection) {
        threads.add(Thread.currentThread());
        try (connection) {
            connection.getInputStream().transferTo(connection.getOutputStream());
        } catch (IOException closed) {
            // the server is closed, or the client is gone
        }
    }

    @Override
    public SocketAddress address() {
        return listener.getLocalSocketAddress();
    }

    @Override
    public Set<Thread> threads() {
        return threads;
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (var connection : connections) {
            connection.close();
        }
        workers.close();
    }
}
