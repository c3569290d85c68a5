package habemus.raft;

import static habemus.ProtocolFixture.apply;
import static habemus.ProtocolFixture.elected;
import static habemus.ProtocolFixture.lost;
import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.nodes;
import static habemus.ProtocolFixture.reply;
import static habemus.ProtocolFixture.restarted;
import static habemus.ProtocolFixture.send;
import static habemus.ProtocolFixture.sendAll;
import static habemus.ProtocolFixture.setTimer;
import static habemus.raft.RaftFixture.HEARTBEAT_INTERVAL;
import static habemus.raft.RaftFixture.RAFT;
import static habemus.raft.RaftFixture.START;
import static habemus.raft.RaftFixture.ack;
import static habemus.raft.RaftFixture.append;
import static habemus.raft.RaftFixture.electionTimer;
import static habemus.raft.RaftFixture.entries;
import static habemus.raft.RaftFixture.entry;
import static habemus.raft.RaftFixture.follower;
import static habemus.raft.RaftFixture.followerWith;
import static habemus.raft.RaftFixture.following;
import static habemus.raft.RaftFixture.id;
import static habemus.raft.RaftFixture.leader;
import static habemus.raft.RaftFixture.leaderAfter;
import static habemus.raft.RaftFixture.log;
import static habemus.raft.RaftFixture.mode;
import static habemus.raft.RaftFixture.newLeader;
import static habemus.raft.RaftFixture.noOp;
import static habemus.raft.RaftFixture.progress;
import static habemus.raft.RaftFixture.propose;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.ProtocolFixture;
import habemus.protocol.ByteString;
import habemus.protocol.LogCall;
import habemus.protocol.LogReply;
import habemus.raft.RaftMessage.AppendAck;
import habemus.raft.RaftMessage.AppendEntries;
import habemus.raft.RaftMessage.AppendRejected;
import habemus.raft.RaftMessage.CommitTo;
import habemus.raft.RaftMessage.NewerTerm;
import habemus.raft.RaftState.Mode;
import habemus.raft.RaftState.Timer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules of {@link Replication}, at n1 of three nodes; two entries a message, two messages in flight. */
class ReplicationTest {

    /** The leader of term 6. Its log has the terms 1 1 4 4 5 5 6, and no follower has answered. */
    private static ProtocolFixture<RaftState, RaftMessage> leaderWithHistory() {
        return leaderAfter(5, followerWith(1, 1, 4, 4, 5, 5));
    }

    // ---- the leader ----

    @Test
    void a_new_leader_probes_every_member_with_one_message() {
        assertThat(mode(newLeader(), 2)).isEqualTo(new Mode.Probing(1, true));
        var waiting = newLeader().calls(propose(7, "a"));
        assertThat(waiting.effects()).isEmpty();
        assertThat(log(waiting)).containsExactly(noOp(1), entry(1, "a"));
    }

    @Test
    void a_probe_without_an_answer_is_repeated_by_the_heartbeat() {
        var beat = newLeader().timesOut(Timer.HEARTBEAT);
        var probe = append(1, START, 0, noOp(1));
        assertThat(beat.effects())
                .containsExactly(send(2, probe), send(3, probe), setTimer(Timer.HEARTBEAT, HEARTBEAT_INTERVAL));
    }

    @Test
    void proposals_that_arrive_together_travel_together() {
        var proposed = leader().calls(propose(7, "a", "b"));
        var message = append(1, id(1, 1), 1, entry(1, "a"), entry(1, "b"));
        assertThat(proposed.effects()).containsExactly(send(2, message), send(3, message));
        assertThat(mode(proposed, 2)).isEqualTo(new Mode.Replicating(4, List.of(3L)));
    }

    @Test
    void the_entries_of_a_message_are_limited() {
        var proposed = leader().calls(propose(7, "a", "b", "c"));
        var first = append(1, id(1, 1), 1, entry(1, "a"), entry(1, "b"));
        var second = append(1, id(3, 1), 1, entry(1, "c"));
        assertThat(proposed.effects())
                .containsExactly(send(2, first), send(2, second), send(3, first), send(3, second));
    }

