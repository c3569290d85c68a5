package habemus.service.raft;

import habemus.concurrent.CombiningQueue;
import habemus.protocol.NodeId;
import habemus.service.transport.Member;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jgroups.Address;
import org.jgroups.EmptyMessage;
import org.jgroups.Message;
import org.jgroups.ObjectMessage;
import org.jgroups.View;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.raft.AppendEntriesRequest;
import org.jgroups.protocols.raft.AppendEntriesResponse;
import org.jgroups.protocols.raft.AppendResult;
import org.jgroups.protocols.raft.Leader;
import org.jgroups.protocols.raft.LogEntries;
import org.jgroups.protocols.raft.RAFT;
import org.jgroups.protocols.raft.Role;
import org.jgroups.raft.util.CommitTable;
import org.jgroups.util.ByteArrayDataInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Jgroups-raft, corrected where it deviates from Raft. The differences:
 *
 * <ul>
 *   <li>A follower acknowledges an index only after matching it with the leader's log, and commits only up to there.
 *       (Jgroups-raft acknowledges its last entry, whichever leader wrote it.)
 *   <li>A leader commits entries of earlier terms only together with one of its own term. (Jgroups-raft counts
 *       replicas.)
 *   <li>A node neither votes nor becomes leader during an append. (The threads of jgroups-raft race.)
 *   <li>An old snapshot does not replace newer state.
 *   <li>A lagging follower gets all missing entries at once, in chunks, under load too. A follower that is not needed
 *       for a majority gets entries slightly later (see {@link LogReplicator}).
 *   <li>A membership change takes effect when it is appended (see {@link ClusterConfiguration}).
 *   <li>A follower writes all entries of a batch of messages with one fsync.
 * </ul>
 */
final class CorrectedRaft extends SerializedRaft {

    static final short ID = 1_700;

    static {
        ClassConfigurator.addProtocol(ID, CorrectedRaft.class);
    }

    private final RaftStorage storage;
    private final ClusterConfiguration clusterConfiguration;
    private final SyncBeforeSend syncBeforeSend;
    private final StrictFollower follower;
    private final RaftListener raftListener;
    private final NodeId self;
    private final LogReplicator logReplicator;
    private @Nullable Address announcedLeader; // last leader reported to the listener
    private long announcedTerm;
    private long announcedCommit; // last commit index sent to the followers
    private long applying;
    private long idleIndex; // commit index at the last onIdle
    private List<Member> restored = List.of(); // members of the last snapshot

    CorrectedRaft(NodeId self, RaftStorage storage, SyncBeforeSend syncBeforeSend, RaftListener raftListener) {
        this(self, storage, syncBeforeSend, raftListener, System::nanoTime);
    }

    /** @param nanos a monotonic clock */
    CorrectedRaft(
            NodeId self,
            RaftStorage storage,
            SyncBeforeSend syncBeforeSend,
            RaftListener raftListener,
            LongSupplier nanos) {
        super("consensus-" + self);
        this.self = self;
        this.storage = storage;
        clusterConfiguration = storage.clusterConfiguration;
        this.syncBeforeSend = syncBeforeSend;
        this.raftListener = raftListener;
        logReplicator = new LogReplicator(this, storage, syncBeforeSend, nanos);
        log(storage);
        follower = new StrictFollower(this, storage);
        impl = follower;
        raftId(EntryPayload.name(self));
        maxLogCacheSize(0);
    }

    void members(List<Member> members) {
        members(members.stream().map(member -> EntryPayload.name(member.node())).toList());
    }

    private <T> T changing(Supplier<T> task) {
        enter();
        try {
            T result = task.get();
            announceLeader();
            return result;
        } catch (UncheckedIOException failed) { // term or vote not on disk: it must not be sent
            fail(failed);
            throw failed;
        } finally {
            leave();
        }
    }

    private void announceLeader() {
        var leader = leader();
        long term = currentTerm();
        if (!Objects.equals(leader, announcedLeader) || leader != null && term != announcedTerm) {
            announcedLeader = leader;
            announcedTerm = term;
            logReplicator.begin();
            announcedCommit = 0;
            raftListener.onLeaderChanged(leader, isLeader(), term);
        }
    }

    @Override
    public int currentTerm(long term) {
        return changing(() -> super.currentTerm(term));
    }

