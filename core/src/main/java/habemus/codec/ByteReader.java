package habemus.codec;

import java.nio.ByteBuffer;

/** Bytes that are read once, and never beyond their end. */
final class ByteReader {

    /** Values within values: more than any algorithm has. */
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
        MalformedInputException.unless(bytes.hasRemaining(), "the bytes end too soon");
        return bytes.get() & 0xFF;
    }

    byte[] readBytes(int many) {
        var taken = new byte[many];
        bytes.get(taken);
        return taken;
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
        throw new MalformedInputException("a number of more than 64 bits");
    }

    /** How many follow, each of them at least a byte long. */
    int readCount() {
        long count = readVarint();
        MalformedInputException.unless(
                count >= 0 && count <= remaining(), "announces " + count + ", but the bytes end before");
        return (int) count;
    }

    void enterValue() {
        MalformedInputException.unless(++depth <= MAX_DEPTH, "values within values within values");
    }

    void exitValue() {
        depth--;
    }
}
