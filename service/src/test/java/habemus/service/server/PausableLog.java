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

/** A log that commits what it is told to. */
final class PausableLog implements ReplicatedLog {

    /** What was proposed and not yet looked at. */
    private final BlockingQueue<CommandBatch> proposed = new LinkedBlockingQueue<>();

    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private volatile CompletableFuture<Void> last = new CompletableFuture<>();
    private final Executor thread =
            Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory());

    private @Nullable StateMachine stateMachine;
    private long index;

    @Override
    public void start(StateMachine told) {
        stateMachine = told;
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

    /** What was proposed last goes down with its leader. */
    void loseLeader() {
        last.completeExceptionally(new IndeterminateOutcomeException("the leader was lost"));
    }

    CommandBatch nextProposed() throws InterruptedException {
        var commandBatch = proposed.poll(10, SECONDS);
        assertThat(commandBatch).as("an entry").isNotNull();
        return requireNonNull(commandBatch);
    }

    boolean hasNoProposal() {
        return proposed.isEmpty();
    }

    /** By a thread of the log, which whoever is told may keep. */
    void commit(CommandBatch commandBatch) {
        long next = ++index;
        thread.execute(() -> {
            machine().apply(next, StorageFormat.encode(commandBatch));
            machine().onIdle();
        });
    }

    /** After all that was committed. */
    CompletableFuture<byte[]> snapshot() {
        return CompletableFuture.supplyAsync(() -> machine().snapshot(), thread);
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