    @Test
    void the_messages_in_flight_are_limited_and_an_acknowledgement_sends_the_next_entries() {
        var full = leader().calls(propose(7, "a")).calls(propose(8, "b")).calls(propose(9, "c"));
        assertThat(full.effects()).isEmpty();
        assertThat(mode(full, 3)).isEqualTo(new Mode.Replicating(4, List.of(2L, 3L)));
        var freed = full.receives(ack(1, 2), n(3));
        assertThat(freed.effects()).containsExactly(send(3, append(1, id(3, 1), 1, entry(1, "c"))));
        assertThat(mode(freed, 3)).isEqualTo(new Mode.Replicating(5, List.of(3L, 4L)));
    }

    @Test
    void a_lagging_follower_is_served_while_proposals_go_on() {
        var lagging = leader().calls(propose(7, "a"))
                .receives(new AppendRejected(1, 1, START, 0), n(3))
                .calls(propose(8, "b"))
                .calls(propose(9, "c"));
        assertThat(mode(lagging, 3)).isEqualTo(new Mode.Replicating(4, List.of(2L, 3L)));
        var stuck = leaderWithHistory()
                .receives(new AppendRejected(6, 6, id(2, 1), 0), n(3))
                .calls(propose(8, "b"));
        assertThat(stuck.effects()).isEmpty();
        assertThat(stuck.receives(ack(6, 4), n(3)).effects())
                .containsExactly(
                        send(3, append(6, id(4, 4), 0, entry(5, "e"), entry(5, "f"))),
                        send(3, append(6, id(6, 5), 0, noOp(6), entry(6, "b"))));
    }

    @Test
    void a_heartbeat_has_no_entries_and_shows_which_message_was_lost() {
        var sent = leader().calls(propose(7, "a")).timesOut(Timer.HEARTBEAT);
        var beat = append(1, id(2, 1), 1);
        assertThat(sent.effects())
                .containsExactly(send(2, beat), send(3, beat), setTimer(Timer.HEARTBEAT, HEARTBEAT_INTERVAL));
        var lost = sent.receives(new AppendRejected(1, 2, id(1, 1), 0), n(3));
        assertThat(lost.effects()).containsExactly(send(3, append(1, id(1, 1), 1, entry(1, "a"))));
        assertThat(mode(lost, 3)).isEqualTo(new Mode.Probing(2, true));
    }

    @Test
    void a_rejection_skips_all_entries_of_terms_that_the_follower_does_not_have() {
        var skipped = leaderWithHistory().receives(new AppendRejected(6, 6, id(6, 3), 0), n(2));
        assertThat(skipped.effects()).containsExactly(send(2, append(6, id(2, 1), 0, entry(4, "c"), entry(4, "d"))));
        assertThat(mode(skipped, 2)).isEqualTo(new Mode.Probing(3, true));
    }

    @Test
    void a_rejection_by_a_shorter_log_continues_at_its_end() {
        var shorter = leaderWithHistory().receives(new AppendRejected(6, 6, id(4, 4), 0), n(2));
        assertThat(shorter.effects()).containsExactly(send(2, append(6, id(4, 4), 0, entry(5, "e"), entry(5, "f"))));
    }

    @Test
    void a_rejection_of_an_older_probe_is_ignored() {
        var probing = leaderWithHistory().receives(new AppendRejected(6, 6, id(4, 4), 0), n(2));
        var again = probing.receives(new AppendRejected(6, 6, id(4, 4), 0), n(2));
        assertThat(again.effects()).isEmpty();
        assertThat(mode(again, 2)).isEqualTo(mode(probing, 2));
    }

    @Test
    void a_rejection_at_an_acknowledged_index_is_ignored() {
        var late = leader().receives(new AppendRejected(1, 1, START, 0), n(2));
        assertThat(late.effects()).isEmpty();
        assertThat(mode(late, 2)).isEqualTo(new Mode.Replicating(2, List.of()));
    }

    @Test
    void what_a_member_acknowledged_never_shrinks() {
        var late = leader().receives(ack(1, 0), n(2));
        assertThat(late.effects()).isEmpty();
        assertThat(progress(late, 2).matchIndex()).isEqualTo(1);
    }

    @Test
    void an_answer_of_a_node_that_is_no_member_is_ignored() {
        var outside = leader().receives(new AppendAck(1, 1, 9), n(9));
        assertThat(outside.effects()).isEmpty();
        assertThat(outside.state()).isEqualTo(leader().state());
    }

    @Test
    void a_leader_never_changes_its_own_entries() {
        var rejected = leaderWithHistory().receives(new AppendRejected(6, 6, START, 0), n(2));
        assertThat(log(rejected)).isEqualTo(log(leaderWithHistory()));
    }

