package habemus.service.trace;

import habemus.codec.Codec;

/**
 * The format of a trace file: a magic number, then blocks, each with its length and checksum. The first block is the
 * header, each other one a step. A crash may leave an incomplete block at the end, and nowhere else.
 */
final class TraceFileFormat {

    static final long MAGIC = 0x4841425452414331L; // HABTRAC1
    static final Codec<TraceHeader> HEADER_CODEC = Codec.of(TraceHeader.class);

    /** The length and the checksum of a block. */
    static final int BLOCK_HEADER_BYTES = 2 * Integer.BYTES;

    private TraceFileFormat() {}
}
