package habemus.service.transport;

import static java.util.Objects.requireNonNull;

import habemus.protocol.NodeId;
import io.netty.handler.ssl.ClientAuth;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transport over TCP, with TLS if the nodes have certificates. All connections and all calls of the listener are on one
 * event loop, so a listener on the same loop gets its messages without a switch of threads.
 *
 * <p>Each node opens a connection to each peer for its own messages. A peer is connected while both connections are
 * open. Messages arrive only from connected peers.
 */
public final class NettyTransport implements Transport {

    private static final Logger LOG = LoggerFactory.getLogger(NettyTransport.class);
    private static final Duration PING_INTERVAL = Duration.ofMillis(500);
    private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(2);
    private static final int MAX_MESSAGES_PER_TURN = 1_000;
    private static final int MAX_READS_PER_TURN = 16;
    private static final int MAX_CONNECTIONS = 256;
    static final int MAX_HANDSHAKES = 64;

    private final Member self;
    private final NettyEventLoop loop;
    private final Optional<TlsEngineFactory> tls;
    private final PeerConnection.Settings settings;
    private final ChannelOpener channels;
    private final ConnectionAcceptor<PeerConnection> acceptor;
    private final ConnectionListener connectionListener = new ConnectionListener();
    private final Queue<QueuedMessage> outbox = new ConcurrentLinkedQueue<>(); // of other threads than the loop's
    private final AtomicBoolean isDrainScheduled = new AtomicBoolean();
    private final Map<NodeId, PeerLink> links = new TreeMap<>(); // this and all below: only on the loop
    private final Set<PeerConnection> readyConnections = new LinkedHashSet<>();
    private List<Member> wantedPeers = List.of();
    private List<PeerIncarnation> reportedPeers = List.of();
    private @Nullable Listener listener;
    private long lastPingNanos;
    private boolean isClosed;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record QueuedMessage(NodeId to, byte[] bytes) {}

    /**
     * @param loop whose thread runs the transport; the transport does not close it
     * @throws IllegalArgumentException if the certificates cannot be read
     */
    public NettyTransport(Member self, TransportSecurity security, PeerHandshake handshake, NettyEventLoop loop) {
        this.self = self;
        this.loop = loop;
        tls = switch (security) {
            case TransportSecurity.None() -> Optional.empty();
            case TransportSecurity.Certificates files ->
                Optional.of(new TlsEngineFactory(files, ClientAuth.REQUIRE, loop.threadName()));
        };
        var throttledLog = new ThrottledLog(LOG, loop::nanoTime);
        settings = new PeerConnection.Settings(self.node(), handshake, tls.isPresent(), loop, throttledLog);
        channels = new ChannelOpener(loop, tls, MAX_READS_PER_TURN);
        acceptor = new ConnectionAcceptor<>(
                channels,
                new ConnectionAcceptor.Limits(MAX_CONNECTIONS, MAX_HANDSHAKES),
                () -> new PeerConnection(settings, connectionListener, Optional.empty()),
                throttledLog);
    }

    /** {@inheritDoc} Not on the event loop, because it waits. */
    @Override
    public void start(Listener messageListener) {
        loop.execute(() -> listener = messageListener);
        acceptor.bind(self.address());
        var host = self.address().getAddress();
        if (tls.isEmpty() && host != null && !host.isLoopbackAddress()) {
            LOG.warn(
                    "peer port without TLS node={} address={} risk=\"every process that reaches it can act as a node\"",
                    self.node(),
                    self.addressText());
        }
        loop.execute(() -> {
            acceptor.open();
            lastPingNanos = loop.nanoTime();
            updateLinks();
            schedulePing();
        });
    }

    @Override
    public void setPeers(List<Member> peers) {
        var copy = List.copyOf(peers);
        loop.execute(() -> {
            wantedPeers = copy;
            if (listener != null) {
                updateLinks();
            }
        });
    }

    private void updateLinks() {
        if (isClosed) {
            return;
        }
        var wanted = new HashMap<NodeId, Member>();
        wantedPeers.stream()
                .filter(member -> !member.node().equals(self.node()))
                .forEach(member -> wanted.put(member.node(), member));
        List.copyOf(links.entrySet()).stream()
                .filter(link -> !wanted.containsKey(link.getKey()))
                .forEach(link -> link.getValue().end("no longer a peer"));
        wanted.forEach((node, member) -> link(node).connectTo(member));
    }

