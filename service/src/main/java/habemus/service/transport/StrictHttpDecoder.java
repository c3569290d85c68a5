package habemus.service.transport;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.util.List;
import java.util.Optional;

/**
 * Decodes HTTP/1.1 requests, and rejects every request about whose end two parsers could disagree. A proxy before the
 * node must not see another request than the node does (request smuggling).
 */
final class StrictHttpDecoder extends HttpRequestDecoder {

    private static final int MAX_LINE_BYTES = 4 << 10;
    private static final int MAX_HEADER_BYTES = 8 << 10;
    private static final int MAX_CHUNK_BYTES = 4 << 10;
    private static final List<CharSequence> SINGLE_HEADERS = List.of(
            HttpHeaderNames.HOST,
            HttpHeaderNames.AUTHORIZATION,
            HttpHeaderNames.CONTENT_TYPE,
            HttpHeaderNames.ORIGIN,
            HttpHeaderNames.EXPECT);

    /** Why a request is rejected, with the status of the response. */
    record Violation(int status, String reason) {}

    private final Runnable onBytes;

    /** @param onBytes called before bytes of the client are decoded */
    StrictHttpDecoder(Runnable onBytes) {
        super(MAX_LINE_BYTES, MAX_HEADER_BYTES, MAX_CHUNK_BYTES);
        this.onBytes = onBytes;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) throws Exception {
        onBytes.run();
        super.channelRead(context, bytes);
    }

    /** By RFC 9112, section 6.3, a server may reject such a request. Netty would remove the length. */
    @Override
    protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
        throw new IllegalArgumentException("both Content-Length and Transfer-Encoding");
    }

    /** What is wrong with the head of a request. */
    static Optional<Violation> violation(HttpRequest head) {
        if (head.decoderResult().isFailure()) {
            return Optional.of(malformed(head.decoderResult().cause()));
        }
        if (!head.protocolVersion().equals(HttpVersion.HTTP_1_1)
                && !head.protocolVersion().equals(HttpVersion.HTTP_1_0)) {
            return Optional.of(new Violation(505, "the version must be HTTP/1.1"));
        }
        if (!head.uri().startsWith("/")) {
            return Optional.of(bad("the request target must begin with a slash"));
        }
        return headerViolation(head.protocolVersion(), head.headers()).map(StrictHttpDecoder::bad);
    }

    private static Optional<String> headerViolation(HttpVersion version, HttpHeaders headers) {
        for (var name : SINGLE_HEADERS) {
            if (headers.getAll(name).size() > 1) {
                return Optional.of("more than one header " + name);
            }
        }
        if (version.equals(HttpVersion.HTTP_1_1) && !headers.contains(HttpHeaderNames.HOST)) {
            return Optional.of("no header host");
        }
        var encodings = headers.getAll(HttpHeaderNames.TRANSFER_ENCODING);
        if (!encodings.isEmpty()
                && (version.equals(HttpVersion.HTTP_1_0)
                        || encodings.size() > 1
                        || !encodings.getFirst().equalsIgnoreCase("chunked"))) {
            return Optional.of("the transfer encoding must be chunked");
        }
        return Optional.empty();
    }

    /** What is wrong with a request that the decoder could not read. */
    static Violation malformed(Throwable cause) {
        return switch (cause) {
            case TooLongHttpLineException longLine ->
                new Violation(414, "request line of more than " + MAX_LINE_BYTES + " bytes");
            case TooLongFrameException longHeader ->
                new Violation(431, "headers of more than " + MAX_HEADER_BYTES + " bytes");
            default -> bad(HandshakeFrame.printable(String.valueOf(cause.getMessage())));
        };
    }

    private static Violation bad(String reason) {
        return new Violation(400, reason);
    }
}
