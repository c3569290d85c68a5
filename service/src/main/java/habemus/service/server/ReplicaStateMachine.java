package habemus.service.server;

import habemus.lockservice.storage.StorageFormat;
import habemus.lockservice.table.LockTable;
import habemus.protocol.NodeId;
import habemus.service.raft.ReplicatedLog;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;

/** The {@link LockServerLoop} as its log sees it. All of this is called by the log's thread. */
final class ReplicaStateMachine implements ReplicatedLog.StateMachine {

    /** Entries that may wait to be applied; then the log waits. */
    private static final int MAX_PENDING_ENTRIES = 1_000;

    private final LockServerLoop lockServerLoop;
    private final Semaphore permits = new Semaphore(MAX_PENDING_ENTRIES);
    private final CompletableFuture<LockTable> stopped =
            new CompletableFuture<>(); // fails when nothing is applied any more

    ReplicaStateMachine(LockServerLoop lockServerLoop) {
        this.lockServerLoop = lockServerLoop;
    }

    @Override
    public void apply(long index, byte[] entry) {
        if (!permits.tryAcquire()) {
            lockServerLoop.runPending();
            permits.acquireUninterruptibly();
        }
        if (stopped.isDone()) {
            throw new IllegalStateException("the node has stopped");
        }
        lockServerLoop.enqueue(new ServerEvent.Committed(StorageFormat.decodeBatch(entry)));
    }

    @Override
    public void onIdle() {
        lockServerLoop.runPending();
    }

    void releasePermit() {
        permits.release();
    }

    void stop() {
        if (stopped.completeExceptionally(new IllegalStateException("the node has stopped"))) {
            permits.release(Integer.MAX_VALUE / 2);
        }
    }

    /** The reception waits for nothing, so this does not wait long. */
    @Override
    public byte[] snapshot() {
        var lockTable = new CompletableFuture<LockTable>();
        lockServerLoop.submit(new ServerEvent.TableRead(lockTable));
        return StorageFormat.encode(
                (LockTable) CompletableFuture.anyOf(lockTable, stopped).join());
    }

    @Override
    public void restore(byte[] snapshot) {
        lockServerLoop.submit(new ServerEvent.SnapshotRestored(StorageFormat.decodeTable(snapshot)));
    }

    @Override
    public void onLeaderChanged(Optional<NodeId> leader) {
        lockServerLoop.submit(new ServerEvent.LeaderChanged(leader));
    }
}
