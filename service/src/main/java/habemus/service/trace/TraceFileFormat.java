package habemus.service.trace;

import habemus.codec.Codec;

/**
 * How a trace is written: a mark, then blocks, each with its length and checksum. The first block is the head, each of
 * the others a line. A crash may leave half a block at the end, and nowhere else.
 */
final class TraceFileFormat {

    static final long MAGIC = 0x4841425452414331L; // HABTRAC1
    static final Codec<TraceHeader> HEADER_CODEC = Codec.of(TraceHeader.class);

    /** Before each block: its length, its checksum. */
    static final int BLOCK_HEADER_BYTES = 2 * Integer.BYTES;

    private TraceFileFormat() {}
}
