package habemus.service.transport;

import io.netty.handler.ssl.ClientAuth;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts HTTP/1.1 connections, on an event loop of its own. Each request is handled on a virtual thread, which may
 * block.
 *
 * <p>A client may show a certificate, but does not have to. If it does, the certificate must be trusted.
 */
public final class HttpListener implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);
    private static final int MAX_READS_PER_TURN = 1;
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(500);
    private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(500);

    /**
     * When the node closes a connection.
     *
     * @param requestTimeout from the first byte of a request, or the start of the connection, to the last byte
     * @param idleTimeout from a response to the first byte of the next request
     * @param writeTimeout until the client reads from a full socket
     * @param maxBodyBytes of a request
     * @param maxConnections open at the same time
     * @param maxIdle connections without a complete request; beyond it, the oldest is closed
     */
    public record Limits(
            Duration requestTimeout,
            Duration idleTimeout,
            Duration writeTimeout,
            int maxBodyBytes,
            int maxConnections,
            int maxIdle) {}

    /** Answers requests. */
    public interface Handler {

        /** Called on a virtual thread for each complete request. */
        void handle(HttpExchange exchange);

        /** The JSON body of the response to a request that is rejected before it is complete. On the event loop. */
        byte[] rejection(int status, String reason);
    }

    private final NettyEventLoop loop;
    private final Limits limits;
    private final Handler handler;
    private final Optional<TlsEngineFactory> tls;
    private final ThrottledLog throttledLog;
    private final ConnectionAcceptor<HttpChannel> acceptor;
    private final InetSocketAddress address;
    private final CompletableFuture<Void> quiet = new CompletableFuture<>(); // all requests answered, while closing
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private boolean isClosing; // only on the loop

    /**
     * Binds the address. Accepts connections after {@link #open}. Not on the event loop, because it waits.
     *
     * @param name prefix of the names of its threads
     * @throws IllegalArgumentException if the certificates cannot be read
     * @throws IllegalStateException if the address cannot be bound
     */
    public HttpListener(
            String name,
            InetSocketAddress address,
            Optional<TransportSecurity.Certificates> files,
            Limits limits,
            Handler handler) {
        this.limits = limits;
        this.handler = handler;
        tls = files.map(known -> new TlsEngineFactory(known, ClientAuth.OPTIONAL, name));
        loop = new NettyEventLoop(name);
        throttledLog = new ThrottledLog(LOG, loop::nanoTime);
        acceptor = new ConnectionAcceptor<>(
                new ChannelOpener(loop, tls, MAX_READS_PER_TURN),
                new ConnectionAcceptor.Limits(limits.maxConnections, limits.maxIdle),
                () -> new HttpChannel(this),
                throttledLog);
        try {
            this.address = acceptor.bind(address);
        } catch (IllegalStateException inUse) {
            closeThreads();
            throw inUse;
        }
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
        loop.schedule(CHECK_INTERVAL, () -> {
            acceptor.connections().forEach(HttpChannel::checkTimeout);
            scheduleCheck();
        });
    }

    void onRequest(HttpChannel connection, HttpExchange exchange) {
        acceptor.onReady(connection);
        Thread.ofVirtual().name(loop.threadName() + "-request").start(() -> handler.handle(exchange));
    }

    void onResponded(HttpChannel connection) {
        acceptor.onIdle(connection);
        completeIfQuiet();
    }

    void onClosed(HttpChannel connection) {
        acceptor.onClosed(connection);
        completeIfQuiet();
    }

    private void completeIfQuiet() {
        if (isClosing && acceptor.connections().stream().noneMatch(HttpChannel::isAnswering)) {
            quiet.complete(null);
        }
    }

    NettyEventLoop loop() {
        return loop;
    }

    Limits limits() {
        return limits;
    }

    Handler handler() {
        return handler;
    }

    ThrottledLog throttledLog() {
        return throttledLog;
    }

    /** Waits up to 0.5 s for the responses to open requests, then closes all connections. */
    @Override
    public void close() {
        if (isClosed.getAndSet(true)) {
            return;
        }
        loop.execute(() -> {
            isClosing = true;
            completeIfQuiet();
        });
        quiet.completeOnTimeout(null, CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        loop.closeChannels(acceptor::close);
        closeThreads();
    }

    private void closeThreads() {
        tls.ifPresent(TlsEngineFactory::close);
        loop.close();
    }
}
