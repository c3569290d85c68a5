package habemus.service.transport;

import static java.util.Objects.requireNonNull;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The channel of a {@link FrameConnection}. */
@SuppressWarnings("FutureReturnValueIgnored") // what fails closes the channel, and that is noticed
final class FrameChannel extends ChannelInboundHandlerAdapter implements ChannelConnection, FrameConnection {

    /** While so many bytes wait to be handled, the connection is not read from. */
    private static final int MAX_WAITING_BYTES = 16 << 10;

    /** What a waiting frame needs besides its bytes. */
    private static final int FRAME_OVERHEAD_BYTES = 32;

    private static final Logger LOG = LoggerFactory.getLogger(FrameChannel.class);

    private enum Phase {
        HANDSHAKE,
        OPEN,
        /** The last frame is written, what arrives is ignored. */
        ENDED,
        CLOSED
    }

    private final FrameServer server;
    private final Handler handler;
    private final LengthPrefixedFrameDecoder decoder;
    private Phase phase = Phase.HANDSHAKE;
    private long phaseStartNanos;
    private final Deque<byte[]> frames = new ArrayDeque<>(); // that wait to be handled
    private long waitingBytes; // of these frames
    private long unreadBytes; // of these frames, and of the one that has not arrived completely
    private String principal = "";
    private String closeReason = ""; // of a channel that is closed, and whose frames are not all handled
    private boolean isWaiting; // for its turn
    private boolean isReading = true;
    private String address = "";
    private @Nullable Channel channel;
    private @Nullable FrameWriter writer;

    FrameChannel(FrameServer server) {
        this.server = server;
        decoder = new LengthPrefixedFrameDecoder(MAX_HANDSHAKE_BYTES, server.loop()::nanoTime);
        phaseStartNanos = server.loop().nanoTime();
        handler = server.handlerOf(this);
    }

    @Override
    public void attach(Channel opened) {
        channel = opened;
        address = opened.remoteAddress() instanceof InetSocketAddress client
                ? client.getAddress().getHostAddress() + ":" + client.getPort()
                : "unknown";
        writer = new FrameWriter(opened, server.loop(), new WriteListener());
        opened.closeFuture()
                .addListener(closed -> server.loop().execute(() -> closeAfterFrames("closed by the client")));
    }

    @Override
    public void addHandlers() {
        channel().pipeline().addLast(decoder, this);
    }

    private Channel channel() {
        return requireNonNull(channel);
    }

    private FrameWriter writer() {
        return requireNonNull(writer);
    }

    @Override
    public Optional<String> certificateName() {
        return TlsEngineFactory.peerCertificate(channel())
                .flatMap(certificate -> TlsContexts.commonName(
                        certificate.getSubjectX500Principal().getName()));
    }

    @Override
    public void open(int maxFrameBytes, String client) {
        if (phase == Phase.HANDSHAKE) {
            principal = client;
            enter(Phase.OPEN);
            decoder.setMaxBytes(maxFrameBytes);
            server.onReady(this);
        }
    }

    private void enter(Phase next) {
        phase = next;
        phaseStartNanos = server.loop().nanoTime();
    }

    @Override
    public void send(byte[] frame) {
        if (phase == Phase.ENDED || phase == Phase.CLOSED) {
            return;
        }
        if (writer().pendingBytes() + frame.length > server.limits().maxPendingBytes()) {
            disconnect("slow-reader");
            return;
        }
        writer().write(frame);
        updateReading();
    }

    private void updateReading() {
        boolean shouldRead =
                writer().pendingBytes() <= server.limits().maxPendingBytes() / 2 && waitingBytes < MAX_WAITING_BYTES;
        if (shouldRead != isReading) {
            isReading = shouldRead;
            channel().config().setAutoRead(shouldRead);
        }
    }

    /** If a socket is closed while input is unread, TCP resets it, and the client may never read the last frame. */
    @Override
    public void end(byte[] lastFrame) {
        if (phase == Phase.ENDED || phase == Phase.CLOSED) {
            return;
        }
        enter(Phase.ENDED);
        discardInput();
        channel().config().setAutoRead(true);
        writer().write(lastFrame);
        writer().end().addListener(written -> {
            if (written.isSuccess()) {
                ChannelConnection.endOutput(channel());
            }
        });
    }

    private void discardInput() {
        decoder.discard();
        frames.clear();
        waitingBytes = 0;
        updateUnreadBytes();
    }

    private void updateUnreadBytes() {
        long before = unreadBytes;
        unreadBytes = waitingBytes + decoder.heldBytes();
        if (unreadBytes != before) {
            server.onUnreadBytesChanged(unreadBytes - before);
        }
    }

    /** Bytes that have arrived and are not handled. */
    long unreadBytes() {
        return unreadBytes;
    }

