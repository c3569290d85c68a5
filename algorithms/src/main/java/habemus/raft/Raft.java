package habemus.raft;

import habemus.election.VoteWeights;
import habemus.protocol.ByteString;
import habemus.protocol.Configuration;
import habemus.protocol.Consensus;
import habemus.protocol.EntryId;
import habemus.protocol.LogCall;
import habemus.protocol.LogReply;
import habemus.protocol.LogView;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.PersistentLog;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.raft.RaftMessage.AppendAck;
import habemus.raft.RaftMessage.AppendEntries;
import habemus.raft.RaftMessage.AppendRejected;
import habemus.raft.RaftMessage.CommitTo;
import habemus.raft.RaftMessage.InstallSnapshot;
import habemus.raft.RaftMessage.NewerTerm;
import habemus.raft.RaftMessage.PreVote;
import habemus.raft.RaftMessage.PreVoteGranted;
import habemus.raft.RaftMessage.Request;
import habemus.raft.RaftMessage.RequestVote;
import habemus.raft.RaftMessage.SnapshotAck;
import habemus.raft.RaftMessage.TimeoutNow;
import habemus.raft.RaftMessage.VoteGranted;
import habemus.raft.RaftState.DurableState;
import habemus.raft.RaftState.Role;
import habemus.raft.RaftState.Timer;
import java.time.Duration;
import java.util.List;

/**
 * Raft: a leader appends entries to its log and replicates them; an entry is committed once a majority has synced it.
 *
 * <p>A node votes once a term, for a candidate whose log is at least as new as its own. So the leader of a term has
 * every entry that was committed in earlier terms. A follower appends entries only behind an entry that it shares with
 * the leader. So two logs with a common entry are equal up to it.
 *
 * <p>Messages may be lost, duplicated, reordered, and arrive after the sender has restarted. Timers only affect
 * progress. A crash keeps the durable state, except entries at the end of the log that were not synced.
 *
 * <pre>
 *   · ── start, restart ──▶ Listening
 *   Listening, Following ── ELECTION_TIMEOUT ──▶ PreCandidate, Candidate, Leading  Candidate without pre-vote
 *   PreCandidate ── PreVoteGranted ──▶ Candidate
 *   Candidate ── VoteGranted ──▶ Leading
 *   Candidate ── ELECTION_TIMEOUT ──▶ PreCandidate
 *   Listening, Candidate ── AppendEntries, InstallSnapshot ──▶ Following  a leader
 *   PreCandidate, Leading ── AppendEntries ──▶ Following  a leader
 *   Following, PreCandidate, Candidate, Leading ── RequestVote, CommitTo, NewerTerm ──▶ Listening  a higher term
 *   Listening, Following, PreCandidate ── TimeoutNow ──▶ Candidate  a transfer
 *   Following ── ELECTION_TIMEOUT ──▶ Listening  a learner, or removed
 *   Leading ── ELECTION_TIMEOUT ──▶ Listening  no majority heard
 *   Leading ── AppendAck ──▶ Listening  removed
 * </pre>
 *
 * <p>An entry costs 3(n-1) messages: append, acknowledgement, commit index. Safety survives everything but the loss of
 * a synced disk. Progress needs a majority that is up, connected, and answers within half of {@code electionTimeout}.
 *
 * @param initialVoters the voters of the first configuration, on every node; empty for all nodes of the topology
 * @param weights vote weights, for the laboratory; equal in production
 * @param preVote whether a node asks for pre-votes before it starts a new term
 * @param checkQuorum whether a leader without a majority steps down, and nodes that hear a leader ignore candidates
 * @param flow limits on what is in flight
 * @param electionTimeout the shortest time without a leader until a node starts an election; the longest is twice that
 * @see <a href="https://web.stanford.edu/~ouster/cgi-bin/papers/OngaroPhD.pdf">Ongaro, 2014</a>
 */