    // ---- the follower ----

    @Test
    void a_follower_appends_behind_a_shared_entry_and_acknowledges_after_the_sync() {
        var appended = followerWith(1).receives(append(1, id(1, 1), 0, entry(1, "b"), entry(1, "c")), n(2));
        assertThat(appended.effects()).containsExactly(electionTimer());
        assertThat(log(appended)).containsExactly(entries(1, 1, 1));
        assertThat(appended.state().durable().syncedIndex()).isEqualTo(1);
        assertThat(appended.syncs(id(3, 1)).effects()).containsExactly(send(2, ack(1, 3)));
    }

    @Test
    void a_sync_of_a_part_acknowledges_that_part() {
        var appended = follower().receives(append(1, START, 0, entries(1, 1)), n(2));
        assertThat(appended.syncs(id(1, 1)).effects()).containsExactly(send(2, ack(1, 1)));
    }

    @Test
    void a_heartbeat_acknowledges_no_entry_that_is_not_synced() {
        var unsynced = follower().receives(append(1, START, 0, entries(1, 1)), n(2));
        assertThat(unsynced.receives(append(1, id(2, 1), 0), n(2)).effects())
                .containsExactly(electionTimer(), send(2, ack(1, 0)));
    }

    @Test
    void acknowledges_only_what_was_compared_with_the_leader() {
        var compared = followerWith(1, 1, 1).receives(append(2, id(1, 1), 0), n(3));
        assertThat(compared.effects()).containsExactly(lost(), electionTimer(), elected(3, 2), send(3, ack(2, 1)));
        assertThat(log(compared)).containsExactly(entries(1, 1, 1));
    }

    @Test
    void a_sync_acknowledges_only_what_was_compared_with_the_leader() {
        var unsynced = follower().receives(append(1, START, 0, entries(1, 1, 1)), n(2));
        var compared = unsynced.receives(append(2, id(1, 1), 0), n(3));
        assertThat(compared.syncs(id(3, 1)).effects()).containsExactly(send(3, ack(2, 1)));
    }

    @Test
    void a_repeated_message_is_acknowledged_at_once() {
        var message = append(1, START, 0, entries(1, 1));
        var again = followerWith(1, 1).receives(message, n(2));
        assertThat(again.effects()).containsExactly(electionTimer(), send(2, ack(1, 2)));
        assertThat(again.state()).isEqualTo(followerWith(1, 1).state());
    }

    @Test
    void an_older_message_that_arrives_late_removes_nothing() {
        var late = followerWith(1, 1, 1).receives(append(1, START, 0, entries(1, 1)), n(2));
        assertThat(late.effects()).containsExactly(electionTimer(), send(2, ack(1, 3)));
        assertThat(log(late)).containsExactly(entries(1, 1, 1));
    }

    @Test
    void a_follower_that_lacks_the_previous_entry_rejects_and_tells_where_its_log_ends() {
        var gap = followerWith(1).receives(append(1, id(3, 1), 0, entry(1, "d")), n(2));
        assertThat(gap.effects()).containsExactly(electionTimer(), send(2, new AppendRejected(1, 3, id(1, 1), 0)));
        assertThat(log(gap)).containsExactly(entries(1));
    }

    @Test
    void a_rejection_skips_all_entries_of_terms_that_the_leader_does_not_have() {
        var conflict = followerWith(1, 2, 2, 2).receives(append(4, id(4, 1), 0, entry(4, "e")), n(3));
        assertThat(conflict.effects())
                .containsExactly(
                        lost(), electionTimer(), elected(3, 4), send(3, new AppendRejected(4, 4, id(1, 1), 0)));
        assertThat(log(conflict)).containsExactly(entries(1, 2, 2, 2));
    }

    @Test
    void a_conflicting_entry_and_all_behind_it_are_replaced() {
        var replaced = followerWith(1, 2, 2, 2).receives(append(3, START, 0, entry(1, "a"), entry(3, "x")), n(3));
        assertThat(replaced.effects()).containsExactly(lost(), electionTimer(), elected(3, 3));
        assertThat(log(replaced)).containsExactly(entry(1, "a"), entry(3, "x"));
        assertThat(replaced.state().durable().syncedIndex()).isEqualTo(1);
    }