    /** Whose share of the service this connection uses; empty before the end of the handshake. */
    String principal() {
        return principal;
    }

    /** Why the connection has to be closed now, if a timeout is over. */
    Optional<String> expiry() {
        var limits = server.limits();
        long now = server.loop().nanoTime();
        if (writer().stalledNanos() > limits.writeTimeout().toNanos()) {
            return Optional.of("write-timeout");
        }
        return switch (phase) {
            case HANDSHAKE ->
                now - phaseStartNanos > limits.handshakeTimeout().toNanos()
                        ? Optional.of("handshake-timeout")
                        : Optional.empty();
            case OPEN ->
                now - decoder.lastReadNanos() > limits.idleTimeout().toNanos() && !handler.mayBeIdle()
                        ? Optional.of("idle")
                        : Optional.empty();
            case ENDED ->
                now - phaseStartNanos > limits.handshakeTimeout().toNanos()
                        ? Optional.of("rejected")
                        : Optional.empty();
            case CLOSED -> Optional.empty();
        };
    }

    private final class WriteListener implements FrameWriter.Listener {

        @Override
        public void onProgress() {
            if (phase == Phase.OPEN) {
                updateReading();
                waitForTurn();
            }
        }

        @Override
        public void onWriteFailed(Throwable cause) {
            closeAfterFrames("cannot write: " + cause);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object frame) {
        if (phase != Phase.HANDSHAKE && phase != Phase.OPEN) {
            return;
        }
        frames.add((byte[]) frame);
        waitingBytes += bytesOf((byte[]) frame);
        updateReading();
        waitForTurn();
    }

    private static int bytesOf(byte[] frame) {
        return frame.length + FRAME_OVERHEAD_BYTES;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        updateUnreadBytes();
    }

    /** Handles the oldest frame that waits. If more wait, the connection is served again in its turn. */
    void handleFrame() {
        isWaiting = false;
        var frame = frames.poll();
        if (frame == null) {
            return; // all are discarded
        }
        waitingBytes -= bytesOf(frame);
        try {
            handler.onFrame(frame);
        } catch (RuntimeException failed) {
            onError(failed);
        }
        updateUnreadBytes();
        if (phase == Phase.OPEN) {
            updateReading();
        }
        if (frames.isEmpty() && !closeReason.isEmpty()) {
            close(closeReason);
        }
        waitForTurn();
    }

    /** A client that does not read its replies is not served. */
    private void waitForTurn() {
        if (!isWaiting && !frames.isEmpty() && (!isReplyBacklogLong() || !closeReason.isEmpty())) {
            isWaiting = true;
            server.onFramesWaiting(this);
        }
    }

    private boolean isReplyBacklogLong() {
        return writer().pendingBytes() > server.limits().maxPendingBytes() / 2;
    }

    /** What the client has sent before it closed the connection counts. */
    private void closeAfterFrames(String reason) {
        if (frames.isEmpty()) {
            close(reason);
        } else if (closeReason.isEmpty()) {
            closeReason = reason;
        }
    }

    /** The handshake of TLS also fails if the client closes the connection. */
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
        onError(cause instanceof DecoderException && cause.getCause() instanceof SSLException failed ? failed : cause);
    }

    private void onError(Throwable cause) {
        if (phase == Phase.CLOSED) {
            return;
        }
        if (cause instanceof CorruptedFrameException) {
            handler.onMalformed(String.valueOf(cause.getMessage()));
            return;
        }
        if (phase == Phase.HANDSHAKE && cause instanceof SSLException) {
            handler.onTlsFailed(HandshakeFrame.printable(String.valueOf(cause.getMessage())));
        } else if (cause instanceof RuntimeException) {
            LOG.error("request not handled client={}", this, cause);
        }
        if (cause instanceof IOException) {
            closeAfterFrames(String.valueOf(cause.getMessage()));
        } else {
            close(String.valueOf(cause.getMessage()));
        }
    }

    @Override
    public void disconnect(String reason) {
        if (phase == Phase.OPEN) {
            LOG.info("client disconnected reason={} client={}", reason, this);
        } else if (phase == Phase.HANDSHAKE) {
            server.throttledLog()
                    .info(channel().remoteAddress(), "client disconnected reason={} client={}", reason, this);
        }
        close(reason);
    }

    @Override
    public void close(String reason) {
        if (phase == Phase.CLOSED) {
            return;
        }
        LOG.debug("connection closed client={} reason=\"{}\"", this, reason);
        enter(Phase.CLOSED);
        discardInput();
        writer().end();
        server.loop().execute(channel()::close); // not before TLS has told the client why its handshake has failed
        server.onClosed(this);
        handler.onClosed();
    }

    @Override
    public String toString() {
        return address;
    }
}
