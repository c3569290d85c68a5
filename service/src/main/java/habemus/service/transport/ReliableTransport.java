package habemus.service.transport;

import habemus.codec.MalformedInputException;
import habemus.concurrent.EventLoop;
import habemus.protocol.ByteString;
import habemus.protocol.NodeId;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers the messages between two incarnations in order and exactly once, across reconnects. A new incarnation of
 * either node starts afresh: what was sent to the former one is gone, and what the former one sent is dropped.
 *
 * <p>A message is lost only in two cases. The receiver was never connected, or it has acknowledged nothing while 16 MB
 * were sent to it. Only on the event loop, except {@code start} and {@code close}.
 */
public final class ReliableTransport implements Transport {

    private static final Logger LOG = LoggerFactory.getLogger(ReliableTransport.class);
    private static final int MAX_BUFFERED_BYTES = 16 << 20; // for each peer
    private static final Duration ACKNOWLEDGEMENT_INTERVAL = Duration.ofMillis(100);

    /** A receiver acknowledges so many messages at once, without waiting for the interval. */
    private static final int MAX_UNACKNOWLEDGED_DELIVERIES = 256;

    private final Transport transport;
    private final EventLoop loop;
    private final Map<NodeId, Session> sessions = new TreeMap<>(); // with the latest incarnation of each peer
    private @Nullable Listener listener;
    private volatile boolean isClosed;

    /** What this node exchanges with one incarnation of a peer. */
    private static final class Session {
        private final PeerIncarnation peer;
        private final ReliableChannel channel = new ReliableChannel(MAX_BUFFERED_BYTES);
        private boolean isConnected;
        private boolean isFull;

        Session(PeerIncarnation peer) {
            this.peer = peer;
        }
    }

    /** @param transport that delivers at most once and in order; its listener is called on the loop */
    public ReliableTransport(Transport transport, EventLoop loop) {
        this.transport = transport;
        this.loop = loop;
    }

    /** {@inheritDoc} Not on the event loop, because it waits. */
    @Override
    public void start(Listener messageListener) {
        loop.execute(() -> {
            listener = messageListener;
            scheduleAcknowledgements();
        });
        transport.start(new Listener() {
            @Override
            public void onMessage(PeerIncarnation from, byte[] bytes) {
                ReliableTransport.this.onMessage(from, bytes);
            }

            @Override
            public void onPeersChanged(List<PeerIncarnation> peers) {
                ReliableTransport.this.onPeersChanged(peers);
            }

            @Override
            public void onRejected(NodeId peer, String reason) {
                messageListener.onRejected(peer, reason);
            }

            @Override
            public void onRefused(NodeId peer) {
                messageListener.onRefused(peer);
            }
        });
    }

    @Override
    public void setPeers(List<Member> peers) {
        transport.setPeers(peers);
    }

    /** Sends a message that is delivered exactly once. It is dropped if the receiver was never connected. */
    @Override
    public void send(NodeId to, byte[] bytes) {
        var session = sessions.get(to);
        if (session == null) {
            return;
        }
        var frame = session.channel.send(ByteString.of(bytes));
        if (frame.isEmpty() && !session.isFull) {
            LOG.warn("messages dropped peer={} reason=\"{} bytes are not acknowledged\"", to, MAX_BUFFERED_BYTES);
        }
        session.isFull = frame.isEmpty();
        frame.filter(numbered -> session.isConnected).ifPresent(numbered -> transmit(session, numbered));
    }

    /** Sends a message that is lost if the receiver is not connected, or if the connection ends. */
    public void sendUnreliable(NodeId to, byte[] bytes) {
        var session = sessions.get(to);
        if (session != null && session.isConnected) {
            transmit(session, new ChannelFrame.Unnumbered(ByteString.of(bytes)));
        }
    }

    private void transmit(Session session, ChannelFrame frame) {
        transport.send(session.peer.node(), ChannelFrame.CODEC.write(frame));
    }

    private void onPeersChanged(List<PeerIncarnation> peers) {
        sessions.values().forEach(session -> session.isConnected &= peers.contains(session.peer));
        peers.forEach(this::connect);
        if (listener != null) {
            listener.onPeersChanged(sessions.values().stream()
                    .filter(session -> session.isConnected)
                    .map(session -> session.peer)
                    .toList());
        }
    }

    private void connect(PeerIncarnation peer) {
        var session = sessions.get(peer.node());
        if (session == null || peer.isLaterThan(session.peer)) {
            session = new Session(peer);
            sessions.put(peer.node(), session);
        }
        if (session.peer.equals(peer) && !session.isConnected) {
            session.isConnected = true;
            for (ChannelFrame frame : session.channel.onConnected()) {
                transmit(session, frame);
            }
        }
    }

    private void onMessage(PeerIncarnation from, byte[] bytes) {
        var session = sessions.get(from.node());
        if (session == null || !session.peer.equals(from) || listener == null) {
            LOG.debug("frame dropped peer={} reason=\"an old incarnation\"", from);
            return;
        }
        try {
            onFrame(session, ChannelFrame.CODEC.read(ByteBuffer.wrap(bytes)), listener);
        } catch (MalformedInputException malformed) {
            LOG.warn("frame rejected peer={} reason=\"{}\"", from.node(), malformed.getMessage());
        }
    }

    private void onFrame(Session session, ChannelFrame frame, Listener receiver) {
        switch (frame) {
            case ChannelFrame.Numbered numbered -> {
                session.channel
                        .receive(numbered)
                        .ifPresent(message -> receiver.onMessage(session.peer, message.toByteArray()));
                acknowledge(session, MAX_UNACKNOWLEDGED_DELIVERIES);
            }
            case ChannelFrame.Acknowledgement(var number) -> session.channel.onAcknowledged(number);
            case ChannelFrame.Unnumbered(var message) -> receiver.onMessage(session.peer, message.toByteArray());
        }
    }

    private void scheduleAcknowledgements() {
        if (!isClosed) {
            sessions.values().forEach(session -> acknowledge(session, 1));
            loop.schedule(ACKNOWLEDGEMENT_INTERVAL, this::scheduleAcknowledgements);
        }
    }

    private void acknowledge(Session session, int minDeliveries) {
        if (session.isConnected && session.channel.unacknowledgedDeliveries() >= minDeliveries) {
            transmit(session, session.channel.acknowledge());
        }
    }

    @Override
    public void close() {
        isClosed = true;
        transport.close();
    }
}