    @Test
    void removing_entries_keeps_term_and_vote() {
        var replaced = followerWith(1, 2, 2).receives(append(5, START, 0, entry(1, "x")), n(3));
        assertThat(replaced.state().term()).isEqualTo(5);
        var shorter = followerWith(1, 2, 2)
                .receives(new NewerTerm(7), n(3))
                .receives(append(7, id(1, 1), 0, entry(3, "x")), n(3));
        assertThat(RAFT.durableState(shorter.state()).term()).isEqualTo(7);
    }

    @Test
    void a_sync_of_replaced_entries_acknowledges_nothing() {
        var unsynced = follower().receives(append(1, START, 0, entries(1, 1)), n(2));
        var replaced = unsynced.receives(append(2, START, 0, entry(2, "x"), entry(2, "y")), n(3));
        assertThat(replaced.syncs(id(2, 1)).effects()).isEmpty();
        assertThat(replaced.syncs(id(2, 1)).state().durable().syncedIndex()).isZero();
        assertThat(replaced.syncs(id(2, 2)).effects()).containsExactly(send(3, ack(2, 2)));
    }

    @Test
    void a_sync_that_is_reported_late_changes_nothing() {
        var late = followerWith(1, 1).syncs(id(1, 1));
        assertThat(late.effects()).isEmpty();
        assertThat(late.state().durable().syncedIndex()).isEqualTo(2);
    }

    @Test
    void a_previous_entry_inside_the_snapshot_is_shared() {
        var compacted = followerWith(1, 1, 1)
                .receives(new CommitTo(1, 3), n(2))
                .calls(new LogCall.Compact(3, ByteString.ofText("abc")));
        var message = append(1, id(1, 1), 3, entry(1, "b"), entry(1, "c"), entry(1, "d"));
        var appended = compacted.receives(message, n(2));
        assertThat(appended.effects()).containsExactly(electionTimer());
        assertThat(log(appended)).containsExactly(entry(1, "d"));
        assertThat(appended.syncs(id(4, 1)).effects()).containsExactly(send(2, ack(1, 4)));
    }

    @Test
    void a_message_that_ends_inside_the_snapshot_acknowledges_all_committed_entries() {
        var compacted = followerWith(1, 1, 1)
                .receives(new CommitTo(1, 3), n(2))
                .calls(new LogCall.Compact(3, ByteString.ofText("abc")));
        assertThat(compacted.receives(append(1, START, 0, entries(1)), n(2)).effects())
                .containsExactly(electionTimer(), send(2, ack(1, 3)));
    }

    @Test
    void a_crash_may_take_entries_that_are_not_synced_and_no_others() {
        var unsynced = followerWith(1).receives(append(1, id(1, 1), 0, entry(1, "b"), entry(1, "c")), n(2));
        var disk = RAFT.withoutTail(RAFT.durableState(unsynced.state()), 2);
        var back = restarted(1, 3, RAFT, disk);
        assertThat(back.effects()).containsExactly(electionTimer());
        assertThat(log(back)).containsExactly(entries(1, 1));
        assertThat(back.state().durable().syncedIndex()).isEqualTo(2);
        assertThat(back.state().commitIndex()).isZero();
    }

    @Test
    void a_follower_keeps_the_highest_round_that_it_has_seen() {
        var late = follower()
                .receives(new AppendEntries(1, START, List.of(), 0, 5), n(2))
                .receives(new AppendEntries(1, START, List.of(), 0, 4), n(2));
        assertThat(late.effects()).containsExactly(electionTimer(), send(2, new AppendAck(1, 0, 5)));
        assertThat(following(late).round()).isEqualTo(5);
    }

    @Test
    void an_append_with_a_higher_commit_index_also_commits() {
        var committed = followerWith(1, 1).receives(append(1, id(2, 1), 2), n(2));
        assertThat(committed.effects()).containsExactly(electionTimer(), send(2, ack(1, 2)), apply(1, entries(1, 1)));
    }

    @Test
    void a_leader_whose_log_is_acknowledged_by_a_majority_commits_replies_and_tells_the_followers() {
        var committed = leader().calls(propose(7, "a")).syncs(id(2, 1)).receives(ack(1, 2), n(2));
        assertThat(committed.effects())
                .containsExactly(
                        apply(2, entry(1, "a")),
                        reply(7, new LogReply.Committed(2)),
                        sendAll(nodes(2, 3), new CommitTo(1, 2)));
    }
}
