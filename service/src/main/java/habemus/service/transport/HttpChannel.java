package habemus.service.transport;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One HTTP connection. It handles one request after the other: if a client sends a request before it has the response
 * to the last one, the node answers the last one and closes the connection. Only on the event loop.
 *
 * <pre>
 *   RECEIVING ── request ─▶ HANDLING ── response begins ─▶ RESPONDING ── response written ─▶ RECEIVING, ENDED
 *   RECEIVING ── rejected ─▶ ENDED
 * </pre>
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails closes the channel, and that is noticed
final class HttpChannel extends ChannelInboundHandlerAdapter implements ChannelConnection {

    private static final Logger LOG = LoggerFactory.getLogger(HttpChannel.class);
    private static final int MAX_WRITE_BYTES = 64 << 10; // of a response at once, so that progress is noticed
    private static final long LINGER_NANOS =
            Duration.ofSeconds(2).toNanos(); // until the client reads the last response

    private enum Phase {
        RECEIVING,
        HANDLING,
        RESPONDING,
        /** The last response is written, what arrives is ignored. */
        ENDED,
        CLOSED
    }

    private final HttpListener listener;
    private Phase phase = Phase.RECEIVING;
    private long phaseStartNanos;
    private Duration firstByteTimeout;
    private boolean hasBytes; // of the request that is being received
    private boolean isLastRequest;
    private volatile boolean isInputEnded;
    private int pendingWrites;
    private long lastWrittenNanos;
    private ByteArrayOutputStream body = new ByteArrayOutputStream();
    private @Nullable HttpRequest head;
    private long requestNumber;
    private @Nullable Channel channel;
    private InetSocketAddress client = new InetSocketAddress(0);

    HttpChannel(HttpListener listener) {
        this.listener = listener;
        firstByteTimeout = listener.limits().requestTimeout();
        phaseStartNanos = now();
    }

    private long now() {
        return listener.loop().nanoTime();
    }

    private void enter(Phase next) {
        phase = next;
        phaseStartNanos = now();
    }

    private Channel channel() {
        return requireNonNull(channel);
    }

    /** Whether the client waits for a response. */
    boolean isAnswering() {
        return phase == Phase.HANDLING || phase == Phase.RESPONDING;
    }

    @Override
    public void attach(Channel opened) {
        channel = opened;
        client = (InetSocketAddress) opened.remoteAddress();
        ((SocketChannel) opened).config().setAllowHalfClosure(true);
        opened.closeFuture().addListener(closed -> listener.loop().execute(() -> close("closed by the client")));
    }

    @Override
    public void addHandlers() {
        channel().pipeline().addLast(new StrictHttpDecoder(this::onBytes), new HttpResponseEncoder(), this);
    }

