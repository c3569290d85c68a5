package habemus.service.raft;

import habemus.codec.Codec;
import habemus.protocol.ByteString;
import habemus.protocol.Configuration;
import habemus.protocol.EntryId;
import habemus.protocol.LogEntry;
import habemus.service.storage.AtomicFile;
import habemus.service.storage.CorruptFileException;
import habemus.service.storage.Disk;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of the write-ahead log. Entries that are appended together form one frame, which is written and synced before
 * the next frame starts. A frame that starts before the end of the log replaces all entries from there on.
 *
 * <pre>
 *   file      head, frames, at least one sector of zeros; all in sectors of 512 bytes
 *   head      "HABEMWAL"   index (8) and term (8) of the entry before the first   checksum (4)   zeros
 *   frame     sectors: mark (1), a part of the content (511); the first sector has a mark of its own
 *   content   bytes of the entries (4)   first index (8)   checksum of these (4)   checksum of the rest (4)   the rest
 *   the rest  entries: term (8)   kind (1)   bytes (4)   the bytes; then zeros up to the end of the sector
 * </pre>
 *
 * A crash can leave the last frame torn: a sector of it did not reach the disk, and is zero. Its entries were never
 * acknowledged, so the frame is cut off. Any other mismatch is corruption. A frame is written over zeros that are
 * synced, and a sector of them follows. So a file that was cut off later is noticed. No sector that was written is
 * zero, even if one bit of it is flipped: the mark has several bits.
 */
