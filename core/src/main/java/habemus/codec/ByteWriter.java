package habemus.codec;

import java.util.Arrays;

/** Bytes that grow. */
final class ByteWriter {

    private byte[] bytes = new byte[64];
    private int size;

    void write(int one) {
        if (size == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * size);
        }
        bytes[size++] = (byte) one;
    }

    void write(byte[] many) {
        while (bytes.length - size < many.length) {
            bytes = Arrays.copyOf(bytes, 2 * bytes.length);
        }
        System.arraycopy(many, 0, bytes, size, many.length);
        size += many.length;
    }

    /** Seven bits a byte, lowest first; small numbers are short, whatever their sign. */
    void writeVarint(long number) {
        long left = number << 1 ^ number >> 63;
        while ((left & ~0x7FL) != 0) {
            write((int) left & 0x7F | 0x80);
            left >>>= 7;
        }
        write((int) left);
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }
}
