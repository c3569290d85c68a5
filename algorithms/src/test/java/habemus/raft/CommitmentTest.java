package habemus.raft;

import static habemus.ProtocolFixture.apply;
import static habemus.ProtocolFixture.cancelTimer;
import static habemus.ProtocolFixture.elected;
import static habemus.ProtocolFixture.load;
import static habemus.ProtocolFixture.lost;
import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;
import static habemus.ProtocolFixture.nodes;
import static habemus.ProtocolFixture.reply;
import static habemus.ProtocolFixture.send;
import static habemus.ProtocolFixture.sendAll;
import static habemus.raft.RaftFixture.RAFT;
import static habemus.raft.RaftFixture.START;
import static habemus.raft.RaftFixture.ack;
import static habemus.raft.RaftFixture.append;
import static habemus.raft.RaftFixture.electionTimer;
import static habemus.raft.RaftFixture.entries;
import static habemus.raft.RaftFixture.entry;
import static habemus.raft.RaftFixture.followerWith;
import static habemus.raft.RaftFixture.id;
import static habemus.raft.RaftFixture.leader;
import static habemus.raft.RaftFixture.leaderAfter;
import static habemus.raft.RaftFixture.newLeader;
import static habemus.raft.RaftFixture.noOp;
import static habemus.raft.RaftFixture.propose;
import static habemus.raft.RaftFixture.raft;
import static habemus.raft.RaftFixture.rejected;
import static habemus.raft.RaftFixture.started;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.ProtocolFixture;
import habemus.election.VoteWeights;
import habemus.protocol.ByteString;
import habemus.protocol.LogReply;
import habemus.protocol.NodeSet;
import habemus.raft.RaftMessage.CommitTo;
import habemus.raft.RaftMessage.InstallSnapshot;
import habemus.raft.RaftMessage.PreVoteGranted;
import habemus.raft.RaftMessage.VoteGranted;
import habemus.raft.RaftState.Timer;
import org.junit.jupiter.api.Test;

/** The rules of {@link Commitment}, at n1 of three nodes. */
class CommitmentTest {

    /** The leader of term 1 with a synced proposal at index 2, which no follower has. */
    private static ProtocolFixture<RaftState, RaftMessage> proposing() {
        return leader().calls(propose(7, "a")).syncs(id(2, 1));
    }

    /** The same node as a follower of n3 in term 2. */
    private static ProtocolFixture<RaftState, RaftMessage> deposed() {
        return proposing().receives(append(2, id(1, 1), 1), n(3));
    }

    // ---- the leader ----

    @Test
    void the_leader_counts_itself_only_when_its_own_disk_has_synced() {
        var unsynced = newLeader().receives(ack(1, 1), n(2));
        assertThat(unsynced.effects()).isEmpty();
        assertThat(unsynced.state().commitIndex()).isZero();
        assertThat(unsynced.syncs(id(1, 1)).effects())
                .containsExactly(apply(1, noOp(1)), sendAll(nodes(2, 3), new CommitTo(1, 1)));
    }

    @Test
    void an_entry_is_committed_without_the_leader_if_the_others_are_a_majority() {
        var others = newLeader().receives(ack(1, 1), n(2)).receives(ack(1, 1), n(3));
        assertThat(others.effects()).containsExactly(apply(1, noOp(1)), sendAll(nodes(2, 3), new CommitTo(1, 1)));
    }

    @Test
    void an_acknowledgement_of_a_minority_commits_nothing() {
        var five = node(1, 5, RAFT)
                .timesOut(Timer.ELECTION_TIMEOUT)
                .receives(new PreVoteGranted(0), n(2))
                .receives(new PreVoteGranted(0), n(3))
                .receives(new VoteGranted(1), n(2))
                .receives(new VoteGranted(1), n(3))
                .syncs(id(1, 1))
                .receives(ack(1, 1), n(2));
        assertThat(five.effects()).isEmpty();
        assertThat(five.receives(ack(1, 1), n(2)).effects()).isEmpty();
        assertThat(five.receives(ack(1, 1), n(5)).effects())
                .containsExactly(apply(1, noOp(1)), sendAll(nodes(2, 3, 4, 5), new CommitTo(1, 1)));
    }

