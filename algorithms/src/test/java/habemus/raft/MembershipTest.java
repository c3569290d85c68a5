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
import static habemus.ProtocolFixture.restarted;
import static habemus.ProtocolFixture.send;
import static habemus.ProtocolFixture.sendAll;
import static habemus.raft.RaftFixture.RAFT;
import static habemus.raft.RaftFixture.START;
import static habemus.raft.RaftFixture.ack;
import static habemus.raft.RaftFixture.append;
import static habemus.raft.RaftFixture.electionTimer;
import static habemus.raft.RaftFixture.entry;
import static habemus.raft.RaftFixture.follower;
import static habemus.raft.RaftFixture.id;
import static habemus.raft.RaftFixture.leader;
import static habemus.raft.RaftFixture.leading;
import static habemus.raft.RaftFixture.log;
import static habemus.raft.RaftFixture.members;
import static habemus.raft.RaftFixture.mode;
import static habemus.raft.RaftFixture.newLeader;
import static habemus.raft.RaftFixture.noOp;
import static habemus.raft.RaftFixture.propose;
import static habemus.raft.RaftFixture.rejected;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.ProtocolFixture;
import habemus.protocol.ByteString;
import habemus.protocol.Configuration;
import habemus.protocol.LogCall;
import habemus.protocol.LogEntry;
import habemus.protocol.LogReply;
import habemus.protocol.NodeSet;
import habemus.raft.RaftMessage.AppendAck;
import habemus.raft.RaftMessage.CommitTo;
import habemus.raft.RaftMessage.PreVote;
import habemus.raft.RaftMessage.RequestVote;
import habemus.raft.RaftMessage.TimeoutNow;
import habemus.raft.RaftState.Mode;
import habemus.raft.RaftState.Role;
import habemus.raft.RaftState.Timer;
import org.junit.jupiter.api.Test;

/** The rules of {@link Membership}, at n1 of a cluster that begins with three voters. */
class MembershipTest {

    private static final NodeSet VOTERS = nodes(1, 2, 3);
    private static final LogEntry LEARNER_4 = members(1, VOTERS, nodes(4));
    private static final LogEntry WITHOUT_1 = members(1, nodes(2, 3), NodeSet.NONE);

    private static LogCall add(int node) {
        return new LogCall.ChangeMembers(5, new LogCall.AddLearner(n(node)));
    }

    private static LogCall promote(int node) {
        return new LogCall.ChangeMembers(6, new LogCall.Promote(n(node)));
    }

    private static LogCall remove(int node) {
        return new LogCall.ChangeMembers(7, new LogCall.Remove(n(node)));
    }

    /** The leader of term 1 with n4 as a learner: the entry at index 2, committed. */
    private static ProtocolFixture<RaftState, RaftMessage> withLearner() {
        return leader().calls(add(4)).syncs(id(2, 1)).receives(ack(1, 2), n(2));
    }

    /** A follower of n2 whose log ends with its own removal. */
    private static ProtocolFixture<RaftState, RaftMessage> removed() {
        return follower()
                .receives(append(1, START, 0, noOp(1), WITHOUT_1), n(2))
                .syncs(id(2, 1));
    }

    // ---- what a leader accepts ----

    @Test
    void only_a_leader_changes_members() {
        assertThat(follower().calls(add(4)).effects())
                .containsExactly(reply(5, rejected(LogReply.Reason.NOT_LEADER, nodes(2))));
    }

    @Test
    void a_leader_changes_no_members_before_it_has_committed_an_entry_of_its_term() {
        var early = newLeader().calls(add(4));
        assertThat(early.effects()).containsExactly(reply(5, rejected(LogReply.Reason.CHANGE_IN_PROGRESS, nodes(1))));
        assertThat(early.state()).isEqualTo(newLeader().state());
    }

    @Test
    void a_leader_changes_no_members_before_the_previous_change_is_committed() {
        var overlapping = leader().calls(add(4)).calls(remove(3));
        assertThat(overlapping.effects())
                .containsExactly(reply(7, rejected(LogReply.Reason.CHANGE_IN_PROGRESS, nodes(1))));
        assertThat(overlapping.state().configuration()).isEqualTo(new Configuration(VOTERS, nodes(4)));
    }

    @Test
    void a_leader_that_hands_over_changes_no_members() {
        var handing = leader().calls(new LogCall.TransferLeadership(n(3))).calls(add(4));
        assertThat(handing.effects())
                .containsExactly(reply(5, rejected(LogReply.Reason.TRANSFER_IN_PROGRESS, nodes(1))));
    }

