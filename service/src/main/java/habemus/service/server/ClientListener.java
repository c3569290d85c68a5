package habemus.service.server;

import habemus.lockservice.protocol.ClientFrame;
import habemus.service.transport.FrameConnection;
import habemus.service.transport.FrameServer;
import habemus.service.transport.NettyEventLoop;
import habemus.service.transport.TransportSecurity;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts TCP connections of clients, which speak {@link ClientFrame}s. The connections are on the event loop of the
 * node, so that a request reaches the lock server without a switch of threads.
 */
public final class ClientListener implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ClientListener.class);
    private static final Duration PERMISSION_CHECK_INTERVAL = Duration.ofSeconds(1);

    /**
     * When the node closes a connection.
     *
     * @param handshakeTimeout until the client has sent its Hello, whatever else it sends
     * @param idleTimeout of a connection without a session
     * @param writeTimeout until the client reads from a full socket
     * @param maxPendingBytes that may wait to be written
     * @param maxUnreadBytes of all connections together, that have arrived and are not handled
     * @param maxHandshakes connections that have not sent their Hello; beyond it, the oldest is closed
     */
    public record ConnectionLimits(
            Duration handshakeTimeout,
            Duration idleTimeout,
            Duration writeTimeout,
            int maxPendingBytes,
            long maxUnreadBytes,
            int maxHandshakes) {
        public static final ConnectionLimits DEFAULT = new ConnectionLimits(
                Duration.ofSeconds(5), Duration.ofSeconds(60), Duration.ofSeconds(10), 4 << 20, 64 << 20, 1_000);
    }

    /** @param tls empty for plain text */
    public record Settings(
            InetSocketAddress address, Optional<TransportSecurity.Certificates> tls, ConnectionLimits limits) {}

    private final NettyEventLoop loop;
    private final LockServerLoop server;
    private final Settings settings;
    private final Supplier<ClientFrame.Welcome> welcome;
    private final FrameServer frames;
    private final ExecutorService queries = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("client-queries").factory());
    private final Set<ClientProtocolHandler> clients = new HashSet<>(); // only on the loop
    private volatile boolean isClosed;

    /**
     * Binds the address. Accepts connections after {@link #open}. Not on the event loop, because it waits.
     *
     * @param loop of the node
     * @param welcome the first frame to every client
     * @throws IllegalArgumentException if the certificates cannot be read
     * @throws IllegalStateException if the address cannot be bound
     */
    public ClientListener(
            NettyEventLoop loop, LockServerLoop server, Settings settings, Supplier<ClientFrame.Welcome> welcome) {
        this.loop = loop;
        this.server = server;
        this.settings = settings;
        this.welcome = welcome;
        frames = new FrameServer(loop, settings.address, settings.tls, frameLimits(), new ClientService());
        warnIfUnprotected(settings.address.getAddress());
    }

    /** The lock server limits the clients. The others may still learn that there are too many. */
    private FrameServer.Limits frameLimits() {
        var limits = settings.limits;
        return new FrameServer.Limits(
                limits.handshakeTimeout,
                limits.idleTimeout,
                limits.writeTimeout,
                limits.maxPendingBytes,
                limits.maxUnreadBytes,
                server.admission().limits().connections() + limits.maxHandshakes,
                limits.maxHandshakes);
    }

    private void warnIfUnprotected(InetAddress address) {
        if (address.isLoopbackAddress()) {
            return;
        }
        if (settings.tls.isEmpty()) {
            LOG.warn("client listener without TLS address={} risk=\"tokens and lock names can be read\"", address());
        }
        if (server.policy().isUnrestricted()) {
            LOG.warn("client listener without policy address={} risk=\"every client may do everything\"", address());
        }
    }

    public void open() {
        server.setLeaderListener(this::resendWelcome);
        frames.open();
        schedulePermissionCheck();
    }

    private void resendWelcome() {
        var changed = welcome.get();
        List.copyOf(clients).forEach(client -> client.send(changed));
    }

    private void schedulePermissionCheck() {
        loop.schedule(PERMISSION_CHECK_INTERVAL, () -> {
            List.copyOf(clients).forEach(ClientProtocolHandler::checkPermissions);
            if (!isClosed) {
                schedulePermissionCheck();
            }
        });
    }

    /** The bound address. */
    public InetSocketAddress address() {
        return frames.address();
    }

    private final class ClientService implements FrameServer.Service {

        @Override
        public FrameConnection.Handler handlerOf(FrameConnection connection) {
            return new ClientProtocolHandler(ClientListener.this, connection);
        }

        @Override
        public boolean isBusy() {
            return server.isBusy();
        }
    }

    /** Connections that have not sent their Hello. May be called by any thread. */
    public int handshakes() {
        return frames.handshakes();
    }

    void onOpened(ClientProtocolHandler client) {
        clients.add(client);
    }

    void onClosed(ClientProtocolHandler client) {
        clients.remove(client);
    }

    LockServerLoop server() {
        return server;
    }

    ClientFrame.Welcome welcome() {
        return welcome.get();
    }

    /** Computes the answer to a query on another thread, because it may take long. The client gets it on the loop. */
    void answer(Supplier<ClientFrame.ToClient> query, ClientProtocolHandler client) {
        queries.execute(() -> {
            var answer = query.get();
            try {
                loop.execute(() -> client.onAnswer(answer));
            } catch (RejectedExecutionException closed) {
                LOG.debug("query not answered client={} reason=closed", client);
            }
        });
    }

    @Override
    public void close() {
        isClosed = true;
        frames.close();
        queries.shutdown();
    }
}
