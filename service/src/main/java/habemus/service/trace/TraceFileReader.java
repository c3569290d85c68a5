package habemus.service.trace;

import habemus.codec.MalformedInputException;
import habemus.service.storage.AtomicFile;
import habemus.service.storage.CorruptFileException;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Reads the blocks of a trace file one after the other. */
public final class TraceFileReader implements AutoCloseable {

    private static final int BUFFER_BYTES = 1 << 16;

    private final Path file;
    private final DataInputStream input;
    private final Optional<TraceHeader> header;
    private long remaining;
    private boolean isTruncated;

    /** @throws CorruptFileException if the file is not a trace, or its header fails its checksum */
    public TraceFileReader(Path file) {
        this.file = file;
        try {
            remaining = Files.size(file);
            input = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES));
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + file, unreadable);
        }
        header = readHeader();
    }

    /** The trace files of a folder, sorted by name. */
    public static List<Path> list(Path folder) {
        try (var files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(TraceHeader.FILE_SUFFIX))
                    .sorted()
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + folder, unreadable);
        }
    }

    private Optional<TraceHeader> readHeader() {
        if (remaining < Long.BYTES) {
            isTruncated = true;
            return Optional.empty();
        }
        if (readLong() != TraceFileFormat.MAGIC) {
            throw new CorruptFileException(file + " is not a trace of this version");
        }
        try {
            return next().map(TraceFileFormat.HEADER_CODEC::read);
        } catch (MalformedInputException malformed) {
            throw new CorruptFileException(file + " is not a trace of this version: " + malformed.getMessage());
        }
    }

    public Path file() {
        return file;
    }

    /** Empty if the node crashed before the header was written. */
    public Optional<TraceHeader> header() {
        return header;
    }

    /** Whether the file ended with an incomplete block. */
    public boolean isTruncated() {
        return isTruncated;
    }

    /** The number of bytes that are not read yet. */
    public long remaining() {
        return remaining;
    }

    /**
     * The content of the next block. Empty at the end.
     *
     * @throws CorruptFileException if the block fails its checksum
     */
    public Optional<ByteBuffer> next() {
        if (remaining < TraceFileFormat.BLOCK_HEADER_BYTES) {
            isTruncated |= remaining > 0;
            return Optional.empty();
        }
        int length = readInt();
        boolean isLengthRight = ~length == readInt();
        int checksum = readInt();
        if (!isLengthRight || length < 0) {
            throw damaged();
        }
        if (length > remaining) {
            isTruncated = true;
            return Optional.empty();
        }
        var content = ByteBuffer.wrap(readBytes(length));
        if (AtomicFile.checksum(content) != checksum) {
            throw damaged();
        }
        return Optional.of(content);
    }

    private CorruptFileException damaged() {
        long position;
        try {
            position = Files.size(file) - remaining;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return new CorruptFileException(file + " is damaged before byte " + position + ": checksum mismatch");
    }

    private int readInt() {
        return ByteBuffer.wrap(readBytes(Integer.BYTES)).getInt();
    }

    private long readLong() {
        return ByteBuffer.wrap(readBytes(Long.BYTES)).getLong();
    }

    private byte[] readBytes(int length) {
        try {
            var bytes = new byte[length];
            input.readFully(bytes);
            remaining -= length;
            return bytes;
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + file, unreadable);
        }
    }

    @Override
    public void close() {
        try {
            input.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