    @Test
    void a_change_that_changes_nothing_is_rejected() {
        var invalid = rejected(LogReply.Reason.INVALID_CHANGE, nodes(1));
        assertThat(leader().calls(add(3)).effects()).containsExactly(reply(5, invalid));
        assertThat(leader().calls(promote(3)).effects()).containsExactly(reply(6, invalid));
        assertThat(leader().calls(promote(9)).effects()).containsExactly(reply(6, invalid));
        assertThat(leader().calls(remove(9)).effects()).containsExactly(reply(7, invalid));
    }

    @Test
    void the_last_voter_cannot_be_removed() {
        var alone = node(1, 1, RAFT).timesOut(Timer.ELECTION_TIMEOUT).syncs(id(1, 1));
        assertThat(alone.calls(remove(1)).effects())
                .containsExactly(reply(7, rejected(LogReply.Reason.INVALID_CHANGE, nodes(1))));
    }

    @Test
    void a_learner_that_lacks_committed_entries_is_not_promoted() {
        assertThat(withLearner().calls(promote(4)).effects())
                .containsExactly(reply(6, rejected(LogReply.Reason.NOT_CAUGHT_UP, nodes(1))));
    }

    // ---- from when a change counts ----

    @Test
    void a_change_is_an_entry_of_the_log_and_the_new_member_is_probed_at_once() {
        var changed = leader().calls(add(4));
        var message = append(1, id(1, 1), 1, LEARNER_4);
        assertThat(changed.effects())
                .containsExactly(send(2, message), send(3, message), send(4, append(1, id(2, 1), 1)));
        assertThat(changed.state().configuration()).isEqualTo(new Configuration(VOTERS, nodes(4)));
        assertThat(mode(changed, 4)).isEqualTo(new Mode.Probing(3, true));
    }

    @Test
    void a_change_is_answered_once_it_is_committed() {
        assertThat(withLearner().effects())
                .containsExactly(
                        apply(2, LEARNER_4),
                        reply(5, new LogReply.Committed(2)),
                        sendAll(nodes(2, 3, 4), new CommitTo(1, 2)));
    }

    @Test
    void a_follower_uses_a_change_as_soon_as_it_is_in_its_log() {
        var follower = follower().receives(append(1, START, 0, noOp(1), members(1, nodes(1, 2, 3, 4), nodes())), n(2));
        assertThat(follower.state().commitIndex()).isZero();
        assertThat(follower.timesOut(Timer.ELECTION_TIMEOUT).effects())
                .containsExactly(lost(), electionTimer(), sendAll(nodes(2, 3, 4), new PreVote(1, id(2, 1))));
    }

    @Test
    void the_earlier_configuration_is_in_force_again_when_a_change_is_removed_from_the_log() {
        var replaced = removed().receives(append(2, id(1, 1), 0, noOp(2)), n(3));
        assertThat(replaced.effects()).containsExactly(lost(), electionTimer(), elected(3, 2));
        assertThat(replaced.state().configuration()).isEqualTo(new Configuration(VOTERS, NodeSet.NONE));
    }

    @Test
    void a_restarted_node_has_the_configuration_of_its_log() {
        var back = restarted(1, 3, RAFT, RAFT.durableState(withLearner().state()));
        assertThat(back.effects()).containsExactly(electionTimer());
        assertThat(back.state().configuration()).isEqualTo(new Configuration(VOTERS, nodes(4)));
    }

    @Test
    void a_restarted_node_has_the_configuration_of_its_snapshot() {
        var snapshot = ByteString.ofText("s");
        var compacted = withLearner().calls(new LogCall.Compact(2, snapshot));
        var back = restarted(1, 3, RAFT, RAFT.durableState(compacted.state()));
        assertThat(back.effects()).containsExactly(electionTimer(), load(2, snapshot));
        assertThat(back.state().configuration()).isEqualTo(new Configuration(VOTERS, nodes(4)));
    }

    // ---- learners ----

    @Test
    void the_acknowledgement_of_a_learner_commits_nothing() {
        var proposed = withLearner().calls(propose(9, "a")).syncs(id(3, 1)).receives(ack(1, 3), n(4));
        assertThat(proposed.effects()).isEmpty();
        assertThat(proposed.state().commitIndex()).isEqualTo(2);
    }

    @Test
    void a_learner_that_has_caught_up_becomes_a_voter() {
        var promoted = withLearner()
                .receives(ack(1, 2), n(4))
                .receives(ack(1, 2), n(3))
                .calls(promote(4));
        var message = append(1, id(2, 1), 2, members(1, nodes(1, 2, 3, 4), NodeSet.NONE));
        assertThat(promoted.effects()).containsExactly(send(2, message), send(3, message), send(4, message));
    }