    @Test
    void an_entry_of_an_earlier_term_is_not_committed_by_counting() {
        var leader = leaderAfter(1, followerWith(1)).syncs(id(2, 2));
        var counted = leader.receives(ack(2, 1), n(2)).receives(ack(2, 1), n(3));
        assertThat(counted.state().commitIndex()).isZero();
        assertThat(counted.effects()).containsExactly(send(3, append(2, id(1, 1), 0, noOp(2))));
    }

    @Test
    void an_entry_of_an_earlier_term_is_committed_with_one_of_the_leaders_term() {
        var leader = leaderAfter(1, followerWith(1)).syncs(id(2, 2));
        assertThat(leader.receives(ack(2, 2), n(2)).effects())
                .containsExactly(apply(1, entry(1, "a"), noOp(2)), sendAll(nodes(2, 3), new CommitTo(2, 2)));
    }

    @Test
    void a_majority_has_more_than_half_of_the_weight() {
        var weighted = raft(NodeSet.NONE, VoteWeights.parse("1,3,1"));
        var leader = node(1, 3, weighted)
                .timesOut(Timer.ELECTION_TIMEOUT)
                .receives(new PreVoteGranted(0), n(2))
                .receives(new VoteGranted(1), n(2))
                .syncs(id(1, 1));
        assertThat(leader.receives(ack(1, 1), n(3)).effects()).isEmpty();
        assertThat(leader.receives(ack(1, 1), n(2)).effects())
                .containsExactly(apply(1, noOp(1)), sendAll(nodes(2, 3), new CommitTo(1, 1)));
    }

    @Test
    void an_entry_is_applied_once() {
        var again = proposing().receives(ack(1, 2), n(2)).receives(ack(1, 2), n(3));
        assertThat(again.effects()).isEmpty();
        assertThat(again.receives(ack(1, 2), n(2)).effects()).isEmpty();
    }

    // ---- the follower ----

    @Test
    void a_follower_commits_only_entries_that_it_has_compared() {
        var heartbeat = followerWith(1, 1, 1).receives(append(2, id(1, 1), 3), n(3));
        assertThat(heartbeat.effects())
                .containsExactly(lost(), electionTimer(), elected(3, 2), send(3, ack(2, 1)), apply(1, entries(1)));
        var told = heartbeat.receives(new CommitTo(2, 3), n(3));
        assertThat(told.effects()).isEmpty();
        assertThat(told.state().commitIndex()).isEqualTo(1);
    }

    @Test
    void a_follower_commits_at_most_what_it_has() {
        var told = followerWith(1).receives(new CommitTo(1, 9), n(2));
        assertThat(told.effects()).containsExactly(apply(1, entries(1)));
        assertThat(told.state().commitIndex()).isEqualTo(1);
    }

    @Test
    void a_commit_index_before_the_first_append_of_a_term_is_ignored() {
        var told = followerWith(1, 1).receives(new CommitTo(2, 2), n(3));
        assertThat(told.effects()).containsExactly(lost());
        assertThat(told.state().commitIndex()).isZero();
    }

    @Test
    void the_commit_index_never_goes_back() {
        var committed = followerWith(1, 1).receives(new CommitTo(1, 2), n(2));
        assertThat(committed.receives(append(1, id(2, 1), 1), n(2)).effects())
                .containsExactly(electionTimer(), send(2, ack(1, 2)));
        var late = committed.receives(new CommitTo(1, 1), n(2));
        assertThat(late.effects()).isEmpty();
        assertThat(late.state().commitIndex()).isEqualTo(2);
    }

    @Test
    void a_follower_applies_an_entry_that_it_has_not_synced_if_a_majority_has() {
        var unsynced = started().receives(append(1, START, 1, entries(1, 1)), n(2));
        assertThat(unsynced.effects()).containsExactly(electionTimer(), elected(2, 1), apply(1, entries(1)));
    }

