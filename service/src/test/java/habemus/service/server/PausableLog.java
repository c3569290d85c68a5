package habemus.service.server;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.concurrent.EventLoop;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.storage.StorageFormat;
import habemus.protocol.NodeId;
import habemus.service.log.IndeterminateOutcomeException;
import habemus.service.log.LogHealth;
import habemus.service.log.LogStats;
import habemus.service.log.ReplicatedLog;
import habemus.service.transport.Member;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A replicated log that commits only what the test commits. */
final class PausableLog implements ReplicatedLog {

    /** Proposals that the test has not polled. */
    private final Queue<CommandBatch> proposed = new ArrayDeque<>();

    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private final EventLoop loop;
    private CompletableFuture<Void> last = new CompletableFuture<>();
    private @Nullable StateMachine stateMachine;
    private long index;

    PausableLog(EventLoop loop) {
        this.loop = loop;
    }

    @Override
    public void start(StateMachine stateMachine) {
        this.stateMachine = stateMachine;
    }

    StateMachine machine() {
        return requireNonNull(stateMachine);
    }

    @Override
    public CompletableFuture<Void> propose(byte[] entry) {
        var outcome = new CompletableFuture<Void>();
        last = outcome;
        proposed.add(StorageFormat.decodeBatch(entry));
        return outcome;
    }

    /** The last proposal is lost with its leader. */
    void loseLeader() {
        last.completeExceptionally(new IndeterminateOutcomeException("the leader was lost"));
    }

    CommandBatch nextProposed() {
        assertThat(proposed).as("proposals").isNotEmpty();
        return proposed.remove();
    }

    boolean hasNoProposal() {
        return proposed.isEmpty();
    }

    void commit(CommandBatch batch) {
        long next = ++index;
        loop.execute(() -> {
            machine().apply(next, StorageFormat.encode(batch));
            machine().onIdle();
        });
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
    public LogHealth health() {
        return LogHealth.good("paused by the test");
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