    private void onBytes() {
        if (phase == Phase.RECEIVING && !hasBytes) {
            hasBytes = true;
            if (firstByteTimeout.equals(listener.limits().idleTimeout())) {
                phaseStartNanos = now(); // the time of the first request begins with the connection
            }
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            if (isAnswering()) {
                isLastRequest = true;
            }
            if (phase == Phase.RECEIVING && message instanceof HttpRequest request) {
                onHead(request);
            }
            if (phase == Phase.RECEIVING && message instanceof HttpContent content) {
                onContent(content);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void onHead(HttpRequest request) {
        var violation = StrictHttpDecoder.violation(request);
        if (violation.isPresent()) {
            reject(violation.get());
            return;
        }
        if (HttpUtil.getContentLength(request, 0L) > listener.limits().maxBodyBytes()) {
            rejectLargeBody();
            return;
        }
        head = request;
        requestNumber++;
        body = new ByteArrayOutputStream();
        isLastRequest = !HttpUtil.isKeepAlive(request);
        if (HttpUtil.is100ContinueExpected(request)) {
            channel()
                    .writeAndFlush(new DefaultFullHttpResponse(
                            HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
        }
    }

    private void rejectLargeBody() {
        reject(new StrictHttpDecoder.Violation(
                413, "request body too large (at most " + listener.limits().maxBodyBytes() + " bytes)"));
    }

    private void onContent(HttpContent content) {
        if (content.decoderResult().isFailure()) {
            reject(StrictHttpDecoder.malformed(content.decoderResult().cause()));
            return;
        }
        if (body.size() + content.content().readableBytes() > listener.limits().maxBodyBytes()) {
            rejectLargeBody();
            return;
        }
        var bytes = new byte[content.content().readableBytes()];
        content.content().readBytes(bytes);
        body.writeBytes(bytes);
        if (content instanceof LastHttpContent) {
            enter(Phase.HANDLING);
            listener.onRequest(this, new Exchange(requireNonNull(head), body.toByteArray()));
        }
    }

    private void reject(StrictHttpDecoder.Violation violation) {
        listener.throttledLog()
                .info(
                        client,
                        "HTTP request rejected address={} status={} reason=\"{}\"",
                        address(),
                        violation.status(),
                        violation.reason());
        isLastRequest = true;
        enter(Phase.RESPONDING);
        var bytes = listener.handler().rejection(violation.status(), violation.reason());
        write(response(HttpVersion.HTTP_1_1, violation.status(), Map.of())
                .add(HttpHeaderNames.CONTENT_LENGTH, bytes.length)
                .message());
        writeBody(bytes);
        finish();
    }

    /** A response head whose headers are complete step by step. */
    private record ResponseHead(HttpResponse message) {

        ResponseHead add(CharSequence name, Object value) {
            message.headers().set(name, value);
            return this;
        }
    }

    private ResponseHead response(HttpVersion version, int status, Map<String, String> headers) {
        var response = new ResponseHead(new DefaultHttpResponse(version, HttpResponseStatus.valueOf(status)));
        response.add(
                HttpHeaderNames.DATE, DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC)));
        response.add(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON);
        headers.forEach(response::add);
        if (isLastRequest) {
            response.add(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        } else if (version.equals(HttpVersion.HTTP_1_0)) {
            response.add(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        }
        return response;
    }

    private ChannelFuture write(Object message) {
        if (pendingWrites++ == 0) {
            lastWrittenNanos = now();
        }
        return channel().write(message).addListener(written -> {
            pendingWrites--;
            lastWrittenNanos = now();
            if (!written.isSuccess()) {
                close("cannot write: " + written.cause());
            }
        });
    }

    private void writeBody(byte[] bytes) {
        for (int offset = 0; offset < bytes.length; offset += MAX_WRITE_BYTES) {
            write(new DefaultHttpContent(
                    Unpooled.wrappedBuffer(bytes, offset, Math.min(MAX_WRITE_BYTES, bytes.length - offset))));
        }
    }

    private void finish() {
        write(LastHttpContent.EMPTY_LAST_CONTENT).addListener(written -> {
            if (written.isSuccess()) {
                onResponded();
            }
        });
        channel().flush();
    }

    /** If a socket is closed while input is unread, TCP resets it, and the client may never read the response. */
    private void onResponded() {
        head = null;
        if (isInputEnded) {
            close("closed by the client");
        } else if (isLastRequest) {
            enter(Phase.ENDED);
            ChannelConnection.endOutput(channel());
        } else {
            enter(Phase.RECEIVING);
            hasBytes = false;
            firstByteTimeout = listener.limits().idleTimeout();
        }
        if (phase != Phase.CLOSED) {
            listener.onResponded(this);
        }
    }

    /** Closes the connection if a timeout is over. */
    void checkTimeout() {
        var limits = listener.limits();
        long elapsed = now() - phaseStartNanos;
        if (pendingWrites > 0
                && now() - lastWrittenNanos > limits.writeTimeout().toNanos()) {
            listener.throttledLog().info(client, "HTTP connection closed address={} reason=write-timeout", address());
            close("write-timeout");
        } else if (phase == Phase.ENDED && elapsed > LINGER_NANOS) {
            close("ended");
        } else if (phase == Phase.RECEIVING && !hasBytes && elapsed > firstByteTimeout.toNanos()) {
            close("idle");
        } else if (phase == Phase.RECEIVING
                && hasBytes
                && elapsed > limits.requestTimeout().toNanos()) {
            reject(new StrictHttpDecoder.Violation(408, "the request was not complete in time"));
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            isInputEnded = true;
            isLastRequest = true;
            if (!isAnswering()) {
                close("closed by the client");
            }
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof RuntimeException && !(cause instanceof DecoderException)) {
            LOG.error("HTTP request not handled address={}", address(), cause);
        }
        close(String.valueOf(cause.getMessage()));
    }

    @Override
    public void close(String reason) {
        if (phase == Phase.CLOSED) {
            return;
        }
        LOG.debug("HTTP connection closed address={} reason=\"{}\"", address(), reason);
        isInputEnded = true;
        enter(Phase.CLOSED);
        channel().close();
        listener.onClosed(this);
    }

    private String address() {
        return client.getHostString() + ":" + client.getPort();
    }

    private final class Exchange implements HttpExchange {

        private final HttpRequest request;
        private final byte[] content;
        private final long number = requestNumber;
        private final Optional<String> certificateName; // the pipeline of a closed channel has none

        Exchange(HttpRequest request, byte[] content) {
            this.request = request;
            this.content = content;
            certificateName = TlsEngineFactory.peerCertificate(channel())
                    .flatMap(certificate -> TlsContexts.commonName(
                            certificate.getSubjectX500Principal().getName()));
        }

        @Override
        public String method() {
            return request.method().name();
        }

        @Override
        public String target() {
            return request.uri();
        }

        @Override
        public Optional<String> header(String name) {
            return Optional.ofNullable(request.headers().get(name));
        }

        @Override
        public byte[] body() {
            return content;
        }

        @Override
        public String host() {
            return client.getAddress().getHostAddress();
        }

        @Override
        public String address() {
            return HttpChannel.this.address();
        }

        @Override
        public Optional<String> certificateName() {
            return certificateName;
        }

        @Override
        public boolean isDisconnected() {
            return isInputEnded;
        }

        @Override
        public void respond(int status, Map<String, String> headers, byte[] bytes) {
            onLoop(() -> {
                if (isCurrent() && phase == Phase.HANDLING) {
                    enter(Phase.RESPONDING);
                    write(response(request.protocolVersion(), status, headers)
                            .add(HttpHeaderNames.CONTENT_LENGTH, bytes.length)
                            .message());
                    if (!request.method().equals(HttpMethod.HEAD)) {
                        writeBody(bytes);
                    }
                    finish();
                }
            });
        }

        private boolean isCurrent() {
            return number == requestNumber;
        }

        /** @return false if the loop has ended, and the connection with it */
        private boolean onLoop(Runnable task) {
            try {
                listener.loop().execute(task);
                return true;
            } catch (RejectedExecutionException ended) {
                return false;
            }
        }

        /** To a client of HTTP/1.0, the end of the connection is the end of the body. */
        @Override
        public BodyStream startStream(int status, Map<String, String> headers) {
            onLoop(() -> {
                if (isCurrent() && phase == Phase.HANDLING) {
                    enter(Phase.RESPONDING);
                    boolean isChunked = request.protocolVersion().equals(HttpVersion.HTTP_1_1);
                    isLastRequest |= !isChunked;
                    var response = response(request.protocolVersion(), status, headers);
                    if (isChunked) {
                        response.add(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
                    }
                    write(response.message());
                    channel().flush();
                }
            });
            return new Stream();
        }

        private final class Stream implements BodyStream {

            @Override
            public void write(byte[] bytes) throws IOException, InterruptedException {
                var written = new CompletableFuture<@Nullable Void>();
                boolean isRunning = onLoop(() -> {
                    if (!isCurrent() || phase != Phase.RESPONDING) {
                        written.completeExceptionally(new IOException("connection closed"));
                        return;
                    }
                    HttpChannel.this
                            .write(new DefaultHttpContent(Unpooled.wrappedBuffer(bytes)))
                            .addListener(done -> {
                                if (done.isSuccess()) {
                                    written.complete(null);
                                } else {
                                    written.completeExceptionally(done.cause());
                                }
                            });
                    channel().flush();
                });
                if (!isRunning || isInputEnded) {
                    throw new IOException("connection closed");
                }
                try {
                    written.get(2 * listener.limits().writeTimeout().toMillis(), TimeUnit.MILLISECONDS);
                } catch (ExecutionException | TimeoutException failed) {
                    throw new IOException("connection closed", failed);
                }
            }

            @Override
            public void close() {
                onLoop(() -> {
                    if (isCurrent() && phase == Phase.RESPONDING) {
                        finish();
                    }
                });
            }
        }
    }
}
