package habemus.service.raft;

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
 * A log in the memory of one process, for tests and for trying out: nothing is on disk, and all is lost with the
 * process. Its nodes can be closed and started again as those of a real one.
 */
public final class InMemoryReplicatedLog implements ReplicatedLog {

    /** What the nodes have in common. */
    public static final class SharedState {
        private final List<byte[]> entries = new ArrayList<>();
        private final Map<NodeId, InMemoryReplicatedLog> running = new HashMap<>();
        private List<Member> members;
        private byte @Nullable [] snapshot;
        private int snapshotIndex; // so many entries are in the snapshot

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
                    .forEach(node ->
                            node.applierThread.execute(() -> node.stateMachine().onLeaderChanged(leader)));
        }
    }

    private final SharedState sharedState;
    private final NodeId self;
    private final ApplierThread applierThread;
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private @Nullable StateMachine stateMachine;
    private long applied;
    private long snapshots;

    public InMemoryReplicatedLog(SharedState sharedState, NodeId self) {
        this.sharedState = sharedState;
        this.self = self;
        applierThread = new ApplierThread("habemus-memory-" + self, failure::complete);
    }

    private StateMachine stateMachine() {
        if (stateMachine == null) {
            throw new IllegalStateException("not yet started");
        }
        return stateMachine;
    }

    @Override
    public void start(StateMachine newStateMachine) {
        synchronized (sharedState) {
            stateMachine = newStateMachine;
            var snapshot = sharedState.snapshot;
            if (snapshot != null) {
                applierThread.execute(() -> newStateMachine.restore(snapshot));
            }
            for (int i = sharedState.snapshotIndex; i < sharedState.snapshotIndex + sharedState.entries.size(); i++) {
                deliver(i + 1L, sharedState.entries.get(i - sharedState.snapshotIndex), Optional.empty());
            }
            sharedState.running.put(self, this);
            sharedState.publishLeader();
        }
    }

    private void deliver(long index, byte[] entry, Optional<CompletableFuture<Void>> done) {
        applierThread.execute(() -> {
            stateMachine().apply(index, entry);
            stateMachine().onIdle();
            applied++;
            done.ifPresent(future -> future.complete(null));
        });
    }

    @Override
    public CompletableFuture<Void> enqueue(byte[] entry) {
        synchronized (sharedState) {
            if (!sharedState.running.containsValue(this)) {
                return reject("the node is closed");
            }
            if (!sharedState.hasMajority()) {
                return reject("there is no leader: fewer than a majority of the nodes are there");
            }
            sharedState.entries.add(entry.clone());
            var done = new CompletableFuture<Void>();
            long index = (long) sharedState.snapshotIndex + sharedState.entries.size();
            sharedState
                    .running
                    .values()
                    .forEach(node ->
                            node.deliver(index, entry.clone(), node == this ? Optional.of(done) : Optional.empty()));
            return done;
        }
    }

    /** There is a thread for it. */
    @Override
    public void runPending() {}

    private static CompletableFuture<Void> reject(String why) {
        return CompletableFuture.failedFuture(new ProposalRejectedException(why));
    }

    @Override
    public CompletableFuture<Void> addMember(Member member) {
        return change(MembershipChange.adding(member));
    }

    @Override
    public CompletableFuture<Void> removeMember(NodeId node) {
        return change(MembershipChange.removing(node));
    }

    private CompletableFuture<Void> change(MembershipChange membershipChange) {
        synchronized (sharedState) {
            var leader = sharedState.leader();
            if (leader.isEmpty()) {
                return reject("there is no leader: fewer than a majority of the nodes are there");
            }
            var refusal = membershipChange.refusal(
                    sharedState.members, leader.get(), List.copyOf(sharedState.running.keySet()));
            if (refusal.isPresent()) {
                return reject(refusal.get());
            }
            sharedState.members = membershipChange.of(sharedState.members);
            sharedState.publishLeader();
            return CompletableFuture.completedFuture(null);
        }
    }

    @Override
    public List<Member> members() {
        synchronized (sharedState) {
            return sharedState.members;
        }
    }

    @Override
    public boolean isFaultTolerant() {
        return false;
    }

    @Override
    public CompletableFuture<Void> compact() {
        var done = new CompletableFuture<Void>();
        synchronized (sharedState) {
            int upTo = sharedState.snapshotIndex + sharedState.entries.size();
            applierThread.execute(() -> {
                var snapshot = stateMachine().snapshot();
                synchronized (sharedState) {
                    if (upTo > sharedState.snapshotIndex) {
                        sharedState
                                .entries
                                .subList(0, upTo - sharedState.snapshotIndex)
                                .clear();
                        sharedState.snapshotIndex = upTo;
                        sharedState.snapshot = snapshot;
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
        synchronized (sharedState) {
            long bytes = sharedState.entries.stream()
                    .mapToLong(entry -> entry.length)
                    .sum();
            return new LogStats(applied, sharedState.entries.size(), 0, bytes, snapshots, 0);
        }
    }

    @Override
    public CompletableFuture<Throwable> failure() {
        return failure;
    }

    @Override
    public void close() {
        synchronized (sharedState) {
            sharedState.running.remove(self, this);
            sharedState.publishLeader();
        }
        applierThread.close();
    }
}
