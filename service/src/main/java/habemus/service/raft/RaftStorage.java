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
 * What the engine keeps on disk, in three files that are recognised if they are damaged: {@code term} (and the vote in
 * it), {@code snapshot} (of all entries up to its base), {@code entries} (after some base not beyond the snapshot's).
 *
 * <p>Unlike the engine's own, it never lowers the term, syncs votes, writes snapshot and base in one step, and stops if
 * the disk fails. Used by one thread at a time: the engine is locked around it.
 */
final class RaftStorage implements org.jgroups.protocols.raft.Log {

    private final Path folder;
    private final Path termFile;
    private final Path snapshotFile;
    private final Path entryFile;
    final ClusterConfiguration clusterConfiguration; // who keeps the log, by what is in it
    private final List<LogEntry> entries = new ArrayList<>(); // after the base, all of them
    private final List<LogEntry> unwritten = new ArrayList<>(); // the last of them
    private long base; // index of the last entry that is only in the snapshot
    private long baseTerm;
    private long commit;
    private long term;
    private @Nullable Address vote;
    private @Nullable ByteBuffer fresh; // a snapshot of which the engine has not yet said which index it is of
    private @Nullable WalFile file;
    private boolean holding;
    private @Nullable RuntimeException failed; // the disk, once and for all
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
     * Reads what is there, and begins what is not.
     *
     * @throws CorruptFileException if a file is not what was written
     */
    RaftStorage open() {
        try {
            Files.createDirectories(folder);
            var known = AtomicFile.read(termFile);
            var snapshot = AtomicFile.read(snapshotFile);
            if (!Files.exists(entryFile)) {
                if (known.isPresent() || snapshot.isPresent()) {
                    throw new CorruptFileException(entryFile + " is missing, but other files of the log are there");
                }
                file = WalFile.replace(entryFile, 0, 0, List.of());
            } else {
                read();
                if (known.isEmpty() && (snapshot.isPresent() || !entries.isEmpty())) {
                    throw new CorruptFileException(termFile + " is missing, but other files of the log are there");
                }
            }
            if (known.isEmpty()) {
                saveTerm();
            } else {
                term = known.get().getLong();
                vote = HardState.read(known.get(), termFile);
            }
            if (snapshot.isPresent()) {
                startAt(snapshot.get().getLong(), snapshot.get().getLong());
            } else if (base > 0) {
                throw new CorruptFileException(snapshotFile + " is missing, but the log begins after it");
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

    /** Entries that the snapshot holds are dropped; all of them if they are of another history. */
    private void startAt(long index, long termThere) throws IOException {
        if (index < base) {
            throw new CorruptFileException(snapshotFile + " is older than the log, which begins after entry " + base);
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

    /** After a failure nobody knows what the disk holds: nothing more is written, nor said. */
    private void onDisk(Writing task) {
        check();
        try {
            task.run();
        } catch (IOException wrong) {
            failed = new UncheckedIOException("cannot write to " + folder, wrong);
        } catch (RuntimeException wrong) {
            failed = wrong;
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
            throw new IllegalStateException("the journal is closed");
        }
        return file;
    }

    /** Entries are not written before {@link #release}. */
    void hold() {
        holding = true;
    }

    /** Does not return before all entries are on disk. */
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
        throw new UnsupportedOperationException("what was promised is not forgotten");
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

    /** The first that can still be sent. */
    @Override
    public long firstAppended() {
        return base == 0 ? 0 : base + 1;
    }

    @Override
    public long lastAppended() {
        return base + entries.size();
    }

    /** Written together with the index that it is of, which comes next. */
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
            throw new IllegalStateException("entry " + index + " after " + lastAppended());
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

    /** The snapshot takes the place of all entries up to this one. */
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
            throw new IllegalStateException("entry " + index + " is committed, as all up to " + commit);
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

    /** The engine does so also when it is not let in, and then goes on: see {@link #shut}. */
    @Override
    public void close() {}

    void shut() throws IOException {
        if (file != null) {
            file.close();
            file = null;
        }
    }
}
