package habemus.service.storage;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Small files that are replaced atomically: written to a temporary file, synced, and renamed.
 *
 * <pre>
 *   "HABEMUS1" (8 bytes)   CRC-32C of the content (4 bytes)   content
 * </pre>
 */
public final class AtomicFile {

    private static final long MAGIC = 0x484142454D555331L; // HABEMUS1
    private static final String TEMP_SUFFIX = ".new";
    private static final int HEADER_BYTES = Long.BYTES + Integer.BYTES;

    private AtomicFile() {}

    /**
     * Reads the content of a file. Empty if the file does not exist.
     *
     * @throws CorruptFileException if the file was not written by {@link #replace}, or fails its checksum
     */
    public static Optional<ByteBuffer> read(Path file) {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(content(file.toString(), ByteBuffer.wrap(Files.readAllBytes(file))));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * Verifies the header of a file, and returns its content.
     *
     * @throws CorruptFileException if the checksum does not match
     */
    public static ByteBuffer content(String file, ByteBuffer bytes) {
        if (bytes.remaining() < HEADER_BYTES || bytes.getLong() != MAGIC) {
            throw new CorruptFileException(file + " is damaged: wrong header");
        }
        if (bytes.getInt() != checksum(bytes)) {
            throw new CorruptFileException(file + " is damaged: checksum mismatch");
        }
        return bytes;
    }

    /** The header of a file with this content. */
    public static ByteBuffer header(ByteBuffer... content) {
        return ByteBuffer.allocate(HEADER_BYTES)
                .putLong(MAGIC)
                .putInt(checksum(content))
                .flip();
    }

    /**
     * Verifies the checksums of all files in a folder.
     *
     * @throws CorruptFileException if a file fails
     */
    public static void verifyFolder(Path folder) {
        try (var files = Files.list(folder)) {
            files.filter(file -> Files.isRegularFile(file) && !file.toString().endsWith(TEMP_SUFFIX))
                    .sorted()
                    .forEach(AtomicFile::read);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Replaces the content and syncs it. After a crash, the file has the old or the new content. */
    public static void replace(Path file, byte[] content) {
        var bytes = ByteBuffer.allocate(HEADER_BYTES + content.length);
        bytes.put(header(ByteBuffer.wrap(content))).put(content).flip();
        var temporary = file.resolveSibling(file.getFileName() + TEMP_SUFFIX);
        try {
            try (var channel = FileChannel.open(temporary, CREATE, WRITE, TRUNCATE_EXISTING)) {
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(temporary, file, ATOMIC_MOVE);
            try (var folder = FileChannel.open(file.toAbsolutePath().getParent(), READ)) {
                folder.force(true);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot write " + file, failed);
        }
    }

    /** The CRC-32C of the remaining bytes of all parts. Does not change their positions. */
    public static int checksum(ByteBuffer... parts) {
        var sum = new CRC32C();
        for (var part : parts) {
            sum.update(part.duplicate());
        }
        return (int) sum.getValue();
    }
}
