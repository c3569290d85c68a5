package habemus.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/** Bytes as a value: they never change, and are equal to the same bytes elsewhere. */
public final class Blob {

    public static final Blob EMPTY = new Blob(new byte[0]);

    private final byte[] bytes;

    private Blob(byte[] bytes) {
        this.bytes = bytes;
    }

    public static Blob of(byte[] bytes) {
        return new Blob(bytes.clone());
    }

    /** Of bytes that nobody else has. */
    static Blob owning(byte[] bytes) {
        return new Blob(bytes);
    }

    public int size() {
        return bytes.length;
    }

    public ByteBuffer open() {
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    byte[] bytes() {
        return bytes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Blob blob && Arrays.equals(blob.bytes, bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
