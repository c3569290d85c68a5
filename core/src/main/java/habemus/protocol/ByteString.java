package habemus.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;

/** An immutable sequence of bytes with value equality. */
public final class ByteString {

    public static final ByteString EMPTY = new ByteString(new byte[0]);

    private final byte[] bytes; // never modified

    private ByteString(byte[] bytes) {
        this.bytes = bytes;
    }

    public static ByteString of(byte[] bytes) {
        return new ByteString(bytes.clone());
    }

    /** The bytes of all arrays, one after the other. */
    public static ByteString ofAll(byte[]... parts) {
        var all = new byte[Stream.of(parts).mapToInt(part -> part.length).sum()];
        int size = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, all, size, part.length);
            size += part.length;
        }
        return new ByteString(all);
    }

    public static ByteString ofText(String text) {
        return new ByteString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The bytes from {@code from}, inclusive, to {@code to}, exclusive. */
    public ByteString slice(int from, int to) {
        return from == 0 && to == bytes.length ? this : new ByteString(Arrays.copyOfRange(bytes, from, to));
    }

    public ByteString concat(ByteString next) {
        if (bytes.length == 0 || next.bytes.length == 0) {
            return bytes.length == 0 ? next : this;
        }
        var both = Arrays.copyOf(bytes, bytes.length + next.bytes.length);
        System.arraycopy(next.bytes, 0, both, bytes.length, next.bytes.length);
        return new ByteString(both);
    }

    public int size() {
        return bytes.length;
    }

    /** A read-only view. */
    public ByteBuffer asByteBuffer() {
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    public byte[] toByteArray() {
        return bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ByteString that && Arrays.equals(that.bytes, bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** The text if all bytes are printable ASCII characters, else hexadecimal digits. */
    @Override
    public String toString() {
        for (byte each : bytes) {
            if (each <= ' ' || each == 127) {
                return hexadecimal();
            }
        }
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    private String hexadecimal() {
        var digits = new StringBuilder(2 * bytes.length);
        for (byte each : bytes) {
            digits.append(Character.forDigit(each >> 4 & 15, 16)).append(Character.forDigit(each & 15, 16));
        }
        return digits.toString();
    }
}
