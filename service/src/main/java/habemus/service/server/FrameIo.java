package habemus.service.server;

import habemus.codec.Codec;
import habemus.codec.MalformedInputException;
import habemus.lockservice.protocol.ClientFrame;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** Parcels on a wire, each as its length and its bytes. */
final class FrameIo {

    private static final Codec<ClientFrame.ToService> IN_CODEC = Codec.of(ClientFrame.ToService.class);
    private static final Codec<ClientFrame.ToClient> OUT_CODEC = Codec.of(ClientFrame.ToClient.class);

    private FrameIo() {}

    /**
     * The next one. No more room is taken than bytes have arrived, whatever the length says.
     *
     * @throws MalformedInputException if it is none
     * @throws EOFException at the end, also in the midst of one
     */
    static ClientFrame.ToService read(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 1 || length > ClientFrame.MAX_FRAME_BYTES) {
            throw new MalformedInputException("a frame has from 1 to " + ClientFrame.MAX_FRAME_BYTES + " bytes, not "
                    + Integer.toUnsignedLong(length));
        }
        var bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("in the midst of a frame");
        }
        return IN_CODEC.read(bytes);
    }

    /** All of them, one after the other. */
    static byte[] write(List<? extends ClientFrame.ToClient> parcels) {
        var bodies = parcels.stream().map(OUT_CODEC::write).toList();
        var frames = ByteBuffer.allocate(
                bodies.stream().mapToInt(body -> Integer.BYTES + body.length).sum());
        bodies.forEach(body -> frames.putInt(body.length).put(body));
        return frames.array();
    }
}
