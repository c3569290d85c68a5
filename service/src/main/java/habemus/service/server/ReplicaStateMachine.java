package habemus.service.server;

import habemus.lockservice.storage.StorageFormat;
import habemus.lockservice.table.LockTable;
import habemus.protocol.NodeId;
import habemus.service.raft.ReplicatedLog;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;

/** The state machine that the replicated log drives: passes its callbacks to the {@link LockServerLoop}. */
final class ReplicaStateMachine implements ReplicatedLog.StateMachine {

    /** If so many entries wait to be applied, the log waits. */
    private static final int MAX_PENDING_ENTRIES = 1_000;

    private final LockServerLoop loop;
    private volatile long firstFence;
    private final Semaphore permits = new Semaphore(MAX_PENDING_ENTRIES);
    private final CompletableFuture<LockTable> stopped = new CompletableFuture<>(); // fails when the loop has stopped

    ReplicaStateMachine(LockServerLoop loop) {
        this.loop = loop;
    }

    void setFirstFence(long fence) {
        firstFence = fence;
    }

    @Override
    public void apply(long index, byte[] entry) {
        if (!permits.tryAcquire()) {
            loop.runPending();
            permits.acquireUninterruptibly();
        }
        if (stopped.isDone()) {
            throw new IllegalStateException("the node has stopped");
        }
        loop.enqueue(new ServerEvent.Committed(StorageFormat.decodeBatch(entry)));
    }

    @Override
    public void onIdle() {
        loop.runPending();
    }

    void releasePermit() {
        permits.release();
    }

    void stop() {
        if (stopped.completeExceptionally(new IllegalStateException("the node has stopped"))) {
            permits.release(Integer.MAX_VALUE / 2);
        }
    }

    /** The table is immutable, so it is encoded while the loop goes on. */
    @Override
    public CompletableFuture<byte[]> snapshot() {
        var table = new CompletableFuture<LockTable>();
        loop.submit(new ServerEvent.TableRead(table));
        return CompletableFuture.anyOf(table, stopped).thenApplyAsync(read -> StorageFormat.encode((LockTable) read));
    }

    /** A table that has applied nothing. Its index is the first fence. */
    @Override
    public CompletableFuture<byte[]> firstSnapshot() {
        var empty = LockTable.EMPTY;
        return CompletableFuture.completedFuture(StorageFormat.encode(new LockTable(
                firstFence, empty.endedHolds(), empty.sessions(), empty.resources(), empty.history(), empty.audit())));
    }

    @Override
    public void restore(byte[] snapshot) {
        loop.submit(new ServerEvent.SnapshotRestored(StorageFormat.decodeTable(snapshot)));
    }

    @Override
    public void onLeaderChanged(Optional<NodeId> leader) {
        loop.submit(new ServerEvent.LeaderChanged(leader));
    }
}
