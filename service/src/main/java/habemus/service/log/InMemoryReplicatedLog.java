package habemus.service.log;

import habemus.concurrent.EventLoop;
import habemus.protocol.NodeId;
import habemus.service.transport.Member;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A replicated log in the memory of one process, for tests and trials. It has no files: its content is lost with the
 * process. Nodes can be closed and started again.
 */
public final class InMemoryReplicatedLog implements ReplicatedLog {

    /** The state that all nodes of one log share. */
    public static final class SharedState {
        private final List<byte[]> entries = new ArrayList<>();
        private final Map<NodeId, InMemoryReplicatedLog> running = new HashMap<>();
        private List<Member> members;
        private byte @Nullable [] snapshot;
        private int snapshotIndex; // number of entries in the snapshot

        public SharedState(List<Member> members) {
            this.members = List.copyOf(members);
        }

        private boolean hasMajority() {
            return members.stream()
                            .filter(member -> running.containsKey(member.node()))
                            .count()
                    > members.size() / 2;
        }

        private Optional<NodeId> leader() {
            return hasMajority()
                    ? members.stream()
                            .map(Member::node)
                            .filter(running::containsKey)
                            .sorted()
                            .findFirst()
                    : Optional.empty();
        }

        private void publishLeader() {
            var leader = leader();
            running.values()
                    .forEach(node -> node.execute(() -> node.stateMachine().onLeaderChanged(leader)));
        }
    }

    private final SharedState shared;
    private final NodeId self;
    private final EventLoop loop;
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private volatile boolean isClosed;
    private @Nullable StateMachine stateMachine;
    private long applied;
    private long snapshots;

    /** @param loop runs the log; the log does not close it */
    public InMemoryReplicatedLog(SharedState shared, NodeId self, EventLoop loop) {
        this.shared = shared;
        this.self = self;
        this.loop = loop;
    }

    private void execute(Runnable task) {
        loop.execute(() -> {
            if (isClosed || failure.isDone()) {
                return;
            }
            try {
                task.run();
            } catch (RuntimeException | Error bug) {
                failure.complete(bug);
            }
        });
    }

    private StateMachine stateMachine() {
        if (stateMachine == null) {
            throw new IllegalStateException("log is not started");
        }
        return stateMachine;
    }

    @Override
    public void start(StateMachine newStateMachine) {
        synchronized (shared) {
            stateMachine = newStateMachine;
            if (shared.snapshot == null && shared.entries.isEmpty()) {
                shared.snapshot = newStateMachine.firstSnapshot();
            }
            var snapshot = shared.snapshot;
            if (snapshot != null) {
                execute(() -> newStateMachine.restore(snapshot));
            }
            for (int i = shared.snapshotIndex; i < shared.snapshotIndex + shared.entries.size(); i++) {
                deliver(i + 1L, shared.entries.get(i - shared.snapshotIndex), Optional.empty());
            }
            shared.running.put(self, this);
            shared.publishLeader();
        }
    }

    private void deliver(long index, byte[] entry, Optional<CompletableFuture<Void>> done) {
        execute(() -> {
            stateMachine().apply(index, entry);
            stateMachine().onIdle();
            applied++;
            done.ifPresent(future -> future.complete(null));
        });
    }

    @Override
    public CompletableFuture<Void> propose(byte[] entry) {
        synchronized (shared) {
            if (!shared.running.containsValue(this)) {
                return reject("node is closed");
            }
            if (!shared.hasMajority()) {
                return reject("no leader: no majority of the nodes is running");
            }
            shared.entries.add(entry.clone());
            var done = new CompletableFuture<Void>();
            long index = (long) shared.snapshotIndex + shared.entries.size();
            shared.running
                    .values()
                    .forEach(node ->
                            node.deliver(index, entry.clone(), node == this ? Optional.of(done) : Optional.empty()));
            return done;
        }
    }

    private static CompletableFuture<Void> reject(String reason) {
        return CompletableFuture.failedFuture(new ProposalRejectedException(reason));
    }

    @Override
    public CompletableFuture<Void> addMember(Member member) {
        return change(MembershipChange.adding(member));
    }

    @Override
    public CompletableFuture<Void> removeMember(NodeId node) {
        return change(MembershipChange.removing(node));
    }

    private CompletableFuture<Void> change(MembershipChange change) {
        synchronized (shared) {
            var leader = shared.leader();
            if (leader.isEmpty()) {
                return reject("no leader: no majority of the nodes is running");
            }
            var refusal = change.refusal(shared.members, leader.get(), List.copyOf(shared.running.keySet()));
            if (refusal.isPresent()) {
                return reject(refusal.get());
            }
            shared.members = change.of(shared.members);
            shared.publishLeader();
            return CompletableFuture.completedFuture(null);
        }
    }

    @Override
    public List<Member> members() {
        synchronized (shared) {
            return shared.members;
        }
    }

    @Override
    public boolean isFaultTolerant() {
        return false;
    }

    @Override
    public CompletableFuture<Void> compact() {
        var done = new CompletableFuture<Void>();
        synchronized (shared) {
            int upTo = shared.snapshotIndex + shared.entries.size();
            execute(() -> {
                var snapshot = stateMachine().snapshot().get();
                synchronized (shared) {
                    if (upTo > shared.snapshotIndex) {
                        shared.entries.subList(0, upTo - shared.snapshotIndex).clear();
                        shared.snapshotIndex = upTo;
                        shared.snapshot = snapshot;
                        snapshots++;
                    }
                }
                done.complete(null);
            });
        }
        return done;
    }

    @Override
    public LogStats stats() {
        synchronized (shared) {
            long bytes =
                    shared.entries.stream().mapToLong(entry -> entry.length).sum();
            return new LogStats(applied, shared.entries.size(), 0, bytes, snapshots, 0);
        }
    }

    @Override
    public LogHealth health() {
        return LogHealth.good("memory of this process");
    }

    @Override
    public CompletableFuture<Throwable> failure() {
        return failure;
    }

    @Override
    public void close() {
        synchronized (shared) {
            shared.running.remove(self, this);
            shared.publishLeader();
        }
        isClosed = true;
    }
}
