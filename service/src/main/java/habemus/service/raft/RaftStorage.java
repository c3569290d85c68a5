package habemus.service.raft;

import habemus.codec.Codec;
import habemus.codec.MalformedInputException;
import habemus.protocol.ByteString;
import habemus.protocol.Configuration;
import habemus.protocol.EntryId;
import habemus.protocol.LogEntry;
import habemus.protocol.NodeSet;
import habemus.protocol.PersistentLog;
import habemus.raft.RaftState.DurableState;
import habemus.service.storage.AtomicFile;
import habemus.service.storage.CorruptFileException;
import habemus.service.storage.Disk;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The durable state of a node of Raft, in files with checksums: {@code term} (term, vote, how far the log was synced,
 * and the number of its last segment), {@code snapshot} (with its index and configuration) and {@code entries-N} (the
 * write-ahead log).
 *
 * <p>{@link #save} puts everything on disk except entries at the end of the log, which {@link #sync} writes together.
 * After a failure of the disk its content is unknown, so every later call fails too.
 *
 * <p>Not thread-safe, except for {@link #stageSnapshot}.
 */
final class RaftStorage implements AutoCloseable {

    private static final String TERM_FILE = "term";
    private static final String SNAPSHOT_FILE = "snapshot";
    private static final String SEGMENT_PREFIX = "entries-";
    private static final Codec<HardState> HARD_STATES = Codec.of(HardState.class);
    private static final Codec<SnapshotHead> SNAPSHOT_HEADS = Codec.of(SnapshotHead.class);

    /**
     * What the file with the term says.
     *
     * @param synced an entry that was on disk when this was written: the log must contain it, or a later snapshot
     * @param segment the number of the last segment; zero while the files of a new node are written
     */
    private record HardState(long term, NodeSet vote, EntryId synced, long segment) {}

    /** What a snapshot file says before the state of the application. */
    private record SnapshotHead(EntryId base, Configuration configuration) {}

    private record Snapshot(SnapshotHead head, ByteString state) {}

    /** A segment of the log, and the entry before its first one. */
    private record Segment(long number, EntryId previous) {
        String name() {
            return segmentName(number);
        }
    }

    private static String segmentName(long number) {
        return "%s%012d".formatted(SEGMENT_PREFIX, number);
    }

    private final Disk disk;
    private final List<Segment> segments = new ArrayList<>();
    private final List<LogEntry> unsynced = new ArrayList<>(); // the last entries of the log
    private final AtomicLong syncs = new AtomicLong();
    private final AtomicLong appended = new AtomicLong();
    private HardState hardState = new HardState(0, NodeSet.NONE, new EntryId(0, 0), 0); // as on disk
    private @Nullable WalSegment writer;
    private EntryId last = new EntryId(0, 0); // of the log, including the entries that are not synced
    private EntryId synced = last; // the last entry on disk
    private final AtomicLong bytes = new AtomicLong(); // of the segments
    private @Nullable EntryId staged; // the base of the snapshot that is staged
    private volatile @Nullable RuntimeException failure;

    RaftStorage(Disk disk) {
        this.disk = disk;
    }

    /** Whether the folder has a file of a log. */
    static boolean hasFiles(Disk disk) {
        return disk.list().stream()
                .anyMatch(name ->
                        name.equals(TERM_FILE) || name.equals(SNAPSHOT_FILE) || name.startsWith(SEGMENT_PREFIX));
    }

    /**
     * Reads the files. Empty for a new node.
     *
     * @throws CorruptFileException if a file fails its checksum, or a file is missing
     */
    Optional<DurableState> open() {
        closeWriter();
        segments.clear();
        var found = read(TERM_FILE).map(content -> decode(HARD_STATES, TERM_FILE, content));
        var snapshot = read(SNAPSHOT_FILE).map(this::decodeSnapshot);
        var numbers = segmentNumbers();
        if (found.isEmpty() && snapshot.isEmpty() && numbers.isEmpty()) {
            return Optional.empty();
        }
        hardState = found.orElseThrow(() -> missing(TERM_FILE));
        if (hardState.segment() == 0) {
            return Optional.empty(); // the creation of the node was interrupted
        }
        var head = snapshot.orElseThrow(() -> missing(SNAPSHOT_FILE)).head();
        var log = readLog(head, numbers);
        last = log.last();
        synced = last;
        var claimed = hardState.synced();
        if (claimed.index() > log.baseIndex() && !log.contains(claimed)) {
            throw new CorruptFileException(disk + " has lost entries: the log ends at " + log.last()
                    + ", but entry " + claimed + " was on disk"
                    + "\nhint: remove the node, and let it join again with an empty folder and --join");
        }
        return Optional.of(new DurableState(
                hardState.term(),
                hardState.vote(),
                log,
                log.lastIndex(),
                snapshot.get().state()));
    }

    private List<Long> segmentNumbers() {
        return disk.list().stream()
                .filter(name -> name.startsWith(SEGMENT_PREFIX))
                .map(name -> Long.parseLong(name.substring(SEGMENT_PREFIX.length())))
                .toList();
    }

    private CorruptFileException missing(String file) {
        return new CorruptFileException(disk + "/" + file + " is missing, but other log files exist");
    }

    /** Writes the files of a new node. The file with the term says when they are complete. */
    void create(DurableState first) {
        guarded(() -> {
            closeWriter();
            segments.clear();
            last = first.log().last();
            synced = last;
            writeHardState(new HardState(first.term(), first.vote(), synced, 0));
            segmentNumbers().forEach(number -> disk.delete(segmentName(number))); // of an interrupted creation
            stage(first.log().base(), first.log().configurationAt(first.log().baseIndex()), first.snapshot());
            disk.publish(SNAPSHOT_FILE);
            staged = null;
            continueAfter(last);
        });
    }

    private Optional<ByteBuffer> read(String file) {
        return disk.read(file).map(found -> AtomicFile.content(disk + "/" + file, found));
    }

    private <T> T decode(Codec<T> codec, String file, ByteBuffer content) {
        try {
            return codec.read(content);
        } catch (MalformedInputException malformed) {
            throw new CorruptFileException(disk + "/" + file + " is of another version: " + malformed.getMessage());
        }
    }

    private Snapshot decodeSnapshot(ByteBuffer content) {
        var head = new byte[content.getInt()];
        content.get(head);
        var state = new byte[content.remaining()];
        content.get(state);
        return new Snapshot(decode(SNAPSHOT_HEADS, SNAPSHOT_FILE, ByteBuffer.wrap(head)), ByteString.of(state));
    }

    // ---- reading the log ----

    private PersistentLog readLog(SnapshotHead snapshot, List<Long> numbers) {
        var base = snapshot.base();
        findSegments(base, numbers);
        var read = new EntryList();
        for (var segment : segments) {
            boolean isLast = segment.number() == hardState.segment();
            if (isLast) {
                var opened = WalSegment.open(disk, segment.name());
                writer = opened.segment();
                read.add(segment, opened.frames());
            } else {
                read.add(segment, WalSegment.read(disk, segment.name()));
            }
        }
        bytes.set(writer().size());
        var empty = PersistentLog.startingAfter(base, snapshot.configuration());
        if (!read.continues(base)) {
            restartAfter(base); // a snapshot was installed, and the entries were not deleted yet
            return empty;
        }
        return empty.append(read.after(base.index()));
    }

    /** Deletes segments that are left of an interrupted operation, and checks that no other is missing. */
    private void findSegments(EntryId base, List<Long> numbers) {
        for (long number : numbers) {
            if (number <= hardState.segment()) {
                segments.add(new Segment(number, WalSegment.previous(disk, segmentName(number))));
            } else {
                disk.delete(segmentName(number)); // it has no entries: its creation was interrupted
            }
        }
        deleteSegmentsBefore(base);
        long expected =
                segments.isEmpty() ? hardState.segment() : segments.getFirst().number();
        if (!segments.isEmpty() && segments.getFirst().previous().index() > base.index()) {
            expected--;
        }
        for (var segment : segments) {
            if (segment.number() == expected) {
                expected++;
            }
        }
        if (expected <= hardState.segment()) {
            throw missing(segmentName(expected));
        }
    }

    /** Deletes the segments whose entries are in the snapshot: a later segment begins at its base, or before. */
    private void deleteSegmentsBefore(EntryId base) {
        int first = segments.size() - 1;
        while (first > 0 && segments.get(first).previous().index() > base.index()) {
            first--;
        }
        var superfluous = segments.subList(0, Math.max(0, first));
        superfluous.forEach(segment -> disk.delete(segment.name()));
        superfluous.clear();
    }

    /** The entries of all segments. */
    private final class EntryList {
        private final List<LogEntry> entries = new ArrayList<>();
        private @Nullable Segment first;
        private long firstIndex;

        void add(Segment segment, List<WalSegment.Frame> frames) {
            if (first == null) {
                first = segment;
                firstIndex = segment.previous().index() + 1;
            } else if (!endsWith(segment.previous())) {
                throw damaged(segment.number() - 1, segment.previous().index() + 1);
            }
            for (var frame : frames) {
                truncate(segment, frame.firstIndex());
                entries.addAll(frame.entries());
            }
        }

        private boolean endsWith(EntryId last) {
            return last.index() == firstIndex - 1 + entries.size()
                    && (entries.isEmpty() || entries.getLast().term() == last.term());
        }

        /** Entries before the first one are in the snapshot, so the list may begin earlier now. */
        private void truncate(Segment segment, long index) {
            if (index > firstIndex + entries.size()) {
                throw damaged(segment.number(), index);
            }
            firstIndex = Math.min(firstIndex, index);
            entries.subList((int) (index - firstIndex), entries.size()).clear();
        }

        private CorruptFileException damaged(long segment, long index) {
            return new CorruptFileException(
                    disk + "/" + segmentName(segment) + " is damaged: entries before " + index + " are missing");
        }

        /** Whether the entries reach this one, with the same term. */
        boolean continues(EntryId base) {
            long position = base.index() - firstIndex;
            return position < 0
                    ? first != null && first.previous().equals(base)
                    : position < entries.size() && entries.get((int) position).term() == base.term();
        }

        List<LogEntry> after(long index) {
            return List.copyOf(entries.subList((int) (index + 1 - firstIndex), entries.size()));
        }
    }

    // ---- writing ----

    /** Puts the change on disk. Appended entries follow with the next {@link #sync}. */
    void save(DurableState before, DurableState after) {
        guarded(() -> {
            var log = after.log();
            boolean isReplaced = !before.log().contains(log.base());
            if (isReplaced) {
                synced = before.log().base(); // the file with the term must not claim more than the snapshot
            }
            if (isReplaced || after.term() != before.term() || !after.vote().equals(before.vote())) {
                saveTerm(after);
            }
            if (!log.base().equals(before.log().base())) {
                publishSnapshot(after);
            }
            if (isReplaced) {
                restartAfter(log.base());
            } else if (!log.contains(last)) {
                truncate(after, before.log().commonPrefix(log));
            }
            if (log.lastIndex() > last.index()) {
                unsynced.addAll(log.entries(last.index() + 1, log.lastIndex()));
                last = log.last();
            }
        });
    }

    /** A sync after one that failed would claim what is not on disk. */
    private void guarded(Runnable operation) {
        var earlier = failure;
        if (earlier != null) {
            throw new IllegalStateException("the disk has failed before", earlier);
        }
        try {
            operation.run();
        } catch (RuntimeException failed) {
            failure = failed;
            throw failed;
        }
    }

    private void saveTerm(DurableState state) {
        writeHardState(new HardState(state.term(), state.vote(), synced, hardState.segment()));
    }

    private void writeHardState(HardState next) {
        var content = ByteBuffer.wrap(HARD_STATES.write(next));
        disk.replace(TERM_FILE, AtomicFile.header(content), content);
        hardState = next;
        syncs.addAndGet(2);
    }

    /** Removes the entries after this index. The file with the term must not claim that they are on disk. */
    private void truncate(DurableState after, long index) {
        long firstUnsynced = last.index() + 1 - unsynced.size();
        if (index + 1 < firstUnsynced) {
            unsynced.clear();
            synced = after.log().idAt(index);
            saveTerm(after);
            append(new WalSegment.Frame(index + 1, List.of()));
        } else {
            unsynced.subList((int) (index + 1 - firstUnsynced), unsynced.size()).clear();
        }
        last = after.log().idAt(index);
    }

    boolean hasUnsynced() {
        return !unsynced.isEmpty();
    }

    /** Writes the appended entries as one frame. Returns the last of them after the sync. */
    EntryId sync() {
        guarded(() -> {
            append(new WalSegment.Frame(last.index() + 1 - unsynced.size(), List.copyOf(unsynced)));
            appended.addAndGet(unsynced.size());
            unsynced.clear();
            synced = last;
        });
        return last;
    }

    private void append(WalSegment.Frame frame) {
        var segment = writer();
        long before = segment.size();
        segment.append(frame);
        bytes.addAndGet(segment.size() - before);
        syncs.incrementAndGet();
    }

    private WalSegment writer() {
        if (writer == null) {
            throw new IllegalStateException("raft storage is closed");
        }
        return writer;
    }

    // ---- snapshots ----

    /** Continues in a new segment, so that the next snapshot makes the earlier ones superfluous. */
    void startSegment() {
        guarded(() -> {
            if (hasUnsynced()) {
                throw new IllegalStateException("entries are not synced");
            }
            continueAfter(last);
        });
    }

    /** Starts the segment that holds the entries after this one, and then says that it exists. */
    private void continueAfter(EntryId previous) {
        var next = new Segment(hardState.segment() + 1, previous);
        var created = WalSegment.create(disk, next.name(), previous);
        syncs.addAndGet(3);
        closeWriter();
        writer = created;
        segments.add(next);
        writeHardState(new HardState(hardState.term(), hardState.vote(), synced, next.number()));
    }

    /** Writes a snapshot beside the current one. The next {@link #save} of a state with this base makes it current. */
    synchronized void stageSnapshot(EntryId base, Configuration configuration, ByteString state) {
        guarded(() -> stage(base, configuration, state));
    }

    private void stage(EntryId base, Configuration configuration, ByteString state) {
        var head = SNAPSHOT_HEADS.write(new SnapshotHead(base, configuration));
        var prefix = ByteBuffer.allocate(Integer.BYTES + head.length)
                .putInt(head.length)
                .put(head)
                .flip();
        var content = state.asByteBuffer();
        disk.stage(SNAPSHOT_FILE, AtomicFile.header(prefix, content), prefix, content);
        staged = base;
        syncs.incrementAndGet();
    }

    private synchronized void publishSnapshot(DurableState state) {
        var base = state.log().base();
        if (!base.equals(staged)) {
            stage(base, state.log().configurationAt(base.index()), state.snapshot());
        }
        disk.publish(SNAPSHOT_FILE);
        staged = null;
        syncs.incrementAndGet();
        deleteSegmentsBefore(base);
        bytes.set(writer().size()); // earlier segments that are left belong to the next snapshot
    }

    /** The snapshot replaces the whole log. */
    private void restartAfter(EntryId base) {
        unsynced.clear();
        last = base;
        synced = base;
        continueAfter(base);
        deleteSegmentsBefore(base);
        bytes.set(writer().size());
    }

    /** The size of the log on disk, without the snapshot. */
    long sizeInBytes() {
        return bytes.get();
    }

    long syncs() {
        return syncs.get();
    }

    long appended() {
        return appended.get();
    }

    @Override
    public void close() {
        closeWriter();
        disk.close();
    }

    private void closeWriter() {
        if (writer != null) {
            writer.close();
            writer = null;
        }
    }
}
