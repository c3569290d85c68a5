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
 * Where clients come in by {@link ClientFrame}s over TCP. A connection has two {@link ConnectionThreads}, one that reads and one that
 * writes, so that nobody waits for somebody else's network.
 */
public final class ClientListener implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ClientListener.class);
    private static final int BACKLOG = 1_024;
    private static final long ACCEPT_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /**
     * How long a connection may keep the node waiting.
     *
     * @param handshakeTimeout to say it
     * @param idleTimeout of one that has no session
     * @param writeTimeout to read something of what it was told
     * @param maxPendingBytes bytes that may wait for it
     */
    public record ConnectionLimits(
            Duration handshakeTimeout, Duration idleTimeout, Duration writeTimeout, int maxPendingBytes) {
        public static final ConnectionLimits DEFAULT =
                new ConnectionLimits(Duration.ofSeconds(5), Duration.ofSeconds(60), Duration.ofSeconds(10), 4 << 20);
    }

    private final LockServerLoop lockServerLoop;
    private final Supplier<ClientFrame.Welcome> welcome;
    private final Optional<SSLContext> tls;
    private final ConnectionLimits connectionLimits;
    private final ServerSocket server;
    private final Set<SocketConnection> socketConnections = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService timeoutChecker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("door").factory());

    /**
     * Listens there; nobody comes in before it is opened.
     *
     * @param welcome what everybody is told who comes in
     * @throws IllegalStateException if nothing can listen there
     */
    public ClientListener(
            LockServerLoop lockServerLoop,
            InetSocketAddress address,
            Supplier<ClientFrame.Welcome> welcome,
            Optional<SSLContext> tls,
            ConnectionLimits connectionLimits) {
        this.lockServerLoop = lockServerLoop;
        this.welcome = welcome;
        this.tls = tls;
        this.connectionLimits = connectionLimits;
        try {
            server = new ServerSocket();
            server.setReuseAddress(true);
            server.bind(address, BACKLOG);
        } catch (IOException refused) {
            throw new IllegalStateException("cannot listen for clients at " + address, refused);
        }
        warnIfUnprotected(address.getAddress());
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it is shut down at the end
    public void open() {
        lockServerLoop.setLeaderListener(() -> socketConnections.forEach(SocketConnection::resendWelcome));
        Thread.ofVirtual().name("door").start(this::accept);
        long often = Math.max(1, connectionLimits.handshakeTimeout().toMillis() / 4);
        timeoutChecker.scheduleWithFixedDelay(
                () -> socketConnections.forEach(SocketConnection::checkTimeouts), often, often, TimeUnit.MILLISECONDS);
    }

    private void warnIfUnprotected(InetAddress address) {
        if (address.isLoopbackAddress()) {
            return;
        }
        if (tls.isEmpty()) {
            LOG.warn("clients come in at {} WITHOUT TLS: whoever sees the network sees tokens and locks", address());
        }
        if (lockServerLoop.policy().isUnrestricted()) {
            LOG.warn("clients come in at {} WITHOUT a policy: whoever reaches it may do EVERYTHING", address());
        }
    }

    /** Where it listens. */
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
                    LOG.warn("a client cannot come in: {}", failed.toString());
                    LockSupport.parkNanos(ACCEPT_RETRY_NANOS); // for want of files, perhaps
                }
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            var socketConnection = new SocketConnection(this, socket);
            socketConnections.add(socketConnection);
            try {
                socketConnection.run();
            } finally {
                socketConnections.remove(socketConnection);
                socketConnection.close();
            }
        } catch (IOException broken) {
            LOG.debug("{}: {}", socket, broken.toString());
        }
    }

    /** The same connection with TLS around it; as it is if there is none here. */
    Socket withTls(Socket plain) throws IOException {
        if (tls.isEmpty()) {
            return plain;
        }
        var socket = (SSLSocket) tls.get().getSocketFactory().createSocket(plain, null, true);
        socket.setUseClientMode(false);
        socket.setWantClientAuth(true);
        socket.startHandshake();
        return socket;
    }

    LockServerLoop loop() {
        return lockServerLoop;
    }

    ClientFrame.Welcome welcome() {
        return welcome.get();
    }

    ConnectionLimits limits() {
        return connectionLimits;
    }

    @Override
    public void close() {
        timeoutChecker.shutdownNow();
        try {
            server.close();
        } catch (IOException broken) {
            LOG.debug("{}", broken.toString());
        }
        socketConnections.forEach(SocketConnection::close);
    }
}