    // ---- proposals ----

    @Test
    void a_node_that_does_not_lead_rejects_proposals_and_names_the_leader() {
        assertThat(followerWith(1).calls(propose(7, "a", "b")).effects())
                .containsExactly(
                        reply(7, rejected(LogReply.Reason.NOT_LEADER, nodes(2))),
                        reply(8, rejected(LogReply.Reason.NOT_LEADER, nodes(2))));
        assertThat(started().calls(propose(7, "a")).effects())
                .containsExactly(reply(7, rejected(LogReply.Reason.NOT_LEADER, NodeSet.NONE)));
    }

    @Test
    void a_proposal_is_answered_with_its_index_once_it_is_committed_and_applied() {
        var batch = leader().calls(propose(7, "a", "b")).calls(propose(9, "c")).syncs(id(4, 1));
        assertThat(batch.receives(ack(1, 2), n(2)).effects())
                .containsExactly(
                        apply(2, entry(1, "a")),
                        reply(7, new LogReply.Committed(2)),
                        sendAll(nodes(2, 3), new CommitTo(1, 2)));
        assertThat(batch.receives(ack(1, 2), n(2)).receives(ack(1, 4), n(3)).effects())
                .containsExactly(
                        apply(3, entry(1, "b"), entry(1, "c")),
                        reply(8, new LogReply.Committed(3)),
                        reply(9, new LogReply.Committed(4)),
                        sendAll(nodes(2, 3), new CommitTo(1, 4)));
    }

    @Test
    void a_leader_that_steps_down_does_not_guess_what_becomes_of_its_proposals() {
        assertThat(deposed().effects())
                .containsExactly(
                        electionTimer(),
                        cancelTimer(Timer.HEARTBEAT),
                        lost(),
                        electionTimer(),
                        elected(3, 2),
                        send(3, ack(2, 1)));
        assertThat(deposed().state().proposals()).isEqualTo(proposing().state().proposals());
    }

    @Test
    void a_proposal_that_another_leader_commits_is_committed() {
        var kept = deposed().receives(append(2, id(2, 1), 2, noOp(2)), n(3));
        assertThat(kept.effects())
                .containsExactly(electionTimer(), apply(2, entry(1, "a")), reply(7, new LogReply.Committed(2)));
        assertThat(kept.state().proposals()).isEmpty();
    }

    @Test
    void a_proposal_is_rejected_only_after_another_entry_is_committed_at_its_index() {
        var replaced = deposed().receives(append(2, id(1, 1), 1, noOp(2)), n(3));
        assertThat(replaced.effects()).containsExactly(electionTimer());
        assertThat(replaced.receives(new CommitTo(2, 2), n(3)).effects())
                .containsExactly(apply(2, noOp(2)), reply(7, rejected(LogReply.Reason.OVERWRITTEN, nodes(3))));
    }

    @Test
    void a_proposal_behind_a_committed_entry_of_a_later_term_is_rejected() {
        var two = leader().calls(propose(7, "a", "b")).receives(append(2, id(1, 1), 2, noOp(2)), n(3));
        assertThat(two.effects())
                .endsWith(
                        apply(2, noOp(2)),
                        reply(7, rejected(LogReply.Reason.OVERWRITTEN, nodes(3))),
                        reply(8, rejected(LogReply.Reason.OVERWRITTEN, nodes(3))));
        assertThat(two.state().proposals()).isEmpty();
    }

    @Test
    void a_proposal_whose_entry_is_inside_an_installed_snapshot_is_indeterminate() {
        var snapshot = ByteString.ofText("s");
        var install = new InstallSnapshot(2, id(3, 2), started().state().configuration(), 0, snapshot, true, 0);
        assertThat(deposed().receives(install, n(3)).effects())
                .containsExactly(
                        electionTimer(), load(3, snapshot), reply(7, new LogReply.Indeterminate()), send(3, ack(2, 3)));
    }
}
