package habemus.harness.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import habemus.concurrent.EventLoop.Cancellable;
import habemus.protocol.NodeId;
import habemus.service.transport.Member;
import habemus.service.transport.PeerHandshake;
import habemus.service.transport.PeerIncarnation;
import habemus.service.transport.PeerRejectedException;
import habemus.service.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The transport of a simulated node, with the handshake of the real one: each node opens a connection to each peer for
 * its own messages, and a peer is connected while both are open and have the same incarnation.
 *
 * <p>Node {@code n1} is process 0.
 */
final class VirtualTransport implements Transport {

    private static final int HELLO = 1;
    private static final int ACCEPTED = 2;
    private static final int REJECTED = 3;
    private static final int MESSAGE = 4;
    private static final byte[] NO_BYTES = {};
    private static final Duration MIN_BACK_OFF = Duration.ofMillis(50);
    private static final Duration MAX_BACK_OFF = Duration.ofSeconds(1);
    private static final Duration HANDSHAKE_TIMEOUT = Duration.ofSeconds(5);

    private final NodeId self;
    private final PeerHandshake handshake;
    private final VirtualNetwork network;
    private final VirtualNetwork.Host host;
    private final Consumer<PeerIncarnation> onAccepted;
    private final Map<NodeId, Link> links = new TreeMap<>();
    private List<PeerIncarnation> reported = List.of();
    private List<Member> wanted = List.of();
    private @Nullable Listener listener;
    private boolean isClosed;

    /** @param onAccepted gets every peer that this node has accepted */
    VirtualTransport(
            NodeId self,
            PeerHandshake handshake,
            VirtualNetwork network,
            VirtualNetwork.Host host,
            Consumer<PeerIncarnation> onAccepted) {
        this.self = self;
        this.handshake = handshake;
        this.network = network;
        this.host = host;
        this.onAccepted = onAccepted;
    }

    static int process(NodeId node) {
        return node.number() - 1;
    }

    @Override
    public void start(Listener newListener) {
        listener = newListener;
        host.setPeerAcceptor(end -> {
            if (isClosed) {
                end.close();
            } else {
                new PeerStream(end, null).begin();
            }
        });
        updateLinks();
    }

    @Override
    public void setPeers(List<Member> peers) {
        wanted = List.copyOf(peers);
        if (listener != null) {
            updateLinks();
        }
    }

    private void updateLinks() {
        if (isClosed) {
            return;
        }
        var nodes = wanted.stream().map(Member::node).toList();
        for (var link : List.copyOf(links.entrySet())) {
            if (!nodes.contains(link.getKey())) {
                link.getValue().end();
            }
        }
        for (var node : nodes) {
            if (!node.equals(self)) {
                link(node).connect();
            }
        }
    }

    private Link link(NodeId node) {
        return links.computeIfAbsent(node, Link::new);
    }

    @Override
    public void send(NodeId to, byte[] bytes) {
        var link = links.get(to);
        if (link != null && link.isConnected()) {
            link.outgoing().end.send(MESSAGE, bytes);
        }
    }

    private void report() {
        var connected = new ArrayList<PeerIncarnation>();
        for (var link : links.values()) {
            if (link.isConnected()) {
                connected.add(link.outgoing().peer());
            }
        }
        if (!isClosed && !connected.equals(reported)) {
            reported = List.copyOf(connected);
            network.trace().line(() -> self + " is connected to " + reported);
            listener().onPeersChanged(reported);
        }
    }

    private Listener listener() {
        return requireNonNull(listener);
    }

    @Override
    public void close() {
        isClosed = true;
        host.setPeerAcceptor(null);
        List.copyOf(links.values()).forEach(Link::end);
    }

    /** The two connections between this node and a peer. */
    private final class Link implements VirtualNetwork.Dialer {
        private final NodeId node;
        private @Nullable PeerStream outgoing;
        private @Nullable PeerStream incoming;
        private @Nullable Cancellable retry;
        private Duration backOff = MIN_BACK_OFF;
        private boolean isWanted;
        private boolean isDialing;

        Link(NodeId node) {
            this.node = node;
        }

        PeerStream outgoing() {
            return requireNonNull(outgoing);
        }

        boolean isConnected() {
            return outgoing != null
                    && outgoing.isReady
                    && incoming != null
                    && incoming.isReady
                    && outgoing.peer().equals(incoming.peer());
        }

        void connect() {
            if (!isWanted) {
                isWanted = true;
                dial();
            }
        }

        void dial() {
            if (retry != null) {
                retry.cancel();
                retry = null;
            }
            if (isWanted && outgoing == null && !isDialing && !isClosed) {
                isDialing = true;
                network.connect(host, process(node), true, this);
            }
        }

        @Override
        public void onFailed() {
            onEnded(false);
        }

