package habemus.service.raft;

import habemus.service.storage.AtomicFile;
import habemus.service.storage.CorruptFileException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ObjLongConsumer;
import org.jgroups.Address;
import org.jgroups.protocols.raft.LogEntries;
import org.jgroups.protocols.raft.LogEntry;
import org.jspecify.annotations.Nullable;

/**
 * The durable state of Raft, in three files with checksums: {@code term} (term and vote), {@code snapshot} (all entries
 * up to its base index) and {@code entries} (the entries after a base index that is not beyond the snapshot's).
 *
 * <p>Unlike the storage of jgroups-raft it never lowers the term, syncs votes, writes a snapshot and its index in one
 * step, and stops if the disk fails. Not thread-safe: used under the lock of {@link SerializedRaft}.
 */
final class RaftStorage implements org.jgroups.protocols.raft.Log {

    private final Path folder;
    private final Path termFile;
    private final Path snapshotFile;
    private final Path entryFile;
    final ClusterConfiguration clusterConfiguration; // derived from the entries
    private final List<LogEntry> entries = new ArrayList<>(); // all after the base
    private final List<LogEntry> unwritten = new ArrayList<>(); // the last entries, not yet on disk
    private long base; // index of the last entry in the snapshot
    private long baseTerm;
    private long commit;
    private long term;
    private @Nullable Address vote;
    private @Nullable ByteBuffer fresh; // a new snapshot whose index is not known yet
    private @Nullable WalFile file;
    private boolean holding;
    private @Nullable RuntimeException failed; // the first disk failure, which is final
    private final AtomicLong syncs = new AtomicLong();
    private final AtomicLong appended = new AtomicLong();
    private volatile long bytes;

    RaftStorage(Path folder, ClusterConfiguration clusterConfiguration) {
        this.folder = folder;
        termFile = folder.resolve("term");
        snapshotFile = folder.resolve("snapshot");
        entryFile = folder.resolve("entries");
        this.clusterConfiguration = clusterConfiguration;
    }

