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
            var bytes = ByteBuffer.wrap(Files.readAllBytes(file));
            if (bytes.remaining() < HEADER_BYTES || bytes.getLong() != MAGIC) {
                throw new CorruptFileException(file + " is damaged: wrong header");
            }
            if (bytes.getInt() != checksum(bytes)) {
                throw new CorruptFileException(file + " is damaged: checksum mismatch");
            }
            return Optional.of(bytes);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
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
        bytes.putLong(MAGIC)
                .putInt(checksum(ByteBuffer.wrap(content)))
                .put(content)
                .flip();
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

    /** The CRC-32C of the remaining bytes. Does not change the position of the buffer. */
    public static int checksum(ByteBuffer bytes) {
        var sum = new CRC32C();
        sum.update(bytes.duplicate());
        return (int) sum.getValue();
    }
}
