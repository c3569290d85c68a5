package habemus.service.server;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.storage.StorageFormat;
import habemus.protocol.NodeId;
import habemus.service.raft.IndeterminateOutcomeException;
import habemus.service.raft.LogStats;
import habemus.service.raft.ReplicatedLog;
import habemus.service.transport.Member;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** A replicated log that commits only what the test commits. */
final class PausableLog implements ReplicatedLog {

    /** Proposals that the test has not polled. */
    private final BlockingQueue<CommandBatch> proposed = new LinkedBlockingQueue<>();

    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private volatile CompletableFuture<Void> last = new CompletableFuture<>();
    private final Executor thread =
            Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory());

    private @Nullable StateMachine stateMachine;
    private long index;

    @Override
    public void start(StateMachine stateMachine) {
        this.stateMachine = stateMachine;
    }

    StateMachine machine() {
        return requireNonNull(stateMachine);
    }

    @Override
    public CompletableFuture<Void> enqueue(byte[] entry) {
        var outcome = new CompletableFuture<Void>();
        last = outcome;
        proposed.add(StorageFormat.decodeBatch(entry));
        return outcome;
    }

    @Override
    public void runPending() {}

    /** The last proposal is lost with its leader. */
    void loseLeader() {
        last.completeExceptionally(new IndeterminateOutcomeException("the leader was lost"));
    }

    CommandBatch nextProposed() throws InterruptedException {
        var batch = proposed.poll(10, SECONDS);
        assertThat(batch).as("a proposal").isNotNull();
        return requireNonNull(batch);
    }

    boolean hasNoProposal() {
        return proposed.isEmpty();
    }

    /** Applies on a thread of the log, which the state machine may block. */
    void commit(CommandBatch batch) {
        long next = ++index;
        thread.execute(() -> {
            machine().apply(next, StorageFormat.encode(batch));
            machine().onIdle();
        });
    }

    /** Takes a snapshot after all committed batches. */
    CompletableFuture<byte[]> snapshot() {
        return CompletableFuture.supplyAsync(() -> machine().snapshot().join(), thread);
    }

    void commit(Command... commands) {
        commit(CommandBatch.of(1, commands));
    }

    @Override
    public CompletableFuture<Void> addMember(Member member) {
        return new CompletableFuture<>();
    }

    @Override
    public CompletableFuture<Void> removeMember(NodeId node) {
        return new CompletableFuture<>();
    }

    @Override
    public List<Member> members() {
        return List.of();
    }

    @Override
    public CompletableFuture<Void> compact() {
        return new CompletableFuture<>();
    }

    @Override
    public LogStats stats() {
        return new LogStats(index, 0, 0, 0, 0, 0);
    }

    @Override
    public CompletableFuture<Throwable> failure() {
        return failure;
    }

    void setLeader(int node) {
        machine().onLeaderChanged(Optional.of(new NodeId(node)));
    }

    @Override
    public void close() {}
}
