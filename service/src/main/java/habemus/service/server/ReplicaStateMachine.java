package habemus.service.server;

import habemus.lockservice.storage.StorageFormat;
import habemus.lockservice.table.LockTable;
import habemus.protocol.NodeId;
import habemus.service.log.ReplicatedLog;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The state machine that the replicated log drives: decodes its entries and passes them to the {@link LockServerLoop}.
 *
 * @param firstFence every fence of a new cluster is larger
 */
record ReplicaStateMachine(LockServerLoop loop, long firstFence) implements ReplicatedLog.StateMachine {

    @Override
    public void apply(long index, byte[] entry) {
        loop.onCommitted(StorageFormat.decodeBatch(entry));
    }

    @Override
    public void onIdle() {
        loop.finishBatch();
    }

    /** The table is immutable, so it is encoded while the loop goes on. */
    @Override
    public Supplier<byte[]> snapshot() {
        var table = loop.currentTable();
        return () -> StorageFormat.encode(table);
    }

    /** A table that has applied nothing. Its index is the first fence. */
    @Override
    public byte[] firstSnapshot() {
        return StorageFormat.encode(LockTable.EMPTY.withIndex(firstFence));
    }

    @Override
    public void restore(byte[] snapshot) {
        loop.onRestored(StorageFormat.decodeTable(snapshot));
    }

    @Override
    public void onLeaderChanged(Optional<NodeId> leader) {
        loop.onLeaderChanged(leader);
    }
}
