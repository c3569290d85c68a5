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
 * Small files that are there as a whole or not at all: a mark, a checksum, and what is kept.
 *
 * <pre>
 *   "HABEMUS1"   checksum of the rest (4 bytes)   the rest
 * </pre>
 */
public final class AtomicFile {

    private static final long MAGIC = 0x484142454D555331L; // HABEMUS1
    private static final String TEMP_SUFFIX = ".new"; // not yet in place
    private static final int HEADER_BYTES = Long.BYTES + Integer.BYTES;

    private AtomicFile() {}

    /**
     * What is in the file; nothing if there is none.
     *
     * @throws CorruptFileException if it is not what {@link #replace} wrote
     */
    public static Optional<ByteBuffer> read(Path file) {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            var bytes = ByteBuffer.wrap(Files.readAllBytes(file));
            if (bytes.remaining() < HEADER_BYTES || bytes.getLong() != MAGIC) {
                throw new CorruptFileException(file + " is damaged: it does not begin as a file of this kind does");
            }
            if (bytes.getInt() != checksum(bytes)) {
                throw new CorruptFileException(file + " is damaged: its checksum does not fit");
            }
            return Optional.of(bytes);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * Looks at all files of a folder.
     *
     * @throws CorruptFileException if one of them is
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

    /** Puts these bytes in place of what was there; does not return before that is sure. */
    public static void replace(Path file, byte[] content) {
        var bytes = ByteBuffer.allocate(HEADER_BYTES + content.length);
        bytes.putLong(MAGIC)
                .putInt(checksum(ByteBuffer.wrap(content)))
                .put(content)
                .flip();
        var fresh = file.resolveSibling(file.getFileName() + TEMP_SUFFIX);
        try {
            try (var channel = FileChannel.open(fresh, CREATE, WRITE, TRUNCATE_EXISTING)) {
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(fresh, file, ATOMIC_MOVE);
            try (var folder = FileChannel.open(file.toAbsolutePath().getParent(), READ)) {
                folder.force(true);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot write " + file, failed);
        }
    }

    /** Of what is left of these bytes, which stay as they are. */
    public static int checksum(ByteBuffer bytes) {
        var sum = new CRC32C();
        sum.update(bytes.duplicate());
        return (int) sum.getValue();
    }
}
