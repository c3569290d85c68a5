package habemus.raft;

import static habemus.ProtocolFixture.apply;
import static habemus.ProtocolFixture.elected;
import static habemus.ProtocolFixture.load;
import static habemus.ProtocolFixture.lost;
import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.nodes;
import static habemus.ProtocolFixture.restarted;
import static habemus.ProtocolFixture.send;
import static habemus.ProtocolFixture.setTimer;
import static habemus.raft.RaftFixture.HEARTBEAT_INTERVAL;
import static habemus.raft.RaftFixture.RAFT;
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
import static habemus.raft.RaftFixture.log;
import static habemus.raft.RaftFixture.mode;
import static habemus.raft.RaftFixture.progress;
import static habemus.raft.RaftFixture.propose;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.ProtocolFixture;
import habemus.protocol.ByteString;
import habemus.protocol.Configuration;
import habemus.protocol.EntryId;
import habemus.protocol.LogCall;
import habemus.protocol.NodeSet;
import habemus.protocol.ProtocolBug;
import habemus.raft.RaftMessage.AppendRejected;
import habemus.raft.RaftMessage.CommitTo;
import habemus.raft.RaftMessage.InstallSnapshot;
import habemus.raft.RaftMessage.SnapshotAck;
import habemus.raft.RaftState.IncomingSnapshot;
import habemus.raft.RaftState.Mode;
import habemus.raft.RaftState.Timer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules of {@link SnapshotTransfer}, at n1 of three nodes; four bytes a chunk. */
class SnapshotTransferTest {

    private static final Configuration MEMBERS = new Configuration(nodes(1, 2, 3), NodeSet.NONE);
    private static final ByteString SNAPSHOT = ByteString.ofText("snapshot!");

    private static LogCall compact(long index) {
        return new LogCall.Compact(index, SNAPSHOT);
    }

    private static InstallSnapshot chunk(long term, EntryId base, long offset, String bytes, boolean isLast) {
        return new InstallSnapshot(term, base, MEMBERS, offset, ByteString.ofText(bytes), isLast, 0);
    }

    private static InstallSnapshot whole(long term, EntryId base) {
        return new InstallSnapshot(term, base, MEMBERS, 0, SNAPSHOT, true, 0);
    }

    /** The leader of term 1 with a snapshot up to index 3; n3 has nothing behind index 1. */
    private static ProtocolFixture<RaftState, RaftMessage> compacted() {
        return leader().calls(propose(7, "a", "b"))
                .syncs(id(3, 1))
                .receives(ack(1, 3), n(2))
                .calls(compact(3));
    }

    /** The leader after n3 has rejected a heartbeat: the first chunk is on its way. */
    private static ProtocolFixture<RaftState, RaftMessage> installing() {
        return compacted().receives(new AppendRejected(1, 3, id(1, 1), 0), n(3));
    }

    // ---- compaction ----

    @Test
    void a_snapshot_and_the_entries_that_it_replaces_change_together() {
        var disk = RAFT.durableState(compacted().state());
        assertThat(compacted().effects()).isEmpty();
        assertThat(disk.snapshot()).isEqualTo(SNAPSHOT);
        assertThat(disk.log().base()).isEqualTo(id(3, 1));
        assertThat(log(compacted())).isEmpty();
    }

    @Test
    void entries_behind_the_snapshot_stay() {
        var kept = followerWith(1, 1, 1).receives(new CommitTo(1, 2), n(2)).calls(compact(2));
        assertThat(log(kept)).containsExactly(entry(1, "c"));
        assertThat(kept.state().log().base()).isEqualTo(id(2, 1));
    }

    @Test
    void an_older_snapshot_replaces_nothing() {
        var older = compacted().calls(new LogCall.Compact(2, ByteString.ofText("old")));
        assertThat(older.effects()).isEmpty();
        assertThat(older.state()).isEqualTo(compacted().state());
    }

    @Test
    void a_snapshot_of_entries_that_are_not_applied_is_a_bug() {
        assertThatThrownBy(() -> followerWith(1, 1).calls(compact(1)))
                .isInstanceOf(ProtocolBug.class)
                .hasMessageContaining("a snapshot of entries that are not applied");
    }

    @Test
    void a_restarted_node_loads_its_snapshot_and_applies_only_entries_behind_it() {
        var kept = followerWith(1, 1, 1).receives(new CommitTo(1, 3), n(2)).calls(compact(2));
        var back = restarted(1, 3, RAFT, RAFT.durableState(kept.state()));
        assertThat(back.effects()).containsExactly(electionTimer(), load(2, SNAPSHOT));
        assertThat(back.state().commitIndex()).isEqualTo(2);
        assertThat(back.receives(append(1, id(3, 1), 3), n(2)).effects())
                .containsExactly(electionTimer(), elected(2, 1), send(2, ack(1, 3)), apply(3, entry(1, "c")));
    }

    // ---- the leader ----

