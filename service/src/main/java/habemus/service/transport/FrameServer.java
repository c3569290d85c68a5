package habemus.service.transport;

import io.netty.handler.ssl.ClientAuth;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts connections of clients, which exchange frames with this node. All of them are on one event loop.
 *
 * <p>A client may show a certificate, but does not have to. If it does, the certificate must be trusted.
 */
public final class FrameServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(FrameServer.class);
    private static final int MAX_READS_PER_TURN = 1; // many clients share the loop with the replicated log

    /**
     * When the node closes a connection.
     *
     * @param handshakeTimeout from the start of a connection to the end of its handshake, whatever arrives
     * @param idleTimeout of a connection that may not be idle
     * @param writeTimeout until the client reads from a full socket
     * @param maxPendingBytes that may wait to be written
     * @param maxConnections open at the same time
     * @param maxHandshakes connections that have not ended their handshake; beyond it, the oldest is closed
     */
    public record Limits(
            Duration handshakeTimeout,
            Duration idleTimeout,
            Duration writeTimeout,
            int maxPendingBytes,
            int maxConnections,
            int maxHandshakes) {}

    private final NettyEventLoop loop;
    private final Limits limits;
    private final Function<FrameConnection, FrameConnection.Handler> handlers;
    private final Optional<TlsEngineFactory> tls;
    private final ThrottledLog throttledLog;
    private final ConnectionAcceptor<FrameChannel> acceptor;
    private final InetSocketAddress address;
    private boolean isClosed; // only on the loop

    /**
     * Binds the address. Accepts connections after {@link #open}. Not on the event loop, because it waits.
     *
     * @param handlers creates the handler of a new connection
     * @throws IllegalArgumentException if the certificates cannot be read
     * @throws IllegalStateException if the address cannot be bound
     */
    public FrameServer(
            NettyEventLoop loop,
            InetSocketAddress address,
            Optional<TransportSecurity.Certificates> files,
            Limits limits,
            Function<FrameConnection, FrameConnection.Handler> handlers) {
        this.loop = loop;
        this.limits = limits;
        this.handlers = handlers;
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
        return handlers.apply(connection);
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
