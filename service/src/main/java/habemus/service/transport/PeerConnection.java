package habemus.service.transport;

import static java.util.Objects.requireNonNull;

import habemus.codec.MalformedInputException;
import habemus.concurrent.EventLoop;
import habemus.concurrent.EventLoop.Cancellable;
import habemus.protocol.ByteString;
import habemus.protocol.NodeId;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to a peer: first the handshake, then messages in one direction, from the node that dialed to the node
 * that accepted. Both send pings. Only on the event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails closes the channel, and that is noticed
final class PeerConnection extends ChannelInboundHandlerAdapter implements ChannelConnection {

    /** From the start of the connection to the end of the handshake, whatever arrives. */
    static final Duration HANDSHAKE_TIMEOUT = Duration.ofSeconds(5);

    static final int MAX_MESSAGE_BYTES = 64 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(PeerConnection.class);
    private static final byte[] PING = {};

    /** A peer for which more is waiting is too slow: the largest message, and as much behind it. */
    private static final long MAX_PENDING_BYTES = 2L * MAX_MESSAGE_BYTES;

    /** Called on the event loop. */
    interface Listener {

        /**
         * Decides about a peer whose handshake and certificate are accepted.
         *
         * @throws PeerRejectedException if it may not connect
         */
        void onHello(PeerConnection connection, PeerIncarnation peer);

        /** The handshake is over. */
        void onReady(PeerConnection connection);

        void onMessage(PeerIncarnation from, byte[] bytes);

        void onRejected(NodeId peer, String reason);

        /** No process listens at the address of the peer. */
        void onRefused(NodeId peer);

        /** Called once, even if the connection was never opened. */
        void onClosed(PeerConnection connection);
    }

    /** What the connections of a node have in common. */
    record Settings(NodeId self, PeerHandshake handshake, boolean hasTls, EventLoop loop, ThrottledLog throttledLog) {}

    private enum Phase {
        HANDSHAKE,
        READY,
        CLOSED
    }

    private final Settings settings;
    private final Listener listener;
    private final Optional<NodeId> dialed;
    private final LengthPrefixedFrameDecoder decoder;
    private final Cancellable deadline;
    private Phase phase = Phase.HANDSHAKE;
    private boolean isRejected;
    private @Nullable Channel channel;
    private @Nullable PeerIncarnation peer;
    private @Nullable FrameWriter writer;

    /** @param dialed the node to which this node connects; empty if the peer has connected to this node */
    PeerConnection(Settings settings, Listener listener, Optional<NodeId> dialed) {
        this.settings = settings;
        this.listener = listener;
        this.dialed = dialed;
        decoder = new LengthPrefixedFrameDecoder(MAX_HANDSHAKE_BYTES, settings.loop::nanoTime);
        deadline = settings.loop.schedule(
                HANDSHAKE_TIMEOUT, () -> fail("the handshake must end within " + HANDSHAKE_TIMEOUT.toSeconds() + " s"));
    }

    @Override
    public void attach(Channel opened) {
        channel = opened;
        writer = new FrameWriter(opened, settings.loop, new WriteListener());
        opened.closeFuture() // after the error that has closed it
                .addListener(closed -> settings.loop.execute(() -> close("closed by the peer")));
        if (phase == Phase.CLOSED) {
            opened.close();
        }
    }

    @Override
    public void addHandlers() {
        channel().pipeline().addLast(decoder, this);
    }

    private Channel channel() {
        return requireNonNull(channel);
    }

    boolean isOutgoing() {
        return dialed.isPresent();
    }

    boolean isReady() {
        return phase == Phase.READY;
    }

    /** Whether one of the nodes has rejected the other. */
    boolean isRejected() {
        return isRejected;
    }

    /** The peer, after it has said which node it is. */
    PeerIncarnation peer() {
        return requireNonNull(peer);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        if (isOutgoing()) {
            write(hello());
        }
    }

    private HandshakeFrame hello() {
        return new HandshakeFrame.Hello(ByteString.of(settings.handshake.hello()));
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object frame) {
        var bytes = (byte[]) frame;
        switch (phase) {
            case HANDSHAKE -> onHandshake(bytes);
            case READY -> onMessage(bytes);
            case CLOSED -> {} // what had arrived before
        }
    }

    private void onHandshake(byte[] bytes) {
        try {
            switch (HandshakeFrame.read(bytes)) {
                case HandshakeFrame.Hello(var content) -> onHello(content.toByteArray());
                case HandshakeFrame.Accepted() -> onAccepted();
                case HandshakeFrame.Rejected(var reason) -> onRejectedByPeer(reason);
            }
        } catch (MalformedInputException malformed) {
            fail(String.valueOf(malformed.getMessage()));
        }
    }

    private void onHello(byte[] content) {
        if (peer != null) {
            throw new MalformedInputException("a second hello");
        }
        try {
            peer = verify(content);
        } catch (PeerRejectedException rejected) {
            reject(rejected);
            return;
        }
        if (isOutgoing()) {
            write(new HandshakeFrame.Accepted());
            becomeReady();
        } else {
            write(hello());
        }
    }

    private PeerIncarnation verify(byte[] hello) {
        var claimed = settings.handshake.accept(hello);
        if (claimed.node().equals(settings.self)) {
            throw new PeerRejectedException(claimed.node(), "there is another node " + settings.self);
        }
        if (dialed.isPresent() && !dialed.get().equals(claimed.node())) {
            throw new PeerRejectedException(
                    claimed.node(), "the node at this address must be " + dialed.get() + ", was " + claimed.node());
        }
        if (settings.hasTls) {
            verifyCertificate(claimed.node());
        }
        listener.onHello(this, claimed);
        return claimed;
    }

