package habemus.codec;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/** An immutable sequence of bytes with value equality. */
public final class ByteString {

    public static final ByteString EMPTY = new ByteString(new byte[0]);

    private final byte[] bytes;

    private ByteString(byte[] bytes) {
        this.bytes = bytes;
    }

    public static ByteString of(byte[] bytes) {
        return new ByteString(bytes.clone());
    }

    /** Wraps without a copy; the caller must not keep the array. */
    static ByteString wrap(byte[] bytes) {
        return new ByteString(bytes);
    }

    public int size() {
        return bytes.length;
    }

    public ByteBuffer asByteBuffer() {
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    byte[] bytes() {
        return bytes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ByteString that && Arrays.equals(that.bytes, bytes);
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
