package habemus.client;

import habemus.client.environment.Endpoint;
import habemus.client.environment.NodeConnector;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ssl.SSLContext;

/** Connects over TCP, with or without TLS. Frames leave with {@link #flush}. */
final class SocketConnector implements NodeConnector {

    private final Duration timeout;
    private final Optional<SSLContext> tls;
    private final Queue<NodeSocket> unflushed = new ConcurrentLinkedQueue<>();

    SocketConnector(Duration timeout, Optional<SSLContext> tls) {
        this.timeout = timeout;
        this.tls = tls;
    }

    Duration timeout() {
        return timeout;
    }

    Optional<SSLContext> tls() {
        return tls;
    }

    @Override
    public NodeSocket open(Endpoint endpoint, Duration delay, Receiver receiver) {
        var socket = new NodeSocket(this, endpoint, receiver);
        socket.start(delay);
        return socket;
    }

    void flushLater(NodeSocket socket) {
        unflushed.add(socket);
    }

    /** Writes what was sent. Called outside the event loop, so that no timer waits for it. */
    void flush() {
        for (var next = unflushed.poll(); next != null; next = unflushed.poll()) {
            next.flush();
        }
    }
}
