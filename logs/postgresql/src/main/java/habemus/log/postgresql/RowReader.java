package habemus.log.postgresql;

import habemus.log.postgresql.LogTables.Row;
import habemus.log.postgresql.LogTables.Snapshot;
import habemus.service.log.LogDivergedException;
import java.util.List;
import java.util.TreeMap;

/**
 * Applies rows in the order of their indexes, wherever they come from, and reads those that are missing. Checks that
 * each row continues the rows before it. Used on the event loop only.
 */
final class RowReader {

    /** What a reader needs of its log. */
    interface Log {

        void apply(Row row);

        void restore(Snapshot snapshot);

        /** Reads the rows after an index, for {@link #onRead}. */
        void read(long afterIndex);

        /** Reads the snapshot, for {@link #onSnapshot}. */
        void readSnapshot();
    }

    private final Log log;
    private final TreeMap<Long, Row> waiting = new TreeMap<>(); // by the index before the first entry
    private long index;
    private long chain;
    private long restoredIndex;
    private long target; // an entry that the database has
    private boolean isReading;
    private boolean isReadRequested;

    RowReader(Log log) {
        this.log = log;
    }

    /** The index of the last entry that is applied. */
    long index() {
        return index;
    }

    long chain() {
        return chain;
    }

    /** Whether the entry may have been applied by a snapshot. */
    boolean isRestored(long entry) {
        return entry <= restoredIndex;
    }

    /** Reads what other nodes have appended. */
    void read() {
        if (isReading) {
            isReadRequested = true;
            return;
        }
        isReading = true;
        isReadRequested = false;
        log.read(index);
    }

    /** Reads up to an entry that the database has. */
    void readTo(long last) {
        target = last;
        if (last > index) {
            read();
        }
    }

    /** The rows after {@code afterIndex}, which was asked for. */
    void onRead(long afterIndex, List<Row> rows) {
        isReading = false;
        boolean isReplaced = rows.isEmpty() ? target > index : rows.getFirst().previousIndex() > index;
        if (isReplaced && afterIndex == index) { // by a snapshot
            isReading = true;
            log.readSnapshot();
            return;
        }
        rows.forEach(this::onRow);
        if (!rows.isEmpty() || isReadRequested) {
            read();
        }
    }

    /** The read has failed. The next one asks again. */
    void onUnreachable() {
        isReading = false;
    }

    void onSnapshot(Snapshot snapshot) {
        isReading = false;
        if (snapshot.index() > index) {
            restore(snapshot);
            read();
        } else {
            target = index; // the next observation knows it better
        }
    }

    void restore(Snapshot snapshot) {
        index = snapshot.index();
        chain = snapshot.chain();
        restoredIndex = index;
        waiting.headMap(index).clear();
        log.restore(snapshot);
    }

    /** A row of this node, or of another one. Rows that are applied already are ignored. */
    void onRow(Row row) {
        if (row.index() <= index) {
            return;
        }
        if (row.previousIndex() < index) {
            throw diverged(row);
        }
        waiting.put(row.previousIndex(), row);
        for (var next = waiting.remove(index); next != null; next = waiting.remove(index)) {
            if (next.chain() != (chain ^ next.salt())) {
                throw diverged(next);
            }
            index = next.index();
            chain = next.chain();
            log.apply(next);
        }
        if (!waiting.isEmpty()) {
            read();
        }
    }

    private LogDivergedException diverged(Row row) {
        return new LogDivergedException("row " + row.index() + " does not follow entry " + index
                + " of this node: the database has lost committed entries (asynchronous failover?)");
    }
}
