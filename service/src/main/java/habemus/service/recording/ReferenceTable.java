package habemus.service.recording;

import habemus.lockservice.storage.StorageFormat;
import habemus.lockservice.table.LockTable;
import habemus.protocol.ByteString;
import habemus.protocol.LogEntry;
import habemus.service.raft.ApplicationContent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The lock table after each entry that some node has applied. Snapshots are compared with it. */
final class ReferenceTable {

    /** How many tables are kept. They share most of their content. */
    private static final int TABLES_MAX = 1 << 16;

    private final LockRuleMonitor lockRuleMonitor;
    private final TreeMap<Long, LockTable> tables = new TreeMap<>(); // by index in the log
    private final Map<Long, byte[]> snapshots = new HashMap<>(); // that were compared
    private long unknownSnapshots;

    /** @param index of the entry after which the table is this one */
    ReferenceTable(long index, LockTable table, LockRuleMonitor lockRuleMonitor) {
        this.lockRuleMonitor = lockRuleMonitor;
        tables.put(index, table);
    }

    /** Applies the entries that no node has applied before. */
    void onApplied(long first, List<LogEntry> entries) {
        for (int i = 0; i < entries.size(); i++) {
            if (first + i == tables.lastKey() + 1) {
                var table = tables.lastEntry().getValue();
                var content = ApplicationContent.of(entries.get(i));
                tables.put(
                        first + i,
                        content.map(bytes -> lockRuleMonitor.apply(table, StorageFormat.decodeBatch(bytes)))
                                .orElse(table));
                if (tables.size() > TABLES_MAX) {
                    tables.pollFirstEntry();
                }
            }
        }
    }

    /** Snapshots that could not be compared, because their entries are not in the recordings. */
    long unknownSnapshots() {
        return unknownSnapshots;
    }

    /** A snapshot of entries that are not known counts as right. */
    boolean isStateAt(long index, ByteString snapshot) {
        var expected = Optional.ofNullable(snapshots.get(index))
                .or(() -> Optional.ofNullable(tables.get(index)).map(StorageFormat::encode));
        if (expected.isEmpty()) {
            unknownSnapshots++;
            return true;
        }
        snapshots.putIfAbsent(index, expected.get());
        return Arrays.equals(expected.get(), ApplicationContent.of(snapshot));
    }
}