    @Test
    void a_promotion_needs_a_majority_that_includes_the_new_voter_or_enough_others() {
        var promoted = withLearner()
                .receives(ack(1, 2), n(4))
                .receives(ack(1, 2), n(3))
                .calls(promote(4))
                .syncs(id(3, 1))
                .receives(ack(1, 3), n(4));
        assertThat(promoted.effects()).isEmpty();
        assertThat(promoted.receives(ack(1, 3), n(3)).state().commitIndex()).isEqualTo(3);
    }

    @Test
    void a_learner_does_not_campaign() {
        var learner = follower().receives(append(1, START, 2, noOp(1), members(1, nodes(2, 3), nodes(1))), n(2));
        assertThat(learner.timesOut(Timer.ELECTION_TIMEOUT).effects()).containsExactly(lost(), electionTimer());
        assertThat(learner.receives(new TimeoutNow(1), n(2)).effects()).isEmpty();
    }

    // ---- removal ----

    @Test
    void a_removed_member_receives_nothing_and_its_answers_are_ignored() {
        var changed = leader().calls(remove(3));
        var message = append(1, id(1, 1), 1, members(1, nodes(1, 2), NodeSet.NONE));
        assertThat(changed.effects()).containsExactly(send(2, message));
        var answered = changed.syncs(id(2, 1)).receives(new AppendAck(1, 2, 0), n(3));
        assertThat(answered.effects()).isEmpty();
        assertThat(answered.state().commitIndex()).isEqualTo(1);
    }

    @Test
    void a_leader_that_removed_itself_does_not_count_itself() {
        var changed = leader().calls(remove(1)).syncs(id(2, 1));
        assertThat(changed.receives(ack(1, 2), n(2)).effects()).isEmpty();
        assertThat(leading(changed).firstIndex()).isEqualTo(1);
    }

    @Test
    void a_leader_that_removed_itself_accepts_proposals_until_the_change_is_committed() {
        var proposed = leader().calls(remove(1)).calls(propose(9, "a"));
        assertThat(proposed.effects())
                .containsExactly(
                        send(2, append(1, id(2, 1), 1, entry(1, "a"))), send(3, append(1, id(2, 1), 1, entry(1, "a"))));
    }

    @Test
    void a_leader_that_removed_itself_steps_down_once_the_change_is_committed() {
        var changed = leader().calls(remove(1)).receives(ack(1, 2), n(2)).receives(ack(1, 2), n(3));
        assertThat(changed.effects())
                .containsExactly(
                        apply(2, WITHOUT_1),
                        reply(7, new LogReply.Committed(2)),
                        sendAll(nodes(2, 3), new CommitTo(1, 2)),
                        electionTimer(),
                        cancelTimer(Timer.HEARTBEAT),
                        lost());
        assertThat(changed.state().role()).isEqualTo(new Role.Listening());
        assertThat(changed.calls(propose(9, "a")).effects())
                .containsExactly(reply(9, rejected(LogReply.Reason.NOT_LEADER, NodeSet.NONE)));
    }

    @Test
    void a_node_removed_by_an_uncommitted_change_may_still_campaign() {
        assertThat(removed().timesOut(Timer.ELECTION_TIMEOUT).effects())
                .containsExactly(lost(), electionTimer(), sendAll(nodes(2, 3), new PreVote(1, id(2, 1))));
    }

    @Test
    void a_node_removed_by_a_committed_change_does_not_campaign() {
        var gone = removed().receives(new CommitTo(1, 2), n(2));
        assertThat(gone.effects()).containsExactly(apply(1, noOp(1), WITHOUT_1));
        assertThat(gone.timesOut(Timer.ELECTION_TIMEOUT).effects()).containsExactly(lost(), electionTimer());
    }

    @Test
    void a_removed_node_that_campaigns_does_not_disturb_the_others() {
        var asked = leader().receives(new RequestVote(9, id(9, 9), false), n(4));
        assertThat(asked.effects()).isEmpty();
        assertThat(asked.state()).isEqualTo(leader().state());
        assertThat(leader().receives(new PreVote(1, id(9, 1)), n(4)).effects()).isEmpty();
    }

    @Test
    void a_removed_node_campaigns_without_its_own_vote() {
        var candidate = removed().timesOut(Timer.ELECTION_TIMEOUT).receives(new RaftMessage.PreVoteGranted(1), n(2));
        assertThat(candidate.effects()).isEmpty();
        assertThat(candidate.receives(new RaftMessage.PreVoteGranted(1), n(3)).effects())
                .containsExactly(electionTimer(), sendAll(nodes(2, 3), new RequestVote(2, id(2, 1), false)));
    }

    @Test
    void log_and_members_stay_as_they_are_when_a_change_is_rejected() {
        var rejected = leader().calls(add(3));
        assertThat(log(rejected)).containsExactly(noOp(1));
        assertThat(rejected.state()).isEqualTo(leader().state());
    }
}
