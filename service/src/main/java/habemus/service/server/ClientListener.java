package habemus.service.server;

import habemus.concurrent.ConnectionThreads;
import habemus.lockservice.protocol.ClientFrame;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts TCP connections of clients, which speak {@link ClientFrame}s. Each connection has two
 * {@link ConnectionThreads}, a reader and a writer, so that a slow client delays no other.
 */
public final class ClientListener implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ClientListener.class);
    private static final int BACKLOG = 1_024;
    private static final long ACCEPT_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /**
     * When the node closes a connection.
     *
     * @param handshakeTimeout until the client has sent its Hello
     * @param idleTimeout of a connection without a session
     * @param writeTimeout until the client reads from a full socket
     * @param maxPendingBytes that may wait to be written
     */
    public record ConnectionLimits(
            Duration handshakeTimeout, Duration idleTimeout, Duration writeTimeout, int maxPendingBytes) {
        public static final ConnectionLimits DEFAULT =
                new ConnectionLimits(Duration.ofSeconds(5), Duration.ofSeconds(60), Duration.ofSeconds(10), 4 << 20);
    }

    private final LockServerLoop loop;
    private final Supplier<ClientFrame.Welcome> welcome;
    private final Optional<SSLContext> tls;
    private final ConnectionLimits limits;
    private final ServerSocket server;
    private final Set<SocketConnection> connections = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService timeoutChecker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("client-timeouts").factory());

    /**
     * Binds the address. Accepts connections after {@link #open}.
     *
     * @param welcome the first frame to every client
     * @throws IllegalStateException if the address cannot be bound
     */
    public ClientListener(
            LockServerLoop loop,
            InetSocketAddress address,
            Supplier<ClientFrame.Welcome> welcome,
            Optional<SSLContext> tls,
            ConnectionLimits limits) {
        this.loop = loop;
        this.welcome = welcome;
        this.tls = tls;
        this.limits = limits;
        try {
            server = new ServerSocket();
            server.setReuseAddress(true);
            server.bind(address, BACKLOG);
        } catch (IOException failed) {
            throw new IllegalStateException(
                    "cannot listen for clients on " + address + ": " + failed.getMessage(), failed);
        }
        warnIfUnprotected(address.getAddress());
    }

    @SuppressWarnings("FutureReturnValueIgnored") // close() shuts the executor down
    public void open() {
        loop.setLeaderListener(() -> connections.forEach(SocketConnection::resendWelcome));
        Thread.ofVirtual().name("client-accept").start(this::accept);
        long intervalMillis = Math.max(1, limits.handshakeTimeout().toMillis() / 4);
        timeoutChecker.scheduleWithFixedDelay(
                () -> connections.forEach(SocketConnection::checkTimeouts),
                intervalMillis,
                intervalMillis,
                TimeUnit.MILLISECONDS);
    }

    private void warnIfUnprotected(InetAddress address) {
        if (address.isLoopbackAddress()) {
            return;
        }
        if (tls.isEmpty()) {
            LOG.warn("client listener without TLS address={} risk=\"tokens and lock names can be read\"", address());
        }
        if (loop.policy().isUnrestricted()) {
            LOG.warn("client listener without policy address={} risk=\"every client may do everything\"", address());
        }
    }

    /** The bound address. */
    public InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                var socket = server.accept();
                ConnectionThreads.unstarted("client", () -> serve(socket)).start();
            } catch (IOException failed) {
                if (!server.isClosed()) {
                    LOG.warn("accept failed address={} error=\"{}\"", address(), failed.toString());
                    LockSupport.parkNanos(ACCEPT_RETRY_NANOS); // the process may be out of file descriptors
                }
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            var connection = new SocketConnection(this, socket);
            connections.add(connection);
            try {
                connection.run();
            } finally {
                connections.remove(connection);
                connection.close();
            }
        } catch (IOException failed) {
            LOG.debug("connection failed client={} error=\"{}\"", socket.getRemoteSocketAddress(), failed.toString());
        }
    }

    /** Wraps the socket in TLS, if this listener has certificates. */
    Socket withTls(Socket rawSocket) throws IOException {
        if (tls.isEmpty()) {
            return rawSocket;
        }
        var socket = (SSLSocket) tls.get().getSocketFactory().createSocket(rawSocket, null, true);
        socket.setUseClientMode(false);
        socket.setWantClientAuth(true);
        socket.startHandshake();
        return socket;
    }

    LockServerLoop loop() {
        return loop;
    }

    ClientFrame.Welcome welcome() {
        return welcome.get();
    }

    ConnectionLimits limits() {
        return limits;
    }

    @Override
    public void close() {
        timeoutChecker.shutdownNow();
        try {
            server.close();
        } catch (IOException failed) {
            LOG.debug("close failed address={} error=\"{}\"", address(), failed.toString());
        }
        connections.forEach(SocketConnection::close);
    }
}