    /** A trusted certificate is not enough: it has to name the node. */
    private void verifyCertificate(NodeId node) {
        var certificate = TlsEngineFactory.peerCertificate(channel());
        if (certificate
                .filter(shown -> TlsContexts.names(shown, node.toString()))
                .isEmpty()) {
            throw new PeerRejectedException(
                    node,
                    certificate
                            .map(shown ->
                                    "certificate of '" + TlsContexts.displayName(shown) + "' does not name " + node)
                            .orElse("no certificate names " + node));
        }
    }

    private void onAccepted() {
        if (peer == null || isOutgoing()) {
            throw new MalformedInputException("accepted before hello");
        }
        decoder.setMaxBytes(MAX_MESSAGE_BYTES);
        becomeReady();
    }

    private void becomeReady() {
        phase = Phase.READY;
        deadline.cancel();
        listener.onReady(this);
    }

    private void reject(PeerRejectedException rejected) {
        var answer = new HandshakeFrame.Rejected(rejected.reason());
        write(answer);
        endRejected(dialed.or(rejected::peer), answer.reason());
    }

    private void onRejectedByPeer(String reason) {
        endRejected(dialed.or(() -> Optional.ofNullable(peer).map(PeerIncarnation::node)), "the peer says: " + reason);
    }

    private void endRejected(Optional<NodeId> node, String reason) {
        isRejected = true;
        settings.throttledLog.info(
                channel().remoteAddress(),
                "peer rejected node={} peer={} address={} reason=\"{}\"",
                settings.self,
                node.map(NodeId::toString).orElse("unknown"),
                channel().remoteAddress(),
                reason);
        node.ifPresent(known -> listener.onRejected(known, reason));
        close("rejected");
    }

    private void onMessage(byte[] bytes) {
        if (bytes.length == 0) {
            return; // a ping
        }
        if (isOutgoing()) {
            fail("a message in the wrong direction");
            return;
        }
        listener.onMessage(peer(), bytes);
    }

    private void write(HandshakeFrame frame) {
        requireNonNull(writer).write(frame.toBytes());
    }

    /** Sends a message at the end of the current turn of the loop. Closes the connection if the peer is too slow. */
    void send(byte[] bytes) {
        if (phase != Phase.READY) {
            return;
        }
        if (requireNonNull(writer).pendingBytes() > MAX_PENDING_BYTES) {
            settings.loop.execute(() -> close("the peer is too slow"));
            return;
        }
        writer.write(bytes);
    }

    private final class WriteListener implements FrameWriter.Listener {

        @Override
        public void onProgress() {}

        @Override
        public void onWriteFailed(Throwable cause) {
            close("cannot write: " + cause);
        }
    }

    /** Sends a ping, or closes the connection if nothing has arrived for this time. */
    void pingOrExpire(long idleNanos) {
        if (settings.loop.nanoTime() - decoder.lastReadNanos() > idleNanos) {
            close("silent");
        } else {
            send(PING);
        }
    }

    /** The handshake of TLS also fails if the peer closes the connection. That is no rejection. */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake
                && !handshake.isSuccess()
                && channel().isActive()) {
            onError(handshake.cause());
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        onError(cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause);
    }

    private void onError(Throwable cause) {
        if (cause instanceof RuntimeException && !(cause instanceof DecoderException)) {
            LOG.error("message not handled node={} peer={}", settings.self, peer, cause);
        }
        if (phase == Phase.HANDSHAKE && isOutgoing() && cause instanceof SSLException) {
            endRejected(dialed, HandshakeFrame.printable("TLS handshake failed: " + cause.getMessage()));
        } else if (phase == Phase.HANDSHAKE) {
            fail(String.valueOf(cause.getMessage()));
        } else {
            close(String.valueOf(cause.getMessage()));
        }
    }

    /** The channel could not be opened. The operating system of the peer refuses if no process listens there. */
    void onConnectFailed(Throwable cause) {
        close(String.valueOf(cause.getMessage()));
        if (cause instanceof ConnectException && !(cause instanceof ConnectTimeoutException)) {
            dialed.ifPresent(listener::onRefused);
        }
    }

    /** Closes a connection on which the peer has done what a node does not do. */
    private void fail(String reason) {
        if (phase != Phase.CLOSED && channel != null && !isOutgoing()) {
            settings.throttledLog.info(
                    channel.remoteAddress(),
                    "connection closed node={} address={} reason=\"{}\"",
                    settings.self,
                    channel.remoteAddress(),
                    HandshakeFrame.printable(reason));
        }
        close(reason);
    }

    @Override
    public void close(String reason) {
        if (phase == Phase.CLOSED) {
            return;
        }
        LOG.debug(
                "connection closed node={} peer={} outgoing={} reason=\"{}\"",
                settings.self,
                peer == null ? dialed : peer,
                isOutgoing(),
                reason);
        phase = Phase.CLOSED;
        deadline.cancel();
        if (channel != null) {
            requireNonNull(writer).end();
            settings.loop.execute(channel::close); // not before TLS has told the peer why its handshake has failed
        }
        listener.onClosed(this);
    }
}
