package habemus.service.transport;

import io.netty.handler.ssl.ClientAuth;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts connections of clients, which exchange frames with this node. All of them are on one event loop.
 *
 * <p>The connections are served in turn: a few frames of each turn of the loop, from one principal after the other. A
 * connection with frames that wait is not read from. So a client that sends much fills its own socket, and delays the
 * others by little.
 *
 * <p>A client may show a certificate, but does not have to. If it does, the certificate must be trusted.
 */
public final class FrameServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(FrameServer.class);
    private static final int MAX_READS_PER_TURN = 1; // many clients share the loop with the replicated log
    private static final int MAX_FRAMES_PER_TURN = 128;

    /** How long to wait while the service has enough to do. */
    private static final Duration BUSY_INTERVAL = Duration.ofMillis(1);

    /** What the server serves its connections with. */
    public interface Service {

        /** Creates the handler of a new connection. */
        FrameConnection.Handler handlerOf(FrameConnection connection);

        /** Whether the service has so much to do that further frames should wait. */
        boolean isBusy();
    }

    /**
     * When the node closes a connection.
     *
     * @param handshakeTimeout from the start of a connection to the end of its handshake, whatever arrives
     * @param idleTimeout of a connection that may not be idle
     * @param writeTimeout until the client reads from a full socket
     * @param maxPendingBytes that may wait to be written
     * @param maxUnreadBytes of all connections together, that have arrived and are not handled; beyond it, the
     *     connection with the most is closed
     * @param maxConnections open at the same time
     * @param maxHandshakes connections that have not ended their handshake; beyond it, the oldest is closed
     */
    public record Limits(
            Duration handshakeTimeout,
            Duration idleTimeout,
            Duration writeTimeout,
            int maxPendingBytes,
            long maxUnreadBytes,
            int maxConnections,
            int maxHandshakes) {}

    private final NettyEventLoop loop;
    private final Limits limits;
    private final Service service;
    private final Optional<TlsEngineFactory> tls;
    private final ThrottledLog throttledLog;
    private final ConnectionAcceptor<FrameChannel> acceptor;
    private final InetSocketAddress address;
    private final RoundRobin<FrameChannel> waiting = new RoundRobin<>(); // this and all below: only on the loop
    private boolean isServing;
    private long unreadBytes;
    private boolean isClosed;

    /**
     * Binds the address. Accepts connections after {@link #open}. Not on the event loop, because it waits.
     *
     * @throws IllegalArgumentException if the certificates cannot be read
     * @throws IllegalStateException if the address cannot be bound
     */
    public FrameServer(
            NettyEventLoop loop,
            InetSocketAddress address,
            Optional<TransportSecurity.Certificates> files,
            Limits limits,
            Service service) {
        this.loop = loop;
        this.limits = limits;
        this.service = service;
        tls = files.map(known -> new TlsEngineFactory(known, ClientAuth.OPTIONAL, loop.threadName() + "-clients"));
        throttledLog = new ThrottledLog(LOG, loop::nanoTime);
        acceptor = new ConnectionAcceptor<>(
                new ChannelOpener(loop, tls, MAX_READS_PER_TURN),
                new ConnectionAcceptor.Limits(limits.maxConnections, limits.maxHandshakes),
                () -> new FrameChannel(this),
                throttledLog);
        this.address = acceptor.bind(address);
    }

    public void open() {
        loop.execute(() -> {
            acceptor.open();
            scheduleCheck();
        });
    }

    /** The address, with the bound port. */
    public InetSocketAddress address() {
        return address;
    }

    private void scheduleCheck() {
        loop.schedule(limits.handshakeTimeout.dividedBy(4), this::checkTimeouts);
    }

    /** After a pause of this process, no connection is closed before the bytes that have arrived are read. */
    private void checkTimeouts() {
        if (isClosed) {
            return;
        }
        var expired = acceptor.connections().stream()
                .filter(connection -> connection.expiry().isPresent())
                .toList();
        if (!expired.isEmpty()) {
            loop.schedule( // in the next turn, which begins with reading
                    Duration.ofNanos(1),
                    () -> expired.forEach(connection -> connection.expiry().ifPresent(connection::disconnect)));
        }
        scheduleCheck();
    }

    FrameConnection.Handler handlerOf(FrameChannel connection) {
        return service.handlerOf(connection);
    }

    /** A connection waits for its turn. */
    void onFramesWaiting(FrameChannel connection) {
        waiting.add(connection.principal(), connection);
        if (!isServing) {
            isServing = true;
            loop.execute(this::serve);
        }
    }

    /** One frame of each connection in turn. The next turn of the loop begins with reading. */
    private void serve() {
        for (int i = 0; i < MAX_FRAMES_PER_TURN && !waiting.isEmpty() && !service.isBusy(); i++) {
            waiting.next().handleFrame();
        }
        isServing = !waiting.isEmpty();
        if (isServing) {
            loop.schedule(service.isBusy() ? BUSY_INTERVAL : Duration.ofNanos(1), this::serve);
        }
    }

    /** Limits the memory of what clients have sent. Other connections than the largest are not affected. */
    void onUnreadBytesChanged(long change) {
        unreadBytes += change;
        if (change > 0 && unreadBytes > limits.maxUnreadBytes) {
            acceptor.connections().stream()
                    .max(Comparator.comparingLong(FrameChannel::unreadBytes))
                    .ifPresent(largest -> largest.disconnect("unread-bytes"));
        }
    }

    /** Connections that have not ended their handshake. May be called by any thread. */
    public int handshakes() {
        return acceptor.handshakes();
    }

    void onReady(FrameChannel connection) {
        acceptor.onReady(connection);
    }

    void onClosed(FrameChannel connection) {
        acceptor.onClosed(connection);
    }

    NettyEventLoop loop() {
        return loop;
    }

    Limits limits() {
        return limits;
    }

    ThrottledLog throttledLog() {
        return throttledLog;
    }

    /** On another thread than that of the loop, it returns when all connections are closed. */
    @Override
    public void close() {
        loop.closeChannels(this::closeNow);
    }

    private void closeNow() {
        isClosed = true;
        acceptor.close();
        tls.ifPresent(TlsEngineFactory::close);
    }
}
