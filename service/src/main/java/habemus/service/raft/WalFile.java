package habemus.service.raft;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import habemus.service.storage.AtomicFile;
import habemus.service.storage.CorruptFileException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jgroups.protocols.raft.LogEntry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The write-ahead log file. Entries that are appended together form one frame, which is written and synced before the
 * next frame starts.
 *
 * <pre>
 *   head    "HABEMLOG"   base index (8)   base term (8)   checksum (4)
 *   frame   bytes of the body (4)   first index (8)   checksum of these (4)   checksum of the body (4)   body
 *   body    entries: term (8)   flags (1)   bytes (4)   the bytes
 * </pre>
 *
 * A crash can leave the last frame torn: truncated, or with a block of zeros that did not reach the disk. Its entries
 * were never acknowledged, so the frame is cut off. Any other mismatch is corruption.
 */
final class WalFile implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WalFile.class);
    private static final long MARK = 0x484142454D4C4F47L; // HABEMLOG
    private static final int HEAD = 3 * Long.BYTES + Integer.BYTES;
    private static final int FRAME = 3 * Integer.BYTES + Long.BYTES;
    private static final int ENTRY = Long.BYTES + 1 + Integer.BYTES;
    private static final int SECTOR_BYTES = 512; // unit of a disk write
    private static final int ZERO_BLOCK_MIN_BYTES = 32; // fewer zeros may be content
    private static final int PREALLOCATED_BYTES = 1 << 20; // of zeros: an fsync of a growing file costs more

    /** Receives the content of a file while it is opened. */
    interface Reader {
        void base(long index, long term);

        void entry(long index, LogEntry entry);
    }

    private final FileChannel channel;
    private long size;
    private long reserved;

    private WalFile(FileChannel channel, long size, long reserved) {
        this.channel = channel;
        this.size = size;
        this.reserved = reserved;
    }

    /**
     * Opens and reads the file, and cuts off a torn last frame.
     *
     * @throws CorruptFileException if a checksum does not match
     */
    static WalFile open(Path file, Reader reader) throws IOException {
        var bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        if (bytes.remaining() < HEAD || bytes.getLong(0) != MARK) {
            throw new CorruptFileException(file + " is damaged: it is not a log file");
        }
        if (bytes.getInt(HEAD - Integer.BYTES) != AtomicFile.checksum(bytes.slice(0, HEAD - Integer.BYTES))) {
            throw new CorruptFileException(file + " is damaged: checksum mismatch in the header");
        }
        long base = bytes.getLong(Long.BYTES);
        reader.base(base, bytes.getLong(2 * Long.BYTES));
        int end = HEAD;
        long next = base + 1;
        boolean whole = true;
        while (whole && !isZero(bytes, end, bytes.limit() - end)) {
            int length = frame(file, bytes, end, next);
            whole = length > 0;
            if (whole) {
                next = entries(bytes.slice(end + FRAME, length - FRAME), next, reader);
                end += length;
            }
        }
        var channel = FileChannel.open(file, WRITE);
        if (!whole) {
            LOG.info(
                    "torn last frame cut off, its entries were never acknowledged file={} lastEntry={}",
                    file,
                    next - 1);
            channel.truncate(end);
            channel.force(true);
        }
        return new WalFile(channel, end, whole ? bytes.limit() : end);
    }

    /** The length of the frame with its header; -1 if the frame is torn. */
    private static int frame(Path file, ByteBuffer bytes, int at, long next) {
        int left = bytes.limit() - at;
        if (left < FRAME) {
            return -1;
        }
        if (isZero(bytes, at, FRAME)) {
            return torn(file, bytes, at, next, "a block before its end is empty");
        }
        if (!isHead(bytes, at)) {
            throw damaged(file, next, "checksum mismatch in a frame header");
        }
        int length = bytes.getInt(at);
        if (bytes.getLong(at + Integer.BYTES) != next) {
            throw damaged(file, next, "an entry is missing");
        }
        if (length > left - FRAME) {
            return -1;
        }
        if (bytes.getInt(at + FRAME - Integer.BYTES) == AtomicFile.checksum(bytes.slice(at + FRAME, length))) {
            return FRAME + length;
        }
        if (!hasHole(bytes, at + FRAME, length)) {
            throw damaged(file, next, "checksum mismatch");
        }
        return torn(file, bytes, at + FRAME, next, "a block before its end is empty");
    }

    private static boolean isHead(ByteBuffer bytes, int at) {
        int words = Integer.BYTES + Long.BYTES;
        return bytes.getInt(at + words) == AtomicFile.checksum(bytes.slice(at, words));
    }

    /** Returns -1, unless another frame follows: a frame starts only after the one before is synced. */
    private static int torn(Path file, ByteBuffer bytes, int from, long next, String cause) {
        for (int at = from; at + FRAME <= bytes.limit(); at++) {
            if (bytes.getLong(at + Integer.BYTES) > next && isHead(bytes, at)) {
                throw damaged(file, next, cause);
            }
        }
        return -1;
    }

    private static CorruptFileException damaged(Path file, long index, String cause) {
        return new CorruptFileException(file + " is damaged at entry " + index + ": " + cause
                + "\nhint: remove the node, and let it join again with an empty folder and --join");
    }

    private static boolean hasHole(ByteBuffer bytes, int from, int length) {
        for (int at = from; at < from + length; ) {
            int until = Math.min(from + length, (at / SECTOR_BYTES + 1) * SECTOR_BYTES);
            if (until - at >= ZERO_BLOCK_MIN_BYTES && isZero(bytes, at, until - at)) {
                return true;
            }
            at = until;
        }
        return false;
    }

    private static boolean isZero(ByteBuffer bytes, int from, int length) {
        for (int at = from; at < from + length; at++) {
            if (bytes.get(at) != 0) {
                return false;
            }
        }
        return true;
    }

    private static long entries(ByteBuffer body, long first, Reader reader) {
        long index = first;
        while (body.hasRemaining()) {
            long term = body.getLong();
            boolean internal = body.get() == 1;
            var command = new byte[body.getInt()];
            body.get(command);
            reader.entry(index++, new LogEntry(term, command).internal(internal));
        }
        return index;
    }

    /** Atomically replaces the file by a new one. Returns after the fsync. */
    static WalFile replace(Path file, long base, long term, List<LogEntry> entries) throws IOException {
        var fresh = file.resolveSibling(file.getFileName() + ".new");
        var channel = FileChannel.open(fresh, CREATE, WRITE, TRUNCATE_EXISTING);
        var head = ByteBuffer.allocate(HEAD).putLong(MARK).putLong(base).putLong(term);
        head.putInt(AtomicFile.checksum(head.duplicate().flip())).flip();
        var wal = new WalFile(channel, 0, 0);
        wal.write(head);
        if (!entries.isEmpty()) {
            wal.write(frame(base + 1, entries));
        }
        channel.force(true);
        Files.move(fresh, file, ATOMIC_MOVE);
        try (var folder = FileChannel.open(file.toAbsolutePath().getParent(), READ)) {
            folder.force(true);
        }
        return wal;
    }

    /** Appends one frame. Returns after the fsync. */
    void append(long first, List<LogEntry> entries) throws IOException {
        var frame = frame(first, entries);
        if (size + frame.remaining() > reserved) {
            var zeros = ByteBuffer.allocate(frame.remaining() + PREALLOCATED_BYTES);
            reserved = size + zeros.remaining();
            for (long at = size; zeros.hasRemaining(); ) {
                at += channel.write(zeros, at);
            }
        }
        write(frame);
        channel.force(false);
    }

    private static ByteBuffer frame(long first, List<LogEntry> entries) {
        int length = entries.stream().mapToInt(entry -> ENTRY + entry.length()).reduce(0, Math::addExact);
        var frame = ByteBuffer.allocate(FRAME + length).putInt(length).putLong(first);
        frame.putInt(AtomicFile.checksum(frame.duplicate().flip()));
        frame.position(FRAME);
        for (LogEntry entry : entries) {
            frame.putLong(entry.term()).put((byte) (entry.internal() ? 1 : 0)).putInt(entry.length());
            frame.put(entry.command(), entry.offset(), entry.length());
        }
        frame.putInt(FRAME - Integer.BYTES, AtomicFile.checksum(frame.slice(FRAME, length)));
        return frame.flip();
    }

    private void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            size += channel.write(bytes, size);
        }
    }

    /** The size without the preallocated zeros. */
    long size() {
        return size;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
