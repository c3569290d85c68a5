package habemus.service.session;

import habemus.fenced.Parcel;
import habemus.wire.Codec;
import habemus.wire.Malformed;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** Parcels on a wire, each as its length and its bytes. */
final class Frames {

    private static final Codec<Parcel.ToService> IN = Codec.of(Parcel.ToService.class);
    private static final Codec<Parcel.ToClient> OUT = Codec.of(Parcel.ToClient.class);

    private Frames() {}

    /**
     * The next one. No more room is taken than bytes have arrived, whatever the length says.
     *
     * @throws Malformed if it is none
     * @throws EOFException at the end, also in the midst of one
     */
    static Parcel.ToService read(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 1 || length > Parcel.LENGTH_MAX) {
            throw new Malformed(
                    "a frame has from 1 to " + Parcel.LENGTH_MAX + " bytes, not " + Integer.toUnsignedLong(length));
        }
        var bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("in the midst of a frame");
        }
        return IN.read(bytes);
    }

    /** All of them, one after the other. */
    static byte[] write(List<? extends Parcel.ToClient> parcels) {
        var bodies = parcels.stream().map(OUT::write).toList();
        var frames = ByteBuffer.allocate(
                bodies.stream().mapToInt(body -> Integer.BYTES + body.length).sum());
        bodies.forEach(body -> frames.putInt(body.length).put(body));
        return frames.array();
    }
}