public record Raft(
        NodeSet initialVoters,
        VoteWeights weights,
        boolean preVote,
        boolean checkQuorum,
        Flow flow,
        Duration electionTimeout,
        Duration heartbeatInterval)
        implements Consensus<RaftState, RaftMessage, DurableState>, Timed<RaftState, RaftMessage, Timer> {

    /**
     * @param maxEntries the most entries in one message
     * @param maxInFlight the most unacknowledged messages with entries to one member
     * @param chunkBytes the size of a chunk of a snapshot
     */
    public record Flow(int maxEntries, int maxInFlight, int chunkBytes) {}

    @Override
    public Step<RaftState, RaftMessage> start(Neighbourhood neighbourhood) {
        var voters = initialVoters.isEmpty() ? weights.voters(neighbourhood) : initialVoters;
        var log = PersistentLog.startingAfter(new EntryId(0, 0), new Configuration(voters, NodeSet.NONE));
        return restart(neighbourhood, new DurableState(0, NodeSet.NONE, log, 0, ByteString.EMPTY));
    }

    @Override
    public DurableState durableState(RaftState s) {
        return s.durable();
    }

    /** Everything that was read from the disk is synced. The application is restored from the snapshot. */
    @Override
    public Step<RaftState, RaftMessage> restart(Neighbourhood neighbourhood, DurableState disk) {
        var log = disk.log();
        var read = disk.withLog(log, log.lastIndex());
        var s = new RaftState(neighbourhood.self(), read, log.baseIndex(), List.of(), new Role.Listening());
        var step = resetElectionTimer(s);
        return log.baseIndex() == 0 ? step : step.load(log.baseIndex(), disk.snapshot());
    }

    @Override
    public Step<RaftState, RaftMessage> call(RaftState s, LogCall call) {
        return switch (call) {
            case LogCall.Propose(var proposals) -> Replication.propose(this, s, proposals);
            case LogCall.Read(var id) -> ReadIndex.read(this, s, id);
            case LogCall.ChangeMembers(var id, var change) -> Membership.change(this, s, id, change);
            case LogCall.TransferLeadership(var to) -> Voting.transfer(this, s, to);
            case LogCall.Compact(var index, var snapshot) -> to(SnapshotTransfer.compact(s, index, snapshot));
        };
    }

    /** The only place that compares terms: a handler sees messages of its own term. */
    @Override
    public Step<RaftState, RaftMessage> receive(RaftState s, NodeId from, RaftMessage message) {
        if (message.term() < s.term()) {
            return message instanceof Request ? to(s).send(from, new NewerTerm(s.term())) : to(s);
        }
        if (message instanceof PreVote request) { // also of a higher term, which it does not start
            return Voting.onPreVote(this, s, from, request);
        }
        if (message.term() > s.term()) {
            return message instanceof RequestVote request && !Voting.mayDepose(this, s, request)
                    ? to(s)
                    : Voting.adoptTerm(this, s, message.term()).then(now -> receive(now, from, message));
        }
        return switch (message) {
            case PreVote m -> to(s); // handled above
            case PreVoteGranted m -> Voting.onPreVoteGranted(this, s, from);
            case RequestVote m -> Voting.onRequestVote(this, s, from, m);
            case VoteGranted m -> Voting.onVoteGranted(this, s, from);
            case AppendEntries m ->
                Voting.follow(this, s, from, m.round()).then(now -> Replication.onAppend(this, now, m));
            case AppendAck m -> Replication.onAck(this, s, from, m);
            case AppendRejected m -> Replication.onRejected(this, s, from, m);
            case CommitTo m -> Commitment.onCommitTo(this, s, m.commitIndex());
            case InstallSnapshot m ->
                Voting.follow(this, s, from, m.round()).then(now -> SnapshotTransfer.onInstall(this, now, m));
            case SnapshotAck m -> SnapshotTransfer.onAck(this, s, from, m);
            case TimeoutNow m -> s.mayCampaign() ? Voting.becomeCandidate(this, s, true) : to(s);
            case NewerTerm m -> to(s); // we have adopted the term above
        };
    }

    @Override
    public Step<RaftState, RaftMessage> timeout(RaftState s, Timer timer) {
        return switch (timer) {
            case HEARTBEAT -> Replication.heartbeat(this, s).setTimer(Timer.HEARTBEAT, heartbeatInterval);
            case ELECTION_TIMEOUT ->
                s.role() instanceof Role.Leading leading
                        ? Voting.checkQuorum(this, s, leading)
                        : Voting.onElectionTimeout(this, s);
        };
    }

    @Override
    public Step<RaftState, RaftMessage> synced(RaftState s, EntryId last) {
        return Replication.onSynced(this, s, last);
    }

    @Override
    public LogView view(RaftState s) {
        var disk = s.durable();
        boolean leads = s.role() instanceof Role.Leading;
        return new LogView(s.term(), leads, s.log(), s.commitIndex(), disk.syncedIndex(), disk.snapshot());
    }

    @Override
    public LogView durableView(DurableState disk) {
        return new LogView(disk.term(), false, disk.log(), disk.log().baseIndex(), disk.syncedIndex(), disk.snapshot());
    }

    @Override
    public DurableState withoutTail(DurableState disk, long lastIndex) {
        return disk.withLog(disk.log().truncateAfter(lastIndex), disk.syncedIndex());
    }

    Step<RaftState, RaftMessage> resetElectionTimer(RaftState s) {
        return to(s).setTimer(Timer.ELECTION_TIMEOUT, electionTimeout, electionTimeout.plus(electionTimeout));
    }

    Step<RaftState, RaftMessage> reject(RaftState s, long id, LogReply.Reason reason) {
        return to(s).reply(id, new LogReply.Rejected(reason, s.leader()));
    }

    /** Whether these nodes are a majority of the voters in the newest configuration of the node. */
    boolean isMajority(RaftState s, NodeSet nodes) {
        var voters = s.configuration().voters();
        return weights.isMajority(nodes.intersection(voters), voters);
    }
}