    private PeerLink link(NodeId node) {
        return links.computeIfAbsent(node, id -> new PeerLink(loop, this::dial));
    }

    private PeerConnection dial(Member member) {
        var connection = new PeerConnection(settings, connectionListener, Optional.of(member.node()));
        channels.connect(member, connection);
        return connection;
    }

    @Override
    public void send(NodeId to, byte[] bytes) {
        if (bytes.length == 0 || bytes.length > PeerConnection.MAX_MESSAGE_BYTES) {
            throw new IllegalArgumentException(
                    "a message must have 1 to " + PeerConnection.MAX_MESSAGE_BYTES + " bytes, had " + bytes.length);
        }
        if (loop.inEventLoop()) {
            sendNow(to, bytes);
            return;
        }
        outbox.add(new QueuedMessage(to, bytes));
        scheduleDrain();
    }

    private void scheduleDrain() {
        try {
            if (!isDrainScheduled.getAndSet(true)) {
                loop.execute(this::drainOutbox);
            }
        } catch (RejectedExecutionException closed) {
            outbox.clear();
        }
    }

    /** Sends a limited number of messages a turn, so that many messages do not delay the pings. */
    private void drainOutbox() {
        isDrainScheduled.set(false); // before the queue is read, so that a message added later is not forgotten
        for (int i = 0; i < MAX_MESSAGES_PER_TURN; i++) {
            var message = outbox.poll();
            if (message == null) {
                return;
            }
            sendNow(message.to, message.bytes);
        }
        scheduleDrain();
    }

    private void sendNow(NodeId to, byte[] bytes) {
        var link = links.get(to);
        if (link != null) {
            link.sender().ifPresent(connection -> connection.send(bytes));
        }
    }

    private void schedulePing() {
        loop.schedule(PING_INTERVAL, this::pingAll);
    }

    /** After a pause of this process, no connection is closed before the bytes that have arrived are read. */
    private void pingAll() {
        if (isClosed) {
            return;
        }
        links.values().removeIf(PeerLink::isUnused);
        long now = loop.nanoTime();
        boolean wasPaused = now - lastPingNanos > PING_INTERVAL.multipliedBy(2).toNanos();
        lastPingNanos = now;
        long idleNanos = wasPaused ? Long.MAX_VALUE : IDLE_TIMEOUT.toNanos();
        List.copyOf(readyConnections).forEach(connection -> connection.pingOrExpire(idleNanos));
        schedulePing();
    }

    private void reportPeers() {
        var connected = links.values().stream()
                .map(PeerLink::connectedPeer)
                .flatMap(Optional::stream)
                .toList();
        if (!isClosed && !connected.equals(reportedPeers)) {
            reportedPeers = connected;
            requireNonNull(listener).onPeersChanged(connected);
        }
    }

    private final class ConnectionListener implements PeerConnection.Listener {

        @Override
        public void onHello(PeerConnection connection, PeerIncarnation peer) {
            var link = links.get(peer.node());
            if (link != null && !connection.isOutgoing()) {
                link.verifyLatest(peer);
            }
        }

        @Override
        public void onReady(PeerConnection connection) {
            readyConnections.add(connection);
            acceptor.onReady(connection);
            link(connection.peer().node()).onReady(connection);
            reportPeers();
        }

        @Override
        public void onMessage(PeerIncarnation from, byte[] bytes) {
            var link = links.get(from.node());
            if (!isClosed && link != null && link.sender().isPresent()) {
                requireNonNull(listener).onMessage(from, bytes);
            }
        }

        @Override
        public void onRejected(NodeId peer, String reason) {
            if (!isClosed) {
                requireNonNull(listener).onRejected(peer, reason);
            }
        }

        @Override
        public void onRefused(NodeId peer) {
            if (!isClosed) {
                requireNonNull(listener).onRefused(peer);
            }
        }

        @Override
        public void onClosed(PeerConnection connection) {
            readyConnections.remove(connection);
            acceptor.onClosed(connection);
            links.values().forEach(link -> link.onClosed(connection));
            reportPeers();
        }
    }

    /** {@inheritDoc} On another thread than that of the loop, it returns when all connections are closed. */
    @Override
    public void close() {
        loop.closeChannels(this::closeNow);
    }

    private void closeNow() {
        isClosed = true;
        acceptor.close();
        List.copyOf(links.values()).forEach(link -> link.end("this node stops"));
        tls.ifPresent(TlsEngineFactory::close);
    }
}
