package habemus.raft;

import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;

import habemus.ProtocolFixture;
import habemus.election.VoteWeights;
import habemus.protocol.ByteString;
import habemus.protocol.Configuration;
import habemus.protocol.Effect;
import habemus.protocol.EntryId;
import habemus.protocol.LogCall;
import habemus.protocol.LogEntry;
import habemus.protocol.LogReply;
import habemus.protocol.NodeSet;
import habemus.raft.RaftMessage.AppendAck;
import habemus.raft.RaftMessage.AppendEntries;
import habemus.raft.RaftMessage.PreVoteGranted;
import habemus.raft.RaftMessage.VoteGranted;
import habemus.raft.RaftState.Mode;
import habemus.raft.RaftState.Progress;
import habemus.raft.RaftState.Role;
import habemus.raft.RaftState.Timer;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** States of n1 in a cluster of three nodes, reached by real steps. The entries of a leader are a, b, c … */
final class RaftFixture {

    static final Duration ELECTION_TIMEOUT = Duration.ofMillis(300);
    static final Duration HEARTBEAT_INTERVAL = Duration.ofMillis(100);

    /** Two entries a message, two messages in flight, chunks of four bytes. */
    static final Raft.Flow FLOW = new Raft.Flow(2, 2, 4);

    static final Raft RAFT = raft(NodeSet.NONE, VoteWeights.EQUAL);
    static final Raft WITHOUT_OPTIONS =
            new Raft(NodeSet.NONE, VoteWeights.EQUAL, false, false, FLOW, ELECTION_TIMEOUT, HEARTBEAT_INTERVAL);

    static final EntryId START = id(0, 0);

    private RaftFixture() {}

    static Raft raft(NodeSet voters, VoteWeights weights) {
        return new Raft(voters, weights, true, true, FLOW, ELECTION_TIMEOUT, HEARTBEAT_INTERVAL);
    }

    // ---- states ----

    static ProtocolFixture<RaftState, RaftMessage> started() {
        return node(1, 3, RAFT);
    }

    /** The candidate of the term after {@code term}. */
    static ProtocolFixture<RaftState, RaftMessage> candidateAfter(
            long term, ProtocolFixture<RaftState, RaftMessage> node) {
        return node.timesOut(Timer.ELECTION_TIMEOUT).receives(new PreVoteGranted(term), n(2));
    }

    /** The leader of the term after {@code term}, with the vote of n2. */
    static ProtocolFixture<RaftState, RaftMessage> leaderAfter(
            long term, ProtocolFixture<RaftState, RaftMessage> node) {
        return candidateAfter(term, node).receives(new VoteGranted(term + 1), n(2));
    }

    /** The leader of term 1. Its first entry is not synced, and no follower has answered. */
    static ProtocolFixture<RaftState, RaftMessage> newLeader() {
        return leaderAfter(0, started());
    }

    /** The leader of term 1 after all nodes have synced its first entry, which is committed. */
    static ProtocolFixture<RaftState, RaftMessage> leader() {
        return newLeader().syncs(id(1, 1)).receives(ack(1, 1), n(2)).receives(ack(1, 1), n(3));
    }

    /** A follower of n2 in term 1, with an empty log. */
    static ProtocolFixture<RaftState, RaftMessage> follower() {
        return started().receives(append(1, START, 0), n(2));
    }

    /** A follower of n2 whose synced entries have these terms; the last one is the current term. */
    static ProtocolFixture<RaftState, RaftMessage> followerWith(long... terms) {
        long term = terms[terms.length - 1];
        return started().receives(append(term, START, 0, entries(terms)), n(2)).syncs(id(terms.length, term));
    }

    // ---- values ----

    static EntryId id(long index, long term) {
        return new EntryId(index, term);
    }

    /** Entries a, b, c … with these terms. */
    static LogEntry[] entries(long... terms) {
        return IntStream.range(0, terms.length)
                .mapToObj(i -> entry(terms[i], name(i)))
                .toArray(LogEntry[]::new);
    }

    private static String name(int i) {
        return String.valueOf((char) ('a' + i));
    }

    static LogEntry entry(long term, String command) {
        return new LogEntry(term, new LogEntry.Command(ByteString.ofText(command)));
    }

    static LogEntry noOp(long term) {
        return new LogEntry(term, new LogEntry.NoOp());
    }

    static LogEntry members(long term, NodeSet voters, NodeSet learners) {
        return new LogEntry(term, new LogEntry.Members(new Configuration(voters, learners)));
    }

    static AppendEntries append(long term, EntryId previous, long commitIndex, LogEntry... entries) {
        return new AppendEntries(term, previous, List.of(entries), commitIndex, 0);
    }

    static AppendAck ack(long term, long matchIndex) {
        return new AppendAck(term, matchIndex, 0);
    }

    /** Commands a, b, c …; the id of the first proposal is {@code firstId}. */
    static LogCall propose(long firstId, String... commands) {
        return new LogCall.Propose(IntStream.range(0, commands.length)
                .mapToObj(i -> new LogCall.Proposal(firstId + i, ByteString.ofText(commands[i])))
                .toList());
    }

    static LogReply rejected(LogReply.Reason reason, NodeSet leader) {
        return new LogReply.Rejected(reason, leader);
    }

    static <M> Effect<M> electionTimer() {
        return new Effect.SetTimer<>(Timer.ELECTION_TIMEOUT, ELECTION_TIMEOUT, ELECTION_TIMEOUT.multipliedBy(2));
    }

    // ---- what a state shows ----

    static Role.Leading leading(ProtocolFixture<RaftState, RaftMessage> node) {
        return (Role.Leading) node.state().role();
    }

    static Role.Following following(ProtocolFixture<RaftState, RaftMessage> node) {
        return (Role.Following) node.state().role();
    }

    static Progress progress(ProtocolFixture<RaftState, RaftMessage> node, int peer) {
        return leading(node).peers().stream()
                .filter(each -> each.node().equals(n(peer)))
                .findFirst()
                .orElseThrow();
    }

    static Mode mode(ProtocolFixture<RaftState, RaftMessage> node, int peer) {
        return progress(node, peer).mode();
    }

    static List<LogEntry> log(ProtocolFixture<RaftState, RaftMessage> node) {
        var log = node.state().log();
        return log.entries(log.baseIndex() + 1, log.lastIndex());
    }
}
