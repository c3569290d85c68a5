package habemus.codec;

import java.util.Arrays;

/** A growing byte array. */
final class ByteWriter {

    private byte[] bytes = new byte[64];
    private int size;

    void write(int value) {
        if (size == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * size);
        }
        bytes[size++] = (byte) value;
    }

    void write(byte[] values) {
        while (bytes.length - size < values.length) {
            bytes = Arrays.copyOf(bytes, 2 * bytes.length);
        }
        System.arraycopy(values, 0, bytes, size, values.length);
        size += values.length;
    }

    /** Writes a zigzag number, seven bits a byte, lowest first. Small numbers of either sign are short. */
    void writeVarint(long number) {
        long rest = number << 1 ^ number >> 63;
        while ((rest & ~0x7FL) != 0) {
            write((int) rest & 0x7F | 0x80);
            rest >>>= 7;
        }
        write((int) rest);
    }

    /** @param after number of zero bytes after what was written */
    byte[] toBytes(int after) {
        return Arrays.copyOf(bytes, size + after);
    }
}
