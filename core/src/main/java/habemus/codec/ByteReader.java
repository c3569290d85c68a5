package habemus.codec;

import java.nio.ByteBuffer;

/** Reads bytes sequentially, and throws {@link MalformedInputException} at their end. */
final class ByteReader {

    /** Maximum nesting of records: more than any encoded type has. */
    private static final int MAX_DEPTH = 64;

    private final ByteBuffer bytes;
    private int depth;

    ByteReader(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    int remaining() {
        return bytes.remaining();
    }

    int readByte() {
        MalformedInputException.unless(bytes.hasRemaining(), () -> "input ends too early");
        return bytes.get() & 0xFF;
    }

    byte[] readBytes(int count) {
        var read = new byte[count];
        bytes.get(read);
        return read;
    }

    long readVarint() {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            long next = readByte();
            number |= (next & 0x7F) << shift;
            if (next < 0x80) {
                return number >>> 1 ^ -(number & 1);
            }
        }
        throw new MalformedInputException("integer has more than 64 bits");
    }

    /** {@return the number of elements that follow, each at least one byte long} */
    int readCount() {
        long count = readVarint();
        MalformedInputException.unless(
                count >= 0 && count <= remaining(),
                () -> "count must be at most the remaining " + remaining() + " bytes, was " + count);
        return (int) count;
    }

    void enterValue() {
        MalformedInputException.unless(++depth <= MAX_DEPTH, () -> "values are nested deeper than " + MAX_DEPTH);
    }

    void exitValue() {
        depth--;
    }
}
