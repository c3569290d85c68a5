package habemus.service.transport;

import static java.nio.charset.StandardCharsets.US_ASCII;

import habemus.codec.Codec;
import habemus.codec.MalformedInputException;
import habemus.protocol.ByteString;
import habemus.protocol.WireTags;
import java.nio.ByteBuffer;

/**
 * A frame of the handshake between two nodes: magic number, version, encoded frame.
 *
 * <pre>
 *   dialing node ── Hello ──────────────▶ accepting node
 *                ◀───── Hello | Rejected ──
 *                ── Accepted | Rejected ─▶
 * </pre>
 */
@WireTags({HandshakeFrame.Hello.class, HandshakeFrame.Accepted.class, HandshakeFrame.Rejected.class})
sealed interface HandshakeFrame {

    ByteString MAGIC = ByteString.of("HBMP".getBytes(US_ASCII));

    int VERSION = 1;

    int MAX_REASON_CHARACTERS = 300;

    Codec<HandshakeFrame> CODEC = Codec.of(HandshakeFrame.class);

    /**
     * What a node says of itself. As an answer it also says that the node accepts the peer.
     *
     * @param content what {@link PeerHandshake#hello()} returned
     */
    record Hello(ByteString content) implements HandshakeFrame {}

    record Accepted() implements HandshakeFrame {}

    record Rejected(String reason) implements HandshakeFrame {

        public Rejected {
            reason = printable(reason);
        }
    }

    /** A text of a peer as one line of limited length, safe for a log. */
    static String printable(String text) {
        var line = text.replaceAll("\\p{Cntrl}", " ");
        return line.length() <= MAX_REASON_CHARACTERS ? line : line.substring(0, MAX_REASON_CHARACTERS) + " …";
    }

    default byte[] toBytes() {
        var body = CODEC.write(this);
        return ByteBuffer.allocate(MAGIC.size() + 1 + body.length)
                .put(MAGIC.asByteBuffer())
                .put((byte) VERSION)
                .put(body)
                .array();
    }

    /** @throws MalformedInputException if the bytes are not a frame of this version */
    static HandshakeFrame read(byte[] bytes) {
        var buffer = ByteBuffer.wrap(bytes);
        if (bytes.length <= MAGIC.size() || !buffer.slice(0, MAGIC.size()).equals(MAGIC.asByteBuffer())) {
            throw new MalformedInputException("not the handshake of a node");
        }
        int version = buffer.get(MAGIC.size());
        if (version != VERSION) {
            throw new MalformedInputException("the version of the handshake must be " + VERSION + ", was " + version);
        }
        return CODEC.read(buffer.position(MAGIC.size() + 1));
    }
}
