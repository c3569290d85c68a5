package habemus.service.record;

import habemus.wire.Codec;

/**
 * How a trace is written: a mark, then blocks, each with its length and checksum. The first block is the head, each of
 * the others a line. A crash may leave half a block at the end, and nowhere else.
 */
final class TraceFile {

    static final long MARK = 0x4841425452414331L; // HABTRAC1
    static final Codec<TraceHead> HEADS = Codec.of(TraceHead.class);

    /** Before each block: its length, its checksum. */
    static final int BEFORE = 2 * Integer.BYTES;

    private TraceFile() {}
}