    @Test
    void a_member_that_lacks_compacted_entries_gets_the_first_chunk() {
        assertThat(installing().effects()).containsExactly(send(3, chunk(1, id(3, 1), 0, "snap", false)));
        assertThat(mode(installing(), 3)).isEqualTo(new Mode.Installing(id(3, 1), 0));
    }

    @Test
    void an_acknowledged_chunk_is_followed_by_the_next_one() {
        var second = installing().receives(new SnapshotAck(1, id(3, 1), 4, 0), n(3));
        assertThat(second.effects()).containsExactly(send(3, chunk(1, id(3, 1), 4, "shot", false)));
        var last = second.receives(new SnapshotAck(1, id(3, 1), 8, 0), n(3));
        assertThat(last.effects()).containsExactly(send(3, chunk(1, id(3, 1), 8, "!", true)));
    }

    @Test
    void a_chunk_without_an_answer_is_repeated_by_the_heartbeat() {
        var beat =
                installing().receives(new SnapshotAck(1, id(3, 1), 4, 0), n(3)).timesOut(Timer.HEARTBEAT);
        assertThat(beat.effects())
                .containsExactly(
                        send(2, append(1, id(3, 1), 3)),
                        send(3, chunk(1, id(3, 1), 4, "shot", false)),
                        setTimer(Timer.HEARTBEAT, HEARTBEAT_INTERVAL));
    }

    @Test
    void a_member_that_lost_its_chunks_gets_them_again_with_the_heartbeat() {
        var lost = installing()
                .receives(new SnapshotAck(1, id(3, 1), 8, 0), n(3))
                .receives(new SnapshotAck(1, id(3, 1), 0, 0), n(3));
        assertThat(lost.effects()).isEmpty();
        assertThat(lost.timesOut(Timer.HEARTBEAT).effects()).contains(send(3, chunk(1, id(3, 1), 0, "snap", false)));
    }

    @Test
    void a_newer_snapshot_is_sent_from_its_first_chunk() {
        var newer = installing()
                .calls(propose(9, "c"))
                .syncs(id(4, 1))
                .receives(ack(1, 4), n(2))
                .calls(new LogCall.Compact(4, ByteString.ofText("newer one")))
                .receives(new SnapshotAck(1, id(3, 1), 4, 0), n(3));
        assertThat(newer.effects()).containsExactly(send(3, chunk(1, id(4, 1), 0, "newe", false)));
        assertThat(mode(newer, 3)).isEqualTo(new Mode.Installing(id(4, 1), 0));
    }

    @Test
    void an_acknowledgement_of_another_snapshot_is_ignored() {
        var other = installing().receives(new SnapshotAck(1, id(2, 1), 4, 0), n(3));
        assertThat(other.effects()).isEmpty();
        assertThat(mode(other, 3)).isEqualTo(new Mode.Installing(id(3, 1), 0));
    }

    @Test
    void a_proposal_does_not_interrupt_an_installation() {
        var proposed = installing().calls(propose(9, "c"));
        assertThat(proposed.effects()).containsExactly(send(2, append(1, id(3, 1), 3, entry(1, "c"))));
    }

    @Test
    void an_installed_snapshot_is_followed_by_the_entries_behind_it() {
        var done = installing().calls(propose(9, "c")).receives(ack(1, 3), n(3));
        assertThat(done.effects()).containsExactly(send(3, append(1, id(3, 1), 3, entry(1, "c"))));
        assertThat(progress(done, 3).matchIndex()).isEqualTo(3);
        assertThat(mode(done, 3)).isEqualTo(new Mode.Replicating(5, List.of(4L)));
    }

    @Test
    void a_late_acknowledgement_does_not_end_an_installation() {
        var late = installing().receives(ack(1, 1), n(3));
        assertThat(late.effects()).isEmpty();
        assertThat(mode(late, 3)).isEqualTo(new Mode.Installing(id(3, 1), 0));
    }

    // ---- the follower ----

    @Test
    void a_follower_collects_chunks_in_order_and_tells_how_many_bytes_it_has() {
        var first = follower().receives(chunk(1, id(3, 1), 0, "snap", false), n(2));
        assertThat(first.effects()).containsExactly(electionTimer(), send(2, new SnapshotAck(1, id(3, 1), 4, 0)));
        assertThat(following(first).incoming()).isEqualTo(new IncomingSnapshot(id(3, 1), ByteString.ofText("snap")));
        var second = first.receives(chunk(1, id(3, 1), 4, "shot", false), n(2));
        assertThat(second.effects()).containsExactly(electionTimer(), send(2, new SnapshotAck(1, id(3, 1), 8, 0)));
        var last = second.receives(chunk(1, id(3, 1), 8, "!", true), n(2));
        assertThat(last.effects()).containsExactly(electionTimer(), load(3, SNAPSHOT), send(2, ack(1, 3)));
        assertThat(following(last).incoming()).isEqualTo(IncomingSnapshot.NONE);
    }

