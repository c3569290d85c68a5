package habemus.service.trace;

import habemus.codec.Codec;
import habemus.service.storage.AtomicFile;
import java.nio.ByteBuffer;

/**
 * The format of a trace file: a magic number, then blocks. The first block is the header, each other one a step. A
 * crash may leave an incomplete block at the end, and nowhere else.
 *
 * <pre>
 *   length (4)   complement of the length (4)   CRC-32C of the content (4)   content
 * </pre>
 *
 * The complement tells a damaged length from an incomplete block.
 */
final class TraceFileFormat {

    static final long MAGIC = 0x4841425452414332L; // HABTRAC2
    static final Codec<TraceHeader> HEADER_CODEC = Codec.of(TraceHeader.class);

    /** The length, its complement, and the checksum of a block. */
    static final int BLOCK_HEADER_BYTES = 3 * Integer.BYTES;

    private TraceFileFormat() {}

    /** The beginning of a file. */
    static ByteBuffer start(TraceHeader header) {
        var block = HEADER_CODEC.write(header);
        var bytes = ByteBuffer.allocate(Long.BYTES + BLOCK_HEADER_BYTES + block.length)
                .putLong(MAGIC);
        putBlock(bytes, block);
        return bytes.flip();
    }

    static ByteBuffer block(byte[] content) {
        var bytes = ByteBuffer.allocate(BLOCK_HEADER_BYTES + content.length);
        putBlock(bytes, content);
        return bytes.flip();
    }

    private static void putBlock(ByteBuffer bytes, byte[] content) {
        bytes.putInt(content.length)
                .putInt(~content.length)
                .putInt(AtomicFile.checksum(ByteBuffer.wrap(content)))
                .put(content);
    }
}
