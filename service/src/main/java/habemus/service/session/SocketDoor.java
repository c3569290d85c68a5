package habemus.service.session;

import habemus.drive.Threads;
import habemus.fenced.Parcel;
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
 * Where clients come in by {@link Parcel}s over TCP. A connection has two {@link Threads}, one that reads and one that
 * writes, so that nobody waits for somebody else's network.
 */
public final class SocketDoor implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SocketDoor.class);
    private static final int BACKLOG = 1_024;
    private static final long LATER = TimeUnit.MILLISECONDS.toNanos(100);

    /**
     * How long a connection may keep the node waiting.
     *
     * @param hello to say it
     * @param silence of one that has no session
     * @param stuck to read something of what it was told
     * @param unread bytes that may wait for it
     */
    public record Patience(Duration hello, Duration silence, Duration stuck, int unread) {
        public static final Patience STANDARD =
                new Patience(Duration.ofSeconds(5), Duration.ofSeconds(60), Duration.ofSeconds(10), 4 << 20);
    }

    private final Reception reception;
    private final Supplier<Parcel.Welcome> welcome;
    private final Optional<SSLContext> tls;
    private final Patience patience;
    private final ServerSocket server;
    private final Set<Visit> visits = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("door").factory());

    /**
     * Listens there; nobody comes in before it is opened.
     *
     * @param welcome what everybody is told who comes in
     * @throws IllegalStateException if nothing can listen there
     */
    public SocketDoor(
            Reception reception,
            InetSocketAddress address,
            Supplier<Parcel.Welcome> welcome,
            Optional<SSLContext> tls,
            Patience patience) {
        this.reception = reception;
        this.welcome = welcome;
        this.tls = tls;
        this.patience = patience;
        try {
            server = new ServerSocket();
            server.setReuseAddress(true);
            server.bind(address, BACKLOG);
        } catch (IOException refused) {
            throw new IllegalStateException("cannot listen for clients at " + address, refused);
        }
        warn(address.getAddress());
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it is shut down at the end
    public void open() {
        reception.onLeader(() -> visits.forEach(Visit::welcomeAgain));
        Thread.ofVirtual().name("door").start(this::accept);
        long often = Math.max(1, patience.hello().toMillis() / 4);
        watch.scheduleWithFixedDelay(() -> visits.forEach(Visit::look), often, often, TimeUnit.MILLISECONDS);
    }

    private void warn(InetAddress address) {
        if (address.isLoopbackAddress()) {
            return;
        }
        if (tls.isEmpty()) {
            LOG.warn("clients come in at {} WITHOUT TLS: whoever sees the network sees tokens and locks", address());
        }
        if (reception.access().isOpen()) {
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
                Threads.unstarted("client", () -> serve(socket)).start();
            } catch (IOException failed) {
                if (!server.isClosed()) {
                    LOG.warn("a client cannot come in: {}", failed.toString());
                    LockSupport.parkNanos(LATER); // for want of files, perhaps
                }
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            var visit = new Visit(this, socket);
            visits.add(visit);
            try {
                visit.serve();
            } finally {
                visits.remove(visit);
                visit.close();
            }
        } catch (IOException broken) {
            LOG.debug("{}: {}", socket, broken.toString());
        }
    }

    /** The same connection with TLS around it; as it is if there is none here. */
    Socket secured(Socket plain) throws IOException {
        if (tls.isEmpty()) {
            return plain;
        }
        var socket = (SSLSocket) tls.get().getSocketFactory().createSocket(plain, null, true);
        socket.setUseClientMode(false);
        socket.setWantClientAuth(true);
        socket.startHandshake();
        return socket;
    }

    Reception reception() {
        return reception;
    }

    Parcel.Welcome welcome() {
        return welcome.get();
    }

    Patience patience() {
        return patience;
    }

    @Override
    public void close() {
        watch.shutdownNow();
        try {
            server.close();
        } catch (IOException broken) {
            LOG.debug("{}", broken.toString());
        }
        visits.forEach(Visit::close);
    }
}
