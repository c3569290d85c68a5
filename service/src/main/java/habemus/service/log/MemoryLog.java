package habemus.service.log;

import habemus.protocol.NodeId;
import habemus.service.net.Member;
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
public final class MemoryLog implements Log {

    /** What the nodes have in common. */
    public static final class Shared {
        private final List<byte[]> entries = new ArrayList<>();
        private final Map<NodeId, MemoryLog> running = new HashMap<>();
        private List<Member> members;
        private byte @Nullable [] snapshot;
        private int kept; // so many entries are in the snapshot

        public Shared(List<Member> members) {
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

        private void tellLeader() {
            var leader = leader();
            running.values()
                    .forEach(node -> node.applier.execute(() -> node.machine().leader(leader)));
        }
    }

    private final Shared shared;
    private final NodeId self;
    private final Applier applier;
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private @Nullable Machine machine;
    private long applied;
    private long snapshots;

    public MemoryLog(Shared shared, NodeId self) {
        this.shared = shared;
        this.self = self;
        applier = new Applier("habemus-memory-" + self, failure::complete);
    }

    private Machine machine() {
        if (machine == null) {
            throw new IllegalStateException("not yet started");
        }
        return machine;
    }

    @Override
    public void start(Machine told) {
        synchronized (shared) {
            machine = told;
            var snapshot = shared.snapshot;
            if (snapshot != null) {
                applier.execute(() -> told.restore(snapshot));
            }
            for (int i = shared.kept; i < shared.kept + shared.entries.size(); i++) {
                tell(i + 1L, shared.entries.get(i - shared.kept), Optional.empty());
            }
            shared.running.put(self, this);
            shared.tellLeader();
        }
    }

    private void tell(long index, byte[] entry, Optional<CompletableFuture<Void>> done) {
        applier.execute(() -> {
            machine().apply(index, entry);
            machine().rest();
            applied++;
            done.ifPresent(future -> future.complete(null));
        });
    }

    @Override
    public CompletableFuture<Void> put(byte[] entry) {
        synchronized (shared) {
            if (!shared.running.containsValue(this)) {
                return refuse("the node is closed");
            }
            if (!shared.hasMajority()) {
                return refuse("there is no leader: fewer than a majority of the nodes are there");
            }
            shared.entries.add(entry.clone());
            var done = new CompletableFuture<Void>();
            long index = (long) shared.kept + shared.entries.size();
            shared.running
                    .values()
                    .forEach(node ->
                            node.tell(index, entry.clone(), node == this ? Optional.of(done) : Optional.empty()));
            return done;
        }
    }

    /** There is a thread for it. */
    @Override
    public void attend() {}

    private static CompletableFuture<Void> refuse(String why) {
        return CompletableFuture.failedFuture(new Refused(why));
    }

    @Override
    public CompletableFuture<Void> add(Member member) {
        return change(Membership.adding(member));
    }

    @Override
    public CompletableFuture<Void> remove(NodeId node) {
        return change(Membership.removing(node));
    }

    private CompletableFuture<Void> change(Membership membership) {
        synchronized (shared) {
            var leader = shared.leader();
            if (leader.isEmpty()) {
                return refuse("there is no leader: fewer than a majority of the nodes are there");
            }
            var refusal = membership.refusal(shared.members, leader.get(), List.copyOf(shared.running.keySet()));
            if (refusal.isPresent()) {
                return refuse(refusal.get());
            }
            shared.members = membership.of(shared.members);
            shared.tellLeader();
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
            int upTo = shared.kept + shared.entries.size();
            applier.execute(() -> {
                var snapshot = machine().snapshot();
                synchronized (shared) {
                    if (upTo > shared.kept) {
                        shared.entries.subList(0, upTo - shared.kept).clear();
                        shared.kept = upTo;
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
    public Counts counts() {
        synchronized (shared) {
            long bytes =
                    shared.entries.stream().mapToLong(entry -> entry.length).sum();
            return new Counts(applied, shared.entries.size(), 0, bytes, snapshots, 0);
        }
    }

    @Override
    public CompletableFuture<Throwable> failure() {
        return failure;
    }

    @Override
    public void close() {
        synchronized (shared) {
            shared.running.remove(self, this);
            shared.tellLeader();
        }
        applier.close();
    }
}
