package habemus.service.raft;

import habemus.protocol.ByteString;
import habemus.protocol.Configuration;
import habemus.protocol.EntryId;
import habemus.protocol.LogEntry;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.PersistentLog;
import habemus.raft.RaftState.DurableState;
import habemus.service.storage.Disk;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Saves the durable state of a node step by step, as the log does it. */
final class StorageDriver {

    static final Configuration ALONE = configuration(1);

    private final RaftStorage storage;
    private DurableState state;

    private StorageDriver(RaftStorage storage, DurableState state) {
        this.storage = storage;
        this.state = state;
    }

    /** A new node, whose first snapshot is entry 1 of term 1. */
    static StorageDriver create(Disk disk) {
        var storage = new RaftStorage(disk);
        if (storage.open().isPresent()) {
            throw new IllegalStateException("the disk is not empty");
        }
        storage.create(first());
        return new StorageDriver(storage, first());
    }

    static StorageDriver open(Disk disk) {
        var storage = new RaftStorage(disk);
        return new StorageDriver(storage, storage.open().orElseThrow());
    }

    static DurableState first() {
        var log = PersistentLog.startingAfter(new EntryId(1, 1), ALONE);
        return new DurableState(1, NodeSet.NONE, log, 1, ByteString.ofText("first"));
    }

    static Configuration configuration(int... nodes) {
        return new Configuration(
                NodeSet.of(Arrays.stream(nodes).mapToObj(NodeId::new).toList()), NodeSet.NONE);
    }

    RaftStorage storage() {
        return storage;
    }

    DurableState state() {
        return state;
    }

    PersistentLog log() {
        return state.log();
    }

    void save(DurableState next) {
        storage.save(state, next);
        state = next;
    }

    void saveTerm(long term, NodeSet vote) {
        save(withTerm(state, term, vote));
    }

    void append(LogEntry... entries) {
        save(withLog(state, log().append(List.of(entries))));
    }

    /** Appends commands of the current term. */
    void append(String... commands) {
        var entries = new ArrayList<LogEntry>();
        for (var command : commands) {
            entries.add(command(state.term(), command));
        }
        append(entries.toArray(LogEntry[]::new));
    }

    /** Appends and syncs: one frame. */
    void write(String... commands) {
        append(commands);
        storage.sync();
    }

    void truncateAfter(long index) {
        save(withLog(state, log().truncateAfter(index)));
    }

    void compactTo(long index, String snapshot) {
        save(compacted(state, index, ByteString.ofText(snapshot)));
    }

    void install(EntryId base, String snapshot) {
        save(installed(state, base, ByteString.ofText(snapshot)));
    }

    static LogEntry command(long term, String text) {
        return new LogEntry(term, new LogEntry.Command(ByteString.ofText(text)));
    }

    static LogEntry zeros(long term, int bytes) {
        return new LogEntry(term, new LogEntry.Command(ByteString.of(new byte[bytes])));
    }

    static DurableState withTerm(DurableState state, long term, NodeSet vote) {
        return new DurableState(term, vote, state.log(), state.syncedIndex(), state.snapshot());
    }

    static DurableState withLog(DurableState state, PersistentLog log) {
        return new DurableState(state.term(), state.vote(), log, state.syncedIndex(), state.snapshot());
    }

    static DurableState compacted(DurableState state, long index, ByteString snapshot) {
        var log = state.log().compactTo(index);
        return new DurableState(state.term(), state.vote(), log, state.syncedIndex(), snapshot);
    }

    /** Keeps the entries after the snapshot if the log contains its last entry, as Raft does. */
    static DurableState installed(DurableState state, EntryId base, ByteString snapshot) {
        return state.log().contains(base)
                ? compacted(state, base.index(), snapshot)
                : new DurableState(
                        Math.max(state.term(), base.term()),
                        state.term() < base.term() ? NodeSet.NONE : state.vote(),
                        PersistentLog.startingAfter(base, configuration(1, 2, 3)),
                        base.index(),
                        snapshot);
    }

    /** Whether both hold the same; how far their logs are synced is not compared. */
    static boolean areEqual(DurableState a, DurableState b) {
        return a.term() == b.term()
                && a.vote().equals(b.vote())
                && a.log().equals(b.log())
                && a.snapshot().equals(b.snapshot());
    }
}
