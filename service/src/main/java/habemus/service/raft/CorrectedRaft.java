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
 * The engine, where it keeps to Raft; where it does not, this does. What is done otherwise here:
 *
 * <ul>
 *   <li>A follower says of an entry that it has it only after it was compared with the leader's, and is told of a
 *       commit only up to there. (The engine answers with its last entry, whosever that is.)
 *   <li>A leader commits entries of earlier leaders only below one of its own. (The engine counts who has them.)
 *   <li>Nobody votes, or comes to lead, in the middle of appending. (The engine lets its threads meet.)
 *   <li>A snapshot that is older than what a node has does not take it back.
 *   <li>A follower that has to catch up is sent all it needs at once, under load too, piece by piece; one that is not
 *       needed for a majority is told of entries a little later (see {@link LogReplicator}).
 *   <li>Members change when the change is appended; see {@link ClusterConfiguration}.
 *   <li>Followers write all that came in together with one sync.
 * </ul>
 */
final class CorrectedRaft extends SerializedRaft {

    static final short ID = 1_700;

    static {
        ClassConfigurator.addProtocol(ID, CorrectedRaft.class);
    }

    private final RaftStorage raftStorage;
    private final ClusterConfiguration clusterConfiguration;
    private final SyncBeforeSend syncBeforeSend;
    private final StrictFollower follower;
    private final RaftListener raftListener;
    private final NodeId self;
    private final LogReplicator logReplicator;
    private @Nullable Address told; // of whom the watcher knows that it leads
    private long announcedTerm;
    private long announced; // which commit the followers were told of
    private long applying;
    private long rested; // up to where the watcher knows that it was told all
    private List<Member> restored = List.of(); // as of the last snapshot

    CorrectedRaft(NodeId self, RaftStorage raftStorage, SyncBeforeSend syncBeforeSend, RaftListener raftListener) {
        this(self, raftStorage, syncBeforeSend, raftListener, System::nanoTime);
    }

    /** @param nanos a clock that never goes back */
    CorrectedRaft(
            NodeId self,
            RaftStorage raftStorage,
            SyncBeforeSend syncBeforeSend,
            RaftListener raftListener,
            LongSupplier nanos) {
        super("consensus-" + self);
        this.self = self;
        this.raftStorage = raftStorage;
        clusterConfiguration = raftStorage.clusterConfiguration;
        this.syncBeforeSend = syncBeforeSend;
        this.raftListener = raftListener;
        logReplicator = new LogReplicator(this, raftStorage, syncBeforeSend, nanos);
        log(raftStorage);
        follower = new StrictFollower(this, raftStorage);
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
            tell();
            return result;
        } catch (UncheckedIOException failed) { // of the term, or the vote: nobody hears of it
            fail(failed);
            throw failed;
        } finally {
            leave();
        }
    }

    private void tell() {
        var now = leader();
        long term = currentTerm();
        if (!Objects.equals(now, told) || now != null && term != announcedTerm) {
            told = now;
            announcedTerm = term;
            logReplicator.begin();
            announced = 0;
            raftListener.onLeaderChanged(now, isLeader(), term);
        }
    }

    @Override
    public int currentTerm(long term) {
        return changing(() -> super.currentTerm(term));
    }

    /** The engine's thread that holds elections outlives the engine, unless it is told so. */
    @Override
    public long createNewTerm() {
        return changing(() -> {
            if (isBroken()) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("this node takes part no more");
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
        hear(ups);
        rest(); // nobody waits for what is written next
        if (!downs.isEmpty()) {
            table().ifPresentOrElse(table -> logReplicator.say(table, () -> engage(downs)), () -> engage(downs));
            announced = commit_index;
        }
        announce();
        table().ifPresent(logReplicator::catchUp);
        rest();
    }

    private void hear(List<Request> ups) {
        if (ups.isEmpty()) {
            return;
        }
        raftStorage.hold();
        syncBeforeSend.hold();
        try {
            engage(ups);
            raftStorage.release();
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
     * Followers are told of a commit at once if one of them has proposed it, and somebody waits there. Else the next
     * entry tells them, or this node as soon as it has nothing else to do.
     */
    private void announce() {
        if (isLeader() && commit_index > announced && isAwaited(announced + 1, commit_index)) {
            announced = commit_index;
            Message message = new ObjectMessage(null, null)
                    .putHeader(
                            getId(),
                            new AppendEntriesRequest(getAddress(), currentTerm(), 0, 0, currentTerm(), commit_index))
                    .setFlag(Message.TransientFlag.DONT_LOOPBACK);
            down_prot.down(message);
        }
    }

    private void rest() {
        if (rested < commit_index) {
            rested = commit_index;
            raftListener.onIdle();
        }
    }

    private boolean isAwaited(long from, long to) {
        return LongStream.rangeClosed(from, to)
                .mapToObj(raftStorage::get)
                .anyMatch(entry -> entry != null && !EntryPayload.isOf(self, entry));
    }

    /** Who has what, if this node leads. */
    private Optional<CommitTable> table() {
        return isLeader() ? Optional.ofNullable(commit_table) : Optional.empty();
    }

    @Override
    long followUp() {
        return table().map(logReplicator::followUp).orElse(CombiningQueue.IDLE_NANOS);
    }

    /** This member waits for what it has proposed. */
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
        if (to <= commit_index || isLeader() && raftStorage.termAt(to) != currentTerm()) {
            return this;
        }
        return super.commitLogTo(to, serialize);
    }

    @Override
    protected void applyCommit(long index, boolean serialize) throws Exception {
        applying = index;
        super.applyCommit(index, serialize);
    }

    /** Which entry the engine's machine is being told of. */
    long applying() {
        return applying;
    }

    /** As of the last entry that is committed. */
    List<Member> membersNow() {
        return clusterConfiguration.at(commit_index);
    }

    /** A snapshot has been read, in which these keep the log. */
    void restored(List<Member> members) {
        restored = members;
    }

    /** Whether this leader has committed an entry of its own, and this one: before that it must not change members. */
    boolean isSettled(long changed) {
        enter();
        try {
            return isLeader() && raftStorage.termAt(commit_index) == currentTerm() && changed <= commit_index;
        } finally {
            leave();
        }
    }

    /** What is committed after the snapshot is told by the next leader. */
    @Override
    public void initStateMachineFromLog() throws Exception {
        if (state_machine_loaded) {
            return;
        }
        state_machine_loaded = true;
        var snapshot = raftStorage.getSnapshot();
        if (snapshot != null) {
            var in = new ByteArrayDataInputStream(snapshot);
            internal_state.readFrom(in);
            state_machine.readContentFrom(in);
            clusterConfiguration.begin(raftStorage.commitIndex(), restored);
        }
    }

    @Override
    protected void takeSnapshot() throws Exception {
        if (commit_index > 0) {
            super.takeSnapshot();
        }
    }

    // for the follower, and for what is sent to it

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

    void say(Address to, AppendResult result) {
        down_prot.down(new EmptyMessage(to).putHeader(getId(), new AppendEntriesResponse(currentTerm(), result)));
    }

    /** All that was known of members is what the snapshot says. */
    void restart(long index) {
        clusterConfiguration.restart(index, restored);
        members(clusterConfiguration.latest());
    }
}