    @Test
    void a_chunk_that_does_not_continue_is_dropped() {
        var first = follower().receives(chunk(1, id(3, 1), 0, "snap", false), n(2));
        for (var chunk : List.of(chunk(1, id(3, 1), 0, "snap", false), chunk(1, id(3, 1), 8, "!", true))) {
            assertThat(first.receives(chunk, n(2)).effects())
                    .containsExactly(electionTimer(), send(2, new SnapshotAck(1, id(3, 1), 4, 0)));
            assertThat(first.receives(chunk, n(2)).state()).isEqualTo(first.state());
        }
    }

    @Test
    void a_chunk_of_another_snapshot_begins_again() {
        var other = follower()
                .receives(chunk(1, id(3, 1), 0, "snap", false), n(2))
                .receives(chunk(1, id(4, 1), 0, "newe", false), n(2));
        assertThat(other.effects()).containsExactly(electionTimer(), send(2, new SnapshotAck(1, id(4, 1), 4, 0)));
        assertThat(following(other).incoming()).isEqualTo(new IncomingSnapshot(id(4, 1), ByteString.ofText("newe")));
    }

    @Test
    void chunks_of_an_earlier_leader_are_forgotten() {
        var other = follower()
                .receives(chunk(1, id(3, 1), 0, "snap", false), n(2))
                .receives(chunk(2, id(3, 1), 4, "shot", false), n(3));
        assertThat(other.effects())
                .containsExactly(lost(), electionTimer(), elected(3, 2), send(3, new SnapshotAck(2, id(3, 1), 0, 0)));
    }

    @Test
    void an_installed_snapshot_replaces_a_log_that_does_not_contain_its_last_entry() {
        var installed = followerWith(1, 1, 1).receives(whole(2, id(2, 2)), n(3));
        assertThat(installed.effects())
                .containsExactly(lost(), electionTimer(), elected(3, 2), load(2, SNAPSHOT), send(3, ack(2, 2)));
        assertThat(log(installed)).isEmpty();
        var disk = RAFT.durableState(installed.state());
        assertThat(disk.log().base()).isEqualTo(id(2, 2));
        assertThat(disk.snapshot()).isEqualTo(SNAPSHOT);
        assertThat(disk.syncedIndex()).isEqualTo(2);
        assertThat(installed.state().commitIndex()).isEqualTo(2);
    }

    @Test
    void keeps_the_tail_behind_an_installed_snapshot() {
        var installed = followerWith(1, 1, 1).receives(whole(1, id(2, 1)), n(2));
        assertThat(installed.effects()).containsExactly(electionTimer(), load(2, SNAPSHOT), send(2, ack(1, 3)));
        assertThat(log(installed)).containsExactly(entry(1, "c"));
        assertThat(installed.state().durable().syncedIndex()).isEqualTo(3);
    }

    @Test
    void an_installed_snapshot_acknowledges_no_entry_behind_it_that_was_not_compared() {
        var installed = followerWith(1, 1, 1).receives(whole(2, id(2, 1)), n(3));
        assertThat(installed.effects())
                .containsExactly(lost(), electionTimer(), elected(3, 2), load(2, SNAPSHOT), send(3, ack(2, 2)));
        assertThat(log(installed)).containsExactly(entry(1, "c"));
    }

    @Test
    void a_snapshot_that_is_older_than_the_applied_entries_is_not_installed() {
        var committed = followerWith(1, 1, 1).receives(new CommitTo(1, 3), n(2));
        var offered = committed.receives(whole(1, id(2, 1)), n(2));
        assertThat(offered.effects()).containsExactly(electionTimer(), send(2, ack(1, 3)));
        assertThat(log(offered)).containsExactly(entries(1, 1, 1));
        assertThat(offered.state().durable().snapshot()).isEqualTo(ByteString.EMPTY);
    }

    @Test
    void a_repeated_last_chunk_loads_nothing_again() {
        var installed = follower().receives(whole(1, id(3, 1)), n(2));
        assertThat(installed.receives(whole(1, id(3, 1)), n(2)).effects())
                .containsExactly(electionTimer(), send(2, ack(1, 3)));
    }

    @Test
    void an_installed_snapshot_brings_its_configuration() {
        var members = new Configuration(nodes(1, 2, 3, 4), nodes(5));
        var installed = follower().receives(new InstallSnapshot(1, id(3, 1), members, 0, SNAPSHOT, true, 0), n(2));
        assertThat(installed.state().configuration()).isEqualTo(members);
        var back = restarted(1, 3, RAFT, RAFT.durableState(installed.state()));
        assertThat(back.state().configuration()).isEqualTo(members);
    }

    @Test
    void entries_behind_an_installed_snapshot_are_applied_once() {
        var installed = follower().receives(whole(1, id(3, 1)), n(2));
        assertThat(installed
                        .receives(append(1, id(3, 1), 4, entry(1, "c")), n(2))
                        .effects())
                .containsExactly(electionTimer(), apply(4, entry(1, "c")));
    }
}