final class WalSegment implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WalSegment.class);
    private static final Codec<Configuration> CONFIGURATIONS = Codec.of(Configuration.class);
    private static final long MAGIC = 0x484142454D57414CL; // HABEMWAL
    private static final int SECTOR_BYTES = 512; // unit of a disk write
    private static final int SECTOR_CONTENT_BYTES = SECTOR_BYTES - 1;
    private static final byte FIRST_MARK = 0x5A;
    private static final byte NEXT_MARK = (byte) ~FIRST_MARK;
    private static final int HEAD_BYTES = 3 * Long.BYTES;
    private static final int FRAME_HEAD_BYTES = Integer.BYTES + Long.BYTES;
    private static final int FRAME_REST = FRAME_HEAD_BYTES + 2 * Integer.BYTES;
    private static final int ENTRY_BYTES = Long.BYTES + 1 + Integer.BYTES;
    private static final int PREALLOCATED_BYTES = 1 << 20; // of zeros: a sync of a growing file costs more
    private static final ByteBuffer ZEROS =
            ByteBuffer.allocate(PREALLOCATED_BYTES + (1 << 16)).asReadOnlyBuffer(); // enough for most frames

    /** The entries of one frame: they replace everything from the first index on. */
    record Frame(long firstIndex, List<LogEntry> entries) {}

    private final Disk.OpenFile file;
    private long size;
    private long reserved;

    private WalSegment(Disk.OpenFile file, long size, long reserved) {
        this.file = file;
        this.size = size;
        this.reserved = reserved;
    }

    /**
     * Creates a synced segment without entries.
     *
     * @param previous the last entry of the log
     */
    static WalSegment create(Disk disk, String name, EntryId previous) {
        var segment = new WalSegment(disk.create(name), 0, 0);
        var head = ByteBuffer.allocate(SECTOR_BYTES)
                .putLong(MAGIC)
                .putLong(previous.index())
                .putLong(previous.term());
        head.putInt(AtomicFile.checksum(head.duplicate().flip())).rewind();
        segment.write(head);
        segment.file.sync();
        return segment;
    }

    /** The size without the preallocated zeros. */
    long size() {
        return size;
    }

    /** Appends one frame. Returns after the sync. */
    void append(Frame frame) {
        write(encode(frame));
        file.sync();
    }

    /** At least one sector of zeros follows what is written. */
    private void write(ByteBuffer bytes) {
        long end = size + bytes.remaining();
        if (end + SECTOR_BYTES > reserved) {
            var zeros = zeros(Math.toIntExact(end - size) + PREALLOCATED_BYTES);
            file.write(size, zeros);
            file.sync(); // so that a crash leaves no frame that reaches beyond the end of the file
            reserved = size + zeros.remaining();
        }
        file.write(size, bytes);
        size = end;
    }

    private static ByteBuffer zeros(int length) {
        return length <= ZEROS.capacity() ? ZEROS.slice(0, length) : ByteBuffer.allocate(length);
    }

    private static ByteBuffer encode(Frame frame) {
        var contents = frame.entries().stream().map(WalSegment::bytes).toList();
        int length = contents.stream()
                .mapToInt(bytes -> ENTRY_BYTES + bytes.remaining())
                .reduce(0, Math::addExact);
        int sectors = sectors(length);
        var content = ByteBuffer.allocate(sectors * SECTOR_CONTENT_BYTES)
                .putInt(length)
                .putLong(frame.firstIndex());
        content.putInt(AtomicFile.checksum(content.duplicate().flip())).position(FRAME_REST);
        for (int i = 0; i < contents.size(); i++) {
            var entry = frame.entries().get(i);
            content.putLong(entry.term()).put(kind(entry.content()));
            content.putInt(contents.get(i).remaining()).put(contents.get(i).duplicate());
        }
        content.rewind().putInt(FRAME_REST - Integer.BYTES, restChecksum(content));
        var frameBytes = ByteBuffer.allocate(sectors * SECTOR_BYTES);
        for (int at = 0; at < content.capacity(); at += SECTOR_CONTENT_BYTES) {
            frameBytes.put(at == 0 ? FIRST_MARK : NEXT_MARK).put(content.slice(at, SECTOR_CONTENT_BYTES));
        }
        return frameBytes.flip();
    }

    /** How many sectors a frame has whose entries have this length. */
    private static int sectors(int length) {
        return Math.toIntExact(Math.ceilDiv((long) FRAME_REST + length, SECTOR_CONTENT_BYTES));
    }

    private static int restChecksum(ByteBuffer content) {
        return AtomicFile.checksum(content.slice(FRAME_REST, content.capacity() - FRAME_REST));
    }

    private static byte kind(LogEntry.Content content) {
        return (byte)
                switch (content) {
                    case LogEntry.Command command -> 0;
                    case LogEntry.NoOp noOp -> 1;
                    case LogEntry.Members members -> 2;
                };
    }

    private static ByteBuffer bytes(LogEntry entry) {
        return switch (entry.content()) {
            case LogEntry.Command(var bytes) -> bytes.asByteBuffer();
            case LogEntry.NoOp() -> ByteBuffer.allocate(0);
            case LogEntry.Members(var configuration) -> ByteBuffer.wrap(CONFIGURATIONS.write(configuration));
        };
    }

    @Override
    public void close() {
        file.close();
    }

    // ---- reading ----

    /**
     * Reads the head of a segment: the entry before its first one.
     *
     * @throws CorruptFileException if the checksum does not match
     */
    static EntryId previous(Disk disk, String name) {
        return new Reader(disk, name, disk.readHead(name, SECTOR_BYTES)).previous();
    }

    /**
     * Reads the frames of a segment that is not the last one.
     *
     * @throws CorruptFileException if a checksum does not match, or the end of the file is missing
     */
    static List<Frame> read(Disk disk, String name) {
        var reader = new Reader(disk, name, disk.read(name));
        var frames = reader.frames();
        if (reader.isTorn) {
            throw reader.damaged("a block is empty");
        }
        return frames;
    }

    /** The frames of the last segment, and where to continue it. */
    record Opened(List<Frame> frames, WalSegment segment) {}

    /**
     * Reads the last segment and opens it for further frames. A torn last frame is cut off. What was read is written
     * again and synced: the process that wrote it may have ended before it could do so. After a sync that failed, it is
     * in the page cache only, and a sync alone would not put it on disk.
     *
     * @throws CorruptFileException if a checksum does not match, or the end of the file is missing
     */
    static Opened open(Disk disk, String name) {
        var reader = new Reader(disk, name, disk.read(name));
        var frames = reader.frames();
        var file = disk.open(name);
        if (reader.isTorn) {
            LOG.info("torn last frame cut off, its entries were never acknowledged file={}", name);
            file.write(reader.end, ByteBuffer.allocate(reader.bytes.limit() - reader.end));
        }
        file.write(0, reader.bytes.slice(0, reader.end));
        file.sync();
        return new Opened(frames, new WalSegment(file, reader.end, reader.bytes.limit()));
    }

    private static final class Reader {

        private final String file;
        private final ByteBuffer bytes;
        private int end = SECTOR_BYTES; // of the frames that were read
        private long lastIndex;
        private boolean isTorn; // whether the last frame is

        Reader(Disk disk, String name, Optional<ByteBuffer> content) {
            file = disk + "/" + name;
            bytes = content.orElseThrow();
        }

        EntryId previous() {
            if (bytes.limit() < SECTOR_BYTES || bytes.getLong(0) != MAGIC) {
                throw new CorruptFileException(file + " is damaged: it is not a log file");
            }
            int rest = HEAD_BYTES + Integer.BYTES;
            if (bytes.getInt(HEAD_BYTES) != AtomicFile.checksum(bytes.slice(0, HEAD_BYTES))
                    || !isZero(rest, SECTOR_BYTES - rest)) {
                throw new CorruptFileException(file + " is damaged: checksum mismatch in the header");
            }
            return new EntryId(bytes.getLong(Long.BYTES), bytes.getLong(2 * Long.BYTES));
        }

        List<Frame> frames() {
            lastIndex = previous().index();
            var frames = new ArrayList<Frame>();
            for (var frame = next(); frame.isPresent(); frame = next()) {
                frames.add(frame.get());
            }
            return List.copyOf(frames);
        }

        /** Empty if there is no further frame, or it is torn. */
        private Optional<Frame> next() {
            if (bytes.limit() - end < SECTOR_BYTES) {
                throw damaged("the end of the file is missing");
            }
            if (isZeroSector(end)) {
                isTorn = !isZero(end, bytes.limit() - end) && hasHole(end, bytes.limit());
                return Optional.empty();
            }
            int start = end + 1;
            if (bytes.get(end) != FIRST_MARK
                    || bytes.getInt(start + FRAME_HEAD_BYTES)
                            != AtomicFile.checksum(bytes.slice(start, FRAME_HEAD_BYTES))) {
                throw damaged("checksum mismatch in a frame header");
            }
            int length = bytes.getInt(start);
            int sectors = sectors(length);
            if ((sectors + 1L) * SECTOR_BYTES > bytes.limit() - end) {
                throw damaged("the end of the file is missing");
            }
            int after = end + sectors * SECTOR_BYTES;
            if (hasHole(end + SECTOR_BYTES, after)) {
                if (!isZero(after, bytes.limit() - after)) {
                    throw damaged("a block before its end is empty");
                }
                isTorn = true;
                return Optional.empty();
            }
            var frame = decode(content(sectors), length);
            end = after;
            return Optional.of(frame);
        }

        /**
         * Whether one of these sectors is empty. A frame starts only after the one before is synced, so no frame may
         * start here.
         */
        private boolean hasHole(int from, int to) {
            boolean found = false;
            for (int at = from; at < to; at += SECTOR_BYTES) {
                boolean isHole = isZeroSector(at);
                found |= isHole;
                if (!isHole && bytes.get(at) != NEXT_MARK) {
                    throw damaged(bytes.get(at) == FIRST_MARK ? "a block before its end is empty" : "wrong block mark");
                }
            }
            return found;
        }

        /** The content of the next frame, without the marks. */
        private ByteBuffer content(int sectors) {
            var content = ByteBuffer.allocate(sectors * SECTOR_CONTENT_BYTES);
            for (int i = 0; i < sectors; i++) {
                content.put(bytes.slice(end + i * SECTOR_BYTES + 1, SECTOR_CONTENT_BYTES));
            }
            return content.flip();
        }

        private Frame decode(ByteBuffer content, int length) {
            if (content.getInt(FRAME_REST - Integer.BYTES) != restChecksum(content)) {
                throw damaged("checksum mismatch");
            }
            long first = content.getLong(Integer.BYTES);
            var entries = new ArrayList<LogEntry>();
            content.position(FRAME_REST).limit(FRAME_REST + length);
            while (content.hasRemaining()) {
                long term = content.getLong();
                byte kind = content.get();
                var entry = new byte[content.getInt()];
                content.get(entry);
                entries.add(new LogEntry(term, decode(kind, entry)));
            }
            lastIndex = first - 1 + entries.size();
            return new Frame(first, List.copyOf(entries));
        }

        private LogEntry.Content decode(byte kind, byte[] content) {
            return switch (kind) {
                case 0 -> new LogEntry.Command(ByteString.of(content));
                case 1 -> new LogEntry.NoOp();
                case 2 -> new LogEntry.Members(CONFIGURATIONS.read(content));
                default -> throw damaged("unknown kind of entry: " + kind);
            };
        }

        CorruptFileException damaged(String cause) {
            return new CorruptFileException(file + " is damaged after entry " + lastIndex + ": " + cause
                    + "\nhint: remove the node, and let it join again with an empty folder and --join");
        }

        private boolean isZeroSector(int from) {
            return isZero(from, Math.min(SECTOR_BYTES, bytes.limit() - from));
        }

        private boolean isZero(int from, int length) {
            int at = from;
            for (; at <= from + length - Long.BYTES; at += Long.BYTES) {
                if (bytes.getLong(at) != 0) {
                    return false;
                }
            }
            for (; at < from + length; at++) {
                if (bytes.get(at) != 0) {
                    return false;
                }
            }
            return true;
        }
    }
}