    /** Ends the election thread of jgroups-raft, which would outlive a failed node. */
    @Override
    public long createNewTerm() {
        return changing(() -> {
            if (hasFailed()) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("node has failed");
            }
            return super.createNewTerm();
        });
    }

    @Override
    public RAFT setLeaderAndTerm(@Nullable Address leader, long term) {
        return changing(() -> super.setLeaderAndTerm(leader, term));
    }

    @Override
    public int trySetLeaderAndTerm(@Nullable Address leader, long term) {
        return changing(() -> super.trySetLeaderAndTerm(leader, term));
    }

    @Override
    public RAFT leader(Address leader) {
        return changing(() -> super.leader(leader));
    }

    @Override
    public RAFT votedFor(Address member) {
        return changing(() -> super.votedFor(member));
    }

    @Override
    public void handleView(View view) {
        inTurn(() -> super.handleView(view));
    }

    @Override
    protected RAFT changeRole(Role role) {
        super.changeRole(role);
        if (!(impl instanceof Leader) && !(impl instanceof StrictFollower)) {
            impl = follower;
        }
        return this;
    }

    @Override
    void process(List<Request> ups, List<Request> downs) {
        receive(ups);
        reportIdle(); // before the next write, which would delay the listener
        if (!downs.isEmpty()) {
            table().ifPresentOrElse(
                            table -> logReplicator.broadcastToEager(table, () -> engage(downs)), () -> engage(downs));
            announcedCommit = commit_index;
        }
        announceCommit();
        table().ifPresent(logReplicator::catchUp);
        reportIdle();
    }

    private void receive(List<Request> ups) {
        if (ups.isEmpty()) {
            return;
        }
        storage.hold();
        syncBeforeSend.hold();
        try {
            engage(ups);
            storage.release();
        } catch (RuntimeException | Error failed) {
            syncBeforeSend.drop();
            throw failed;
        } finally {
            syncBeforeSend.release();
        }
    }

    @Override
    void fail(Throwable failed) {
        if (isLeader() || !(failed instanceof IllegalStateException)) {
            end();
            raftListener.onFailure(failed);
        }
    }

    /**
     * Sends the commit index to the followers at once if one of them has proposed a committed entry. Otherwise it goes
     * with the next entries, or when the leader is idle.
     */
    private void announceCommit() {
        if (isLeader() && commit_index > announcedCommit && isAwaited(announcedCommit + 1, commit_index)) {
            announcedCommit = commit_index;
            Message message = new ObjectMessage(null, null)
                    .putHeader(
                            getId(),
                            new AppendEntriesRequest(getAddress(), currentTerm(), 0, 0, currentTerm(), commit_index))
                    .setFlag(Message.TransientFlag.DONT_LOOPBACK);
            down_prot.down(message);
        }
    }

    private void reportIdle() {
        if (idleIndex < commit_index) {
            idleIndex = commit_index;
            raftListener.onIdle();
        }
    }

    private boolean isAwaited(long from, long to) {
        return LongStream.rangeClosed(from, to)
                .mapToObj(storage::get)
                .anyMatch(entry -> entry != null && !EntryPayload.isOf(self, entry));
    }

    /** The replication state of the followers, if this node is the leader. */
    private Optional<CommitTable> table() {
        return isLeader() ? Optional.ofNullable(commit_table) : Optional.empty();
    }

    @Override
    long followUp() {
        return table().map(logReplicator::followUp).orElse(CombiningQueue.IDLE_NANOS);
    }

    /** The member has proposed an entry and waits for its commit. */
    void awaits(Address member) {
        logReplicator.awaits(member);
    }

    @Override
    protected void sendAppendEntriesMessage(Address member, CommitTable.Entry entry) {
        if (logReplicator.isDue(member, entry.nextIndex())) {
            super.sendAppendEntriesMessage(member, entry);
        }
    }

    @Override
    protected void resend(Address target, long from, long to) {
        super.resend(target, from, logReplicator.piece(target, from, to));
    }

    @Override
    protected RAFT commitLogTo(long index, boolean serialize) {
        long to = Math.min(last_appended, index);
        if (to <= commit_index || isLeader() && storage.termAt(to) != currentTerm()) {
            return this;
        }
        return super.commitLogTo(to, serialize);
    }

    @Override
    protected void applyCommit(long index, boolean serialize) throws Exception {
        applying = index;
        super.applyCommit(index, serialize);
    }

    /** The index of the entry that is being applied. */
    long applying() {
        return applying;
    }

    /** The members as of the last committed entry. */
    List<Member> membersNow() {
        return clusterConfiguration.at(commit_index);
    }

    /** Called with the members of a snapshot that was read. */
    void restored(List<Member> members) {
        restored = members;
    }

    /**
     * Whether this leader has committed an entry of its own term and the last membership change. Before that it must
     * not change the members.
     */
    boolean isSettled(long changed) {
        enter();
        try {
            return isLeader() && storage.termAt(commit_index) == currentTerm() && changed <= commit_index;
        } finally {
            leave();
        }
    }

    /** Loads the snapshot only. The commit index of later entries comes from the next leader. */
    @Override
    public void initStateMachineFromLog() throws Exception {
        if (state_machine_loaded) {
            return;
        }
        state_machine_loaded = true;
        var snapshot = storage.getSnapshot();
        if (snapshot != null) {
            var in = new ByteArrayDataInputStream(snapshot);
            internal_state.readFrom(in);
            state_machine.readContentFrom(in);
            clusterConfiguration.begin(storage.commitIndex(), restored);
        }
    }

    @Override
    protected void takeSnapshot() throws Exception {
        if (commit_index > 0) {
            super.takeSnapshot();
        }
    }

    // used by StrictFollower and LogReplicator

    long last() {
        return last_appended;
    }

    void commit(long index) {
        commitLogTo(index, false);
    }

    void add(LogEntries entries) {
        append(last_appended + 1, entries);
        num_successful_append_requests += entries.size();
    }

    void cut(long from) {
        deleteAllLogEntriesStartingFrom(from);
    }

    void reply(Address to, AppendResult result) {
        down_prot.down(new EmptyMessage(to).putHeader(getId(), new AppendEntriesResponse(currentTerm(), result)));
    }

    /** Takes over the members of an installed snapshot. */
    void restart(long index) {
        clusterConfiguration.restart(index, restored);
        members(clusterConfiguration.latest());
    }
}
