package habemus.wire;

import java.nio.ByteBuffer;

/** Bytes that are read once, and never beyond their end. */
final class Source {

    /** Values within values: more than any algorithm has. */
    private static final int DEEPEST = 64;

    private final ByteBuffer bytes;
    private int depth;

    Source(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    int left() {
        return bytes.remaining();
    }

    int take() {
        Malformed.unless(bytes.hasRemaining(), "the bytes end too soon");
        return bytes.get() & 0xFF;
    }

    byte[] take(int many) {
        var taken = new byte[many];
        bytes.get(taken);
        return taken;
    }

    long takeNumber() {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            long next = take();
            number |= (next & 0x7F) << shift;
            if (next < 0x80) {
                return number >>> 1 ^ -(number & 1);
            }
        }
        throw new Malformed("a number of more than 64 bits");
    }

    /** How many follow, each of them at least a byte long. */
    int takeCount() {
        long count = takeNumber();
        Malformed.unless(count >= 0 && count <= left(), "announces " + count + ", but the bytes end before");
        return (int) count;
    }

    void descend() {
        Malformed.unless(++depth <= DEEPEST, "values within values within values");
    }

    void ascend() {
        depth--;
    }
}