        @Override
        public void onOpened(VirtualConnection.End end) {
            isDialing = false;
            if (!isWanted || isClosed) {
                end.close();
                return;
            }
            outgoing = new PeerStream(end, this);
            outgoing.begin();
            end.send(HELLO, handshake.hello());
        }

        void onIncomingReady(PeerStream stream) {
            backOff = MIN_BACK_OFF;
            if (incoming != null) {
                incoming.close();
            }
            incoming = stream;
            dial();
        }

        void onClosed(PeerStream stream, boolean isRejected) {
            if (stream == incoming) {
                incoming = null;
            }
            if (stream == outgoing) {
                outgoing = null;
                onEnded(isRejected);
            }
        }

        private void onEnded(boolean isRejected) {
            isDialing = false;
            if (isWanted && !isClosed) {
                var delay = isRejected ? MAX_BACK_OFF : backOff;
                backOff = backOff.multipliedBy(2).compareTo(MAX_BACK_OFF) < 0 ? backOff.multipliedBy(2) : MAX_BACK_OFF;
                retry = host.loop().schedule(delay, this::dial);
            }
        }

        void end() {
            if (isWanted) {
                isWanted = false;
                if (outgoing != null) {
                    outgoing.close();
                }
                if (incoming != null) {
                    incoming.close();
                }
            }
        }
    }

    /** One connection: first the handshake, then messages from the node that dialed. */
    private final class PeerStream implements VirtualConnection.Receiver {
        private final VirtualConnection.End end;
        private final @Nullable Link dialed;
        private @Nullable PeerIncarnation peer;
        private @Nullable Cancellable deadline;
        private boolean isReady;
        private boolean isEnded;

        PeerStream(VirtualConnection.End end, @Nullable Link dialed) {
            this.end = end;
            this.dialed = dialed;
        }

        void begin() {
            end.setReceiver(this);
            deadline = host.loop().schedule(HANDSHAKE_TIMEOUT, () -> {
                if (!isReady) {
                    close();
                }
            });
        }

        PeerIncarnation peer() {
            return requireNonNull(peer);
        }

        @Override
        public void onFrame(int kind, byte[] bytes) {
            if (isClosed || isEnded) {
                return;
            }
            switch (kind) {
                case HELLO -> onHello(bytes);
                case ACCEPTED -> becomeReady();
                case REJECTED ->
                    reject(dialed != null ? dialed.node : null, "the peer says: " + new String(bytes, UTF_8));
                case MESSAGE -> onMessage(bytes);
                default -> throw new IllegalStateException("unknown frame: " + kind);
            }
        }

        private void onHello(byte[] hello) {
            try {
                peer = verify(hello);
            } catch (PeerRejectedException rejected) {
                end.send(REJECTED, rejected.reason().getBytes(UTF_8));
                reject(dialed != null ? dialed.node : rejected.peer().orElse(null), rejected.reason());
                return;
            }
            if (dialed != null) {
                end.send(ACCEPTED, NO_BYTES);
                becomeReady();
            } else {
                end.send(HELLO, handshake.hello());
            }
        }

        private PeerIncarnation verify(byte[] hello) {
            var claimed = handshake.accept(hello);
            if (dialed != null && !dialed.node.equals(claimed.node())) {
                throw new PeerRejectedException(claimed.node(), "the node at this address must be " + dialed.node);
            }
            var known = links.get(claimed.node());
            if (known != null
                    && dialed == null
                    && known.incoming != null
                    && known.incoming.peer().isLaterThan(claimed)) {
                throw new PeerRejectedException(claimed.node(), "a later incarnation is connected");
            }
            onAccepted.accept(claimed);
            return claimed;
        }

        private void becomeReady() {
            isReady = true;
            cancelDeadline();
            var link = link(peer().node());
            if (dialed == null) {
                link.onIncomingReady(this);
            } else {
                link.backOff = MIN_BACK_OFF;
            }
            report();
        }

        private void onMessage(byte[] bytes) {
            var link = links.get(peer().node());
            if (link != null && link.isConnected()) {
                listener().onMessage(peer(), bytes);
            }
        }

        private void reject(@Nullable NodeId node, String reason) {
            if (node != null) {
                network.trace().line(() -> self + " rejects or is rejected by " + node + ": " + reason);
                listener().onRejected(node, reason);
            }
            end(true);
            end.close();
        }

        void close() {
            end.close();
            end(false);
        }

        @Override
        public void onClosed() {
            end(false);
        }

        private void end(boolean isRejected) {
            if (!isEnded) {
                isEnded = true;
                isReady = false;
                cancelDeadline();
                links.values().forEach(link -> link.onClosed(this, isRejected));
                report();
            }
        }

        private void cancelDeadline() {
            if (deadline != null) {
                deadline.cancel();
            }
        }
    }
}
