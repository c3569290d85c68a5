package habemus.log.postgresql;

import habemus.protocol.ByteString;
import habemus.protocol.NodeId;
import habemus.service.transport.Member;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The tables of the log, in a database or in a simulation. A call is one transaction. Its future completes on the event
 * loop of the log, and fails with {@link DatabaseException} if the outcome is unknown.
 */
interface LogTables extends AutoCloseable {

    /**
     * A batch of entries, one row.
     *
     * @param number of the batch in its life of the node, growing
     * @param salt a random number that no other batch has
     */
    record Batch(long number, long salt, List<byte[]> entries) {}

    /**
     * A committed batch.
     *
     * @param index of its last entry
     * @param chain the salts of all batches up to it, combined; two different logs have different ones
     */
    record Row(long index, long salt, long chain, List<byte[]> entries) {

        /** The index of the entry before the first one. */
        long previousIndex() {
            return index - entries.size();
        }
    }

    /** @param chain of the row that ended at the index */
    record Snapshot(long index, long chain, ByteString state) {}

    /** What became of an append. */
    sealed interface Outcome {

        /** Committed by this call, or by an earlier one whose answer was lost. */
        record Committed(long index, long chain) implements Outcome {}

        /** Not committed: another node has taken over the leadership. */
        record StaleEpoch(long epoch) implements Outcome {}

        /** Not committed: another process has the name of this node, or the node was removed. */
        record Replaced() implements Outcome {}
    }

    /**
     * A node as its row shows it.
     *
     * @param life a random number of the start of the node
     * @param beat grows while the node runs
     */
    record NodeRow(Member member, long life, long beat) {}

    /**
     * @param epoch grows whenever the leadership changes
     * @param leaderLife the life of the leader in this epoch; 0 if it has resigned
     */
    record Leadership(long epoch, NodeId leader, long leaderLife) {

        boolean isVacant() {
            return leaderLife == 0;
        }
    }

    /**
     * The state of the tables.
     *
     * @param last index of the last entry
     * @param chain of the last row
     * @param logBytes size of the entries after the snapshot
     * @param isFaultTolerant whether commits wait for a standby
     */
    record Observation(
            Leadership leadership,
            long last,
            long chain,
            long logBytes,
            boolean isFaultTolerant,
            List<NodeRow> nodes) {}

    /**
     * @param engine version and name of the database
     * @param notifies whether the listener is called when other nodes append; else the log has to poll
     */
    record Joined(String engine, String clusterId, boolean notifies) {}

    /** Creates or upgrades the tables, checks the name of the cluster, and adds the node. */
    CompletableFuture<Joined> join(Supplier<byte[]> firstSnapshot, Runnable onAppended);

    /** Appends a batch, unless a batch of this life with this number was appended before. */
    CompletableFuture<Outcome> append(long epoch, Batch batch);

    /** The rows after an index, in order, some at a time. */
    CompletableFuture<List<Row>> read(long afterIndex);

    CompletableFuture<Snapshot> readSnapshot();

    /** Replaces the rows up to the index of the snapshot. False if there is one of this index, or a later one. */
    CompletableFuture<Boolean> writeSnapshot(long index, long chain, Supplier<byte[]> state);

    /** Counts the beat of this node, and reads the state. */
    CompletableFuture<Observation> observe();

    /** Starts the next epoch with this node as the leader. False if the epoch is not current any more. */
    CompletableFuture<Boolean> takeOver(long epoch);

    /** Removes a node. False if there is no such node. */
    CompletableFuture<Boolean> remove(NodeId node);

    /** Resigns if this node leads, and removes it. Waits, so not on the event loop. */
    void leave();

    /** Ends all connections. Futures that are open do not complete. */
    @Override
    void close();
}