    /**
     * Reads the files, and creates those of a new node.
     *
     * @throws CorruptFileException if a file fails its checksum, or some of the files are missing
     */
    RaftStorage open() {
        try {
            Files.createDirectories(folder);
            var hardState = AtomicFile.read(termFile);
            var snapshot = AtomicFile.read(snapshotFile);
            if (!Files.exists(entryFile)) {
                if (hardState.isPresent() || snapshot.isPresent()) {
                    throw new CorruptFileException(entryFile + " is missing, but other log files exist");
                }
                file = WalFile.replace(entryFile, 0, 0, List.of());
            } else {
                read();
                if (hardState.isEmpty() && (snapshot.isPresent() || !entries.isEmpty())) {
                    throw new CorruptFileException(termFile + " is missing, but other log files exist");
                }
            }
            if (hardState.isEmpty()) {
                saveTerm();
            } else {
                term = hardState.get().getLong();
                vote = HardState.read(hardState.get(), termFile);
            }
            if (snapshot.isPresent()) {
                startAt(snapshot.get().getLong(), snapshot.get().getLong());
            } else if (base > 0) {
                throw new CorruptFileException(snapshotFile + " is missing, but the log starts after a snapshot");
            }
            commit = base;
            bytes = file().size();
            return this;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private void read() throws IOException {
        file = WalFile.open(entryFile, new WalFile.Reader() {
            @Override
            public void base(long index, long term) {
                base = index;
                baseTerm = term;
            }

            @Override
            public void entry(long index, LogEntry entry) {
                remember(index, entry);
            }
        });
    }

    /** Drops the entries that the snapshot covers; all entries if they conflict with it. */
    private void startAt(long index, long termThere) throws IOException {
        if (index < base) {
            throw new CorruptFileException(snapshotFile + " is older than the log, which starts after entry " + base);
        }
        if (index == base) {
            return;
        }
        var there = get(index);
        if (there != null && there.term() == termThere) {
            entries.subList(0, (int) (index - base)).clear();
        } else {
            entries.clear();
            clusterConfiguration.cut(1);
        }
        base = index;
        baseTerm = termThere;
        file().close();
        file = WalFile.replace(entryFile, base, baseTerm, entries);
    }

    private void saveTerm() {
        onDisk(() -> AtomicFile.replace(termFile, HardState.write(term, vote)));
        syncs.addAndGet(2);
    }

    private interface Writing {
        void run() throws IOException;
    }

    /** After a failure the content of the disk is unknown, so all further writes fail too. */
    private void onDisk(Writing task) {
        check();
        try {
            task.run();
        } catch (IOException failure) {
            failed = new UncheckedIOException("cannot write to " + folder, failure);
        } catch (RuntimeException failure) {
            failed = failure;
        }
        check();
    }

    private void check() {
        if (failed != null) {
            throw failed;
        }
    }

    private WalFile file() {
        if (file == null) {
            throw new IllegalStateException("raft storage is closed");
        }
        return file;
    }

    /** Buffers appended entries until {@link #release}. */
    void hold() {
        holding = true;
    }

    /** Writes the buffered entries. Returns after the fsync. */
    void release() {
        holding = false;
        check();
        write();
    }

    private void write() {
        if (unwritten.isEmpty()) {
            return;
        }
        onDisk(() -> file().append(lastAppended() - unwritten.size() + 1, unwritten));
        unwritten.clear();
        syncs.incrementAndGet();
        bytes = file().size();
    }

    private void rewrite() {
        onDisk(() -> {
            file().close();
            file = WalFile.replace(entryFile, base, baseTerm, entries);
        });
        unwritten.clear();
        syncs.addAndGet(2);
        bytes = file().size();
    }

    private void remember(long index, LogEntry entry) {
        entries.add(entry);
        EntryPayload.members(entry).ifPresent(members -> clusterConfiguration.appended(index, members));
    }

    long syncs() {
        return syncs.get();
    }

    long appended() {
        return appended.get();
    }

    @Override
    public void init(String name, @Nullable Map<String, String> args) {}

    @Override
    public RaftStorage useFsync(boolean sync) {
        return this;
    }

    @Override
    public boolean useFsync() {
        return true;
    }

    @Override
    public void delete() {
        throw new UnsupportedOperationException("term, vote and log must never be deleted");
    }

    @Override
    public long currentTerm() {
        return term;
    }

    @Override
    public RaftStorage currentTerm(long next) {
        if (next > term) {
            term = next;
            vote = null;
            saveTerm();
        }
        return this;
    }

    @Override
    public @Nullable Address votedFor() {
        return vote;
    }

    @Override
    public RaftStorage votedFor(@Nullable Address member) {
        if (member != null && !member.equals(vote)) {
            vote = member;
            saveTerm();
        }
        return this;
    }

    @Override
    public long commitIndex() {
        return commit;
    }

    @Override
    public RaftStorage commitIndex(long index) {
        commit = Math.max(commit, index);
        return this;
    }

    /** The index of the first entry that is not only in the snapshot. */
    @Override
    public long firstAppended() {
        return base == 0 ? 0 : base + 1;
    }

    @Override
    public long lastAppended() {
        return base + entries.size();
    }

    /** Keeps the snapshot until its index is known; both are written together. */
    @Override
    public void setSnapshot(ByteBuffer snapshot) {
        fresh = snapshot.duplicate();
    }

    @Override
    public @Nullable ByteBuffer getSnapshot() {
        return AtomicFile.read(snapshotFile)
                .map(content ->
                        content.position(content.position() + 2 * Long.BYTES).slice())
                .orElse(null);
    }

    private void saveSnapshot(long index, long termThere) {
        if (fresh != null) {
            var content = ByteBuffer.allocate(2 * Long.BYTES + fresh.remaining())
                    .putLong(index)
                    .putLong(termThere)
                    .put(fresh);
            onDisk(() -> AtomicFile.replace(snapshotFile, content.array()));
            fresh = null;
            syncs.addAndGet(2);
        }
    }

    @Override
    public long append(long index, LogEntries more) {
        if (index != lastAppended() + 1) {
            throw new IllegalStateException("gap in the log: entry " + index + " after " + lastAppended());
        }
        for (LogEntry entry : more) {
            remember(lastAppended() + 1, entry);
            unwritten.add(entry);
            appended.incrementAndGet();
        }
        if (!holding) {
            write();
        }
        return lastAppended();
    }

    @Override
    public @Nullable LogEntry get(long index) {
        if (index == base && base > 0) {
            return new LogEntry(baseTerm, null);
        }
        return index <= base || index > lastAppended() ? null : entries.get((int) (index - base - 1));
    }

    long termAt(long index) {
        var entry = get(index);
        return entry == null ? 0 : entry.term();
    }

    /** Replaces all entries up to this index by the snapshot. */
    @Override
    public void truncate(long index) {
        if (index > commit || index <= base && fresh == null || index == 0) {
            fresh = null;
            return;
        }
        long termThere = termAt(index);
        saveSnapshot(index, termThere);
        entries.subList(0, (int) (index - base)).clear();
        base = index;
        baseTerm = termThere;
        clusterConfiguration.begin(base, clusterConfiguration.at(base));
        rewrite();
    }

    @Override
    public void reinitializeTo(long index, LogEntry entry) {
        saveSnapshot(index, entry.term());
        entries.clear();
        base = index;
        baseTerm = entry.term();
        commit = index;
        rewrite();
    }

    @Override
    public void deleteAllEntriesStartingFrom(long index) {
        if (index <= commit) {
            throw new IllegalStateException(
                    "cannot delete committed entry " + index + " (committed up to " + commit + ")");
        }
        entries.subList((int) (index - base - 1), entries.size()).clear();
        clusterConfiguration.cut(index);
        rewrite();
    }

    @Override
    public void forEach(ObjLongConsumer<LogEntry> action, long from, long to) {
        for (long index = Math.max(from, base + 1); index <= Math.min(to, lastAppended()); index++) {
            action.accept(entries.get((int) (index - base - 1)), index);
        }
    }

    @Override
    public void forEach(ObjLongConsumer<LogEntry> action) {
        forEach(action, base + 1, lastAppended());
    }

    @Override
    public long sizeInBytes() {
        return bytes;
    }

    /** Does nothing: jgroups-raft also calls it before it retries a rejected join. See {@link #shut}. */
    @Override
    public void close() {}

    void shut() throws IOException {
        if (file != null) {
            file.close();
            file = null;
        }
    }
}
