package habemus.service.server;

import habemus.codec.Codec;
import habemus.codec.MalformedInputException;
import habemus.lockservice.protocol.ClientFrame;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** Reads and writes {@link ClientFrame}s, each with a length prefix of four bytes. */
final class FrameIo {

    private static final Codec<ClientFrame.ToService> IN_CODEC = Codec.of(ClientFrame.ToService.class);
    private static final Codec<ClientFrame.ToClient> OUT_CODEC = Codec.of(ClientFrame.ToClient.class);

    private FrameIo() {}

    /**
     * Reads the next frame. Allocates only as much memory as bytes arrive, whatever the length says.
     *
     * @throws MalformedInputException if the bytes are not a frame
     * @throws EOFException at the end of the stream, also inside a frame
     */
    static ClientFrame.ToService read(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 1 || length > ClientFrame.MAX_FRAME_BYTES) {
            throw new MalformedInputException("a frame must have 1 to " + ClientFrame.MAX_FRAME_BYTES + " bytes, had "
                    + Integer.toUnsignedLong(length));
        }
        var bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the stream ends inside a frame");
        }
        return IN_CODEC.read(bytes);
    }

    /** Encodes the frames, one after the other. */
    static byte[] write(List<? extends ClientFrame.ToClient> frames) {
        var bodies = frames.stream().map(OUT_CODEC::write).toList();
        var buffer = ByteBuffer.allocate(
                bodies.stream().mapToInt(body -> Integer.BYTES + body.length).sum());
        bodies.forEach(body -> buffer.putInt(body.length).put(body));
        return buffer.array();
    }
}
