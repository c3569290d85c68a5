package habemus.raft;

import static habemus.ProtocolFixture.apply;
import static habemus.ProtocolFixture.cancelTimer;
import static habemus.ProtocolFixture.lost;
import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.node;
import static habemus.ProtocolFixture.nodes;
import static habemus.ProtocolFixture.reply;
import static habemus.ProtocolFixture.send;
import static habemus.ProtocolFixture.sendAll;
import static habemus.raft.RaftFixture.RAFT;
import static habemus.raft.RaftFixture.ack;
import static habemus.raft.RaftFixture.electionTimer;
import static habemus.raft.RaftFixture.followerWith;
import static habemus.raft.RaftFixture.id;
import static habemus.raft.RaftFixture.leader;
import static habemus.raft.RaftFixture.leaderAfter;
import static habemus.raft.RaftFixture.leading;
import static habemus.raft.RaftFixture.log;
import static habemus.raft.RaftFixture.newLeader;
import static habemus.raft.RaftFixture.noOp;
import static habemus.raft.RaftFixture.propose;
import static habemus.raft.RaftFixture.rejected;
import static habemus.raft.RaftFixture.started;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.ProtocolFixture;
import habemus.protocol.LogCall;
import habemus.protocol.LogReply;
import habemus.protocol.NodeSet;
import habemus.raft.RaftMessage.AppendAck;
import habemus.raft.RaftMessage.AppendEntries;
import habemus.raft.RaftMessage.AppendRejected;
import habemus.raft.RaftMessage.CommitTo;
import habemus.raft.RaftMessage.NewerTerm;
import habemus.raft.RaftState.Timer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules of {@link ReadIndex}, at n1 of three nodes. */
class ReadIndexTest {

    private static final LogCall READ = new LogCall.Read(5);

    private static ProtocolFixture<RaftState, RaftMessage> reading() {
        return leader().calls(READ);
    }

    @Test
    void a_read_starts_a_round_of_heartbeats_and_appends_nothing() {
        var round1 = new AppendEntries(1, id(1, 1), List.of(), 1, 1);
        assertThat(reading().effects()).containsExactly(send(2, round1), send(3, round1));
        assertThat(log(reading())).containsExactly(noOp(1));
    }

    @Test
    void a_read_is_answered_once_a_majority_has_acknowledged_its_round() {
        var answered = reading().receives(new AppendAck(1, 1, 1), n(3));
        assertThat(answered.effects()).containsExactly(reply(5, new LogReply.ReadAt(1)));
        assertThat(leading(answered).reads()).isEmpty();
        assertThat(answered.receives(new AppendAck(1, 1, 1), n(2)).effects()).isEmpty();
    }

    @Test
    void an_answer_to_a_message_from_before_the_read_does_not_acknowledge_it() {
        var early = reading().receives(ack(1, 1), n(2)).receives(ack(1, 1), n(3));
        assertThat(early.effects()).isEmpty();
        assertThat(leading(early).reads()).hasSize(1);
    }

    @Test
    void an_answer_of_an_older_term_does_not_acknowledge_a_read() {
        var leader = leaderAfter(1, started().receives(new NewerTerm(1), n(3)))
                .syncs(id(1, 2))
                .receives(ack(2, 1), n(2))
                .calls(READ);
        for (RaftMessage late : List.of(new AppendAck(1, 1, 1), new AppendRejected(1, 0, id(0, 0), 1))) {
            assertThat(leader.receives(late, n(2)).effects()).isEmpty();
            assertThat(leader.receives(late, n(2)).state()).isEqualTo(leader.state());
        }
    }

    @Test
    void a_rejection_in_the_term_of_the_leader_acknowledges_a_read() {
        var rejecting = reading().receives(new AppendRejected(1, 1, id(0, 0), 1), n(3));
        assertThat(rejecting.effects()).containsExactly(reply(5, new LogReply.ReadAt(1)));
    }

    @Test
    void a_new_leader_answers_no_read_before_it_has_committed_an_entry_of_its_term() {
        var reading = newLeader().syncs(id(1, 1)).calls(READ);
        var acknowledged = reading.receives(new AppendAck(1, 0, 1), n(2));
        assertThat(acknowledged.effects()).noneMatch(effect -> effect.equals(reply(5, new LogReply.ReadAt(0))));
        assertThat(leading(acknowledged).reads()).hasSize(1);
        assertThat(acknowledged.receives(new AppendAck(1, 1, 1), n(3)).effects())
                .containsExactly(
                        apply(1, noOp(1)), sendAll(nodes(2, 3), new CommitTo(1, 1)), reply(5, new LogReply.ReadAt(1)));
    }

    @Test
    void a_read_does_not_wait_for_proposals_that_are_not_committed() {
        var reading = leader().calls(propose(7, "a")).calls(READ);
        assertThat(reading.receives(new AppendAck(1, 1, 1), n(2)).effects())
                .containsExactly(reply(5, new LogReply.ReadAt(1)));
    }

    @Test
    void a_later_round_acknowledges_all_earlier_reads() {
        var two = reading().calls(new LogCall.Read(6)).receives(new AppendAck(1, 1, 2), n(2));
        assertThat(two.effects()).containsExactly(reply(5, new LogReply.ReadAt(1)), reply(6, new LogReply.ReadAt(1)));
        var first = reading().calls(new LogCall.Read(6)).receives(new AppendAck(1, 1, 1), n(2));
        assertThat(first.effects()).containsExactly(reply(5, new LogReply.ReadAt(1)));
    }

    @Test
    void a_learner_does_not_acknowledge_a_read() {
        var withLearner = leader().calls(new LogCall.ChangeMembers(4, new LogCall.AddLearner(n(4))))
                .calls(READ)
                .receives(new AppendAck(1, 1, 1), n(4));
        assertThat(leading(withLearner).reads()).hasSize(1);
    }

    @Test
    void a_single_voter_answers_at_once() {
        var alone = node(1, 1, RAFT).timesOut(Timer.ELECTION_TIMEOUT).syncs(id(1, 1));
        assertThat(alone.effects()).containsExactly(apply(1, noOp(1)));
        assertThat(alone.calls(READ).effects()).containsExactly(reply(5, new LogReply.ReadAt(1)));
    }

    @Test
    void a_node_that_does_not_lead_rejects_reads_and_names_the_leader() {
        assertThat(followerWith(1).calls(READ).effects())
                .containsExactly(reply(5, rejected(LogReply.Reason.NOT_LEADER, nodes(2))));
    }

    @Test
    void a_leader_that_steps_down_rejects_its_open_reads() {
        var deposed = reading().receives(new NewerTerm(2), n(3));
        assertThat(deposed.effects())
                .containsExactly(
                        electionTimer(),
                        reply(5, rejected(LogReply.Reason.NOT_LEADER, NodeSet.NONE)),
                        cancelTimer(Timer.HEARTBEAT),
                        lost());
    }
}
