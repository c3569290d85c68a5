package habemus.raft;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.ByteString;
import habemus.protocol.EntryId;
import habemus.protocol.LogCall;
import habemus.protocol.LogReply;
import habemus.raft.RaftMessage.AppendAck;
import habemus.raft.RaftMessage.AppendEntries;
import habemus.raft.RaftMessage.AppendRejected;
import habemus.raft.RaftMessage.InstallSnapshot;
import habemus.raft.RaftMessage.RequestVote;
import habemus.raft.RaftState.Mode;
import habemus.raft.RaftState.Role;
import org.junit.jupiter.api.Test;

/**
 * Conversations that etcd's raft records in its folder {@code testdata}, held with {@link Raft}. Each test names its
 * record, and says where the outcome differs. Logs begin at index 1 here; etcd's records begin at a snapshot.
 */
class EtcdConversationsTest {

    private static final Raft.Flow ONE_ENTRY_EACH = new Raft.Flow(1, 3, 64);

    /** {@code campaign}: the first node to time out leads term 1, and its no-op is committed everywhere. */
    @Test
    void a_candidate_with_all_votes_leads_and_commits_its_no_op() {
        var cluster = RaftCluster.of(3);

        cluster.campaign(1);
        assertThat(cluster.inFlight(RequestVote.class)).hasSize(2);
        cluster.deliverAll();

        assertThat(cluster.leaders()).containsExactly(1);
        for (int node = 1; node <= 3; node++) {
            assertThat(cluster.terms(node)).containsExactly(1L);
            assertThat(cluster.state(node).commitIndex()).isEqualTo(1);
            assertThat(cluster.state(node).durable().vote()).isEqualTo(RaftCluster.nodes(1));
        }
    }

    /** {@code single_node}: the only voter leads and commits without a message. */
    @Test
    void a_single_voter_leads_and_commits_alone() {
        var cluster = RaftCluster.of(1);

        cluster.campaign(1);

        assertThat(cluster.leaders()).containsExactly(1);
        assertThat(cluster.state(1).commitIndex()).isEqualTo(1);
        assertThat(cluster.inFlight()).isEmpty();
    }

    /**
     * {@code campaign_learner_must_vote}: a node that does not know yet that it is a voter grants its vote. The voters
     * that know of the promotion need it.
     */
    @Test
    void a_voter_that_still_believes_to_be_a_learner_votes() {
        var cluster = RaftCluster.of(3).withVoters(1, 2);
        cluster.campaign(1);
        cluster.deliverAll();
        cluster.call(1, new LogCall.ChangeMembers(1, new LogCall.AddLearner(RaftCluster.node(3))));
        cluster.deliverAll();
        cluster.call(1, new LogCall.ChangeMembers(2, new LogCall.Promote(RaftCluster.node(3))));
        cluster.deliverTo(1, 2);
        cluster.dropTo(3);
        assertThat(cluster.state(2).commitIndex()).isEqualTo(3);
        assertThat(cluster.state(3).isVoter()).isFalse();

        cluster.campaign(2);
        cluster.dropTo(1);
        cluster.deliverTo(2, 3);

        assertThat(cluster.state(3).durable().vote()).isEqualTo(RaftCluster.nodes(2));
        assertThat(cluster.state(2).leader()).isEqualTo(RaftCluster.nodes(2));
        assertThat(cluster.state(3).isVoter()).isTrue();
        assertThat(cluster.terms(3)).containsExactly(1L, 1L, 1L, 2L);
        assertThat(cluster.state(3).commitIndex()).isEqualTo(4);
    }

    /**
     * {@code checkquorum}: a node that hears a leader ignores candidates. A leader that hears no majority for a whole
     * election timeout steps down, and learns the higher term from the answer to a late heartbeat.
     */
    @Test
    void a_leader_without_a_majority_steps_down_and_a_new_one_is_elected() {
        var cluster = RaftCluster.of(3).withCheckQuorum();
        cluster.campaign(1);
        cluster.deliverAll();

        cluster.campaign(2);
        cluster.deliverAll();
        assertThat(cluster.state(2).role()).isInstanceOf(Role.Candidate.class);
        assertThat(cluster.state(1).term()).isEqualTo(1);
        assertThat(cluster.state(3).term()).isEqualTo(1);

        cluster.heartbeat(1);
        cluster.electionTimeout(1); // the followers were heard before
        assertThat(cluster.leaders()).containsExactly(1);
        cluster.electionTimeout(1);
        assertThat(cluster.leaders()).isEmpty();

        cluster.deliverAll(); // the late heartbeats, and what they cause
        assertThat(cluster.state(1).term()).isEqualTo(2);
        assertThat(cluster.state(3).term()).isEqualTo(1);

        cluster.campaign(2);
        cluster.deliverTo(3);
        assertThat(cluster.state(3).term()).as("it heard the old leader").isEqualTo(1);
        cluster.deliverAll();
        assertThat(cluster.leaders()).containsExactly(2);
        for (int node = 1; node <= 3; node++) {
            assertThat(cluster.terms(node)).containsExactly(1L, 3L);
            assertThat(cluster.state(node).commitIndex()).isEqualTo(2);
        }
    }

    /**
     * {@code prevote}: a node whose log is behind gets no pre-votes, and its term stays.
     *
     * <p>Different: in etcd's record, node 2 then wins pre-votes although all nodes hear the leader. Here a node that
     * hears a leader grants none, with or without check quorum, as section 9.6 of the dissertation says. Node 2 wins as
     * soon as one more node has missed the leader.
     */
    @Test
    void a_node_that_is_behind_gets_no_pre_votes_and_keeps_its_term() {
        var cluster = RaftCluster.of(3).withPreVote();
        cluster.campaign(1);
        cluster.deliverAll();
        cluster.propose(1, "a");
        cluster.deliverTo(1, 2);
        cluster.dropTo(3);

        cluster.campaign(3);
        cluster.deliverAll();
        assertThat(cluster.leaders()).containsExactly(1);
        assertThat(cluster.state(3).role()).isInstanceOf(Role.PreCandidate.class);
        assertThat(cluster.state(3).term()).isEqualTo(1);

        cluster.heartbeat(1);
        cluster.deliverAll();
        assertThat(cluster.state(3).commitIndex()).isEqualTo(2);

        cluster.campaign(2);
        cluster.deliverAll();
        assertThat(cluster.leaders()).as("node 3 hears the leader").containsExactly(1);

        cluster.campaign(3);
        cluster.deliverAll();
        assertThat(cluster.leaders()).as("node 2 had missed it too").containsExactly(3);
        assertThat(cluster.state(3).term()).isEqualTo(2);
    }

    /** {@code prevote_checkquorum}: a majority that misses the leader elects another one, without its vote. */
    @Test
    void a_majority_that_misses_the_leader_elects_another_one() {
        var cluster = RaftCluster.of(3).withPreVote().withCheckQuorum();
        cluster.campaign(1);
        cluster.deliverAll();

        cluster.campaign(2);
        cluster.deliverAll();
        assertThat(cluster.leaders()).containsExactly(1);
        assertThat(cluster.state(2).term()).isEqualTo(1);

        cluster.campaign(3);
        cluster.deliverTo(1);
        assertThat(cluster.state(1).leader()).as("no vote of the leader").isEqualTo(RaftCluster.nodes(1));
        cluster.deliverAll();

        assertThat(cluster.leaders()).containsExactly(3);
        for (int node = 1; node <= 3; node++) {
            assertThat(cluster.terms(node)).containsExactly(1L, 2L);
            assertThat(cluster.state(node).commitIndex()).isEqualTo(2);
        }
    }

    /**
     * {@code confchange_v1_remove_leader}, {@code confchange_v1_remove_leader_stepdown}: a leader that removes itself
     * does not count itself, replicates until the removal is committed, and rejects proposals afterwards.
     *
     * <p>Different: etcd changes the members when the entry is applied, so its leader still counts itself for the
     * removal. Here the entry is in force once it is in the log. Both other nodes must acknowledge the removal. etcd's
     * leader steps down only if an option asks for it; here it always does.
     */
    @Test
    void a_leader_that_removes_itself_does_not_count_itself_and_steps_down() {
        var cluster = RaftCluster.of(3).withFlow(new Raft.Flow(1, 8, 64));
        cluster.campaign(1);
        cluster.deliverAll();

        cluster.call(1, new LogCall.ChangeMembers(1, new LogCall.Remove(RaftCluster.node(1))));
        cluster.propose(1, "foo");
        cluster.deliverTo(1, 2);
        assertThat(cluster.terms(2)).hasSize(3);
        assertThat(cluster.state(1).commitIndex())
                .as("nodes 2 and 3 are the majority")
                .isEqualTo(1);
        assertThat(cluster.leaders()).containsExactly(1);

        cluster.deliverAll();

        assertThat(cluster.leaders()).isEmpty();
        assertThat(cluster.state(1).isVoter()).isFalse();
        assertThat(cluster.reply(1)).isEqualTo(new LogReply.Committed(2));
        cluster.propose(1, "bar");
        assertThat(cluster.lastReply())
                .isInstanceOfSatisfying(
                        LogReply.Rejected.class,
                        rejected -> assertThat(rejected.reason()).isEqualTo(LogReply.Reason.NOT_LEADER));

        cluster.campaign(2);
        cluster.deliverAll();
        assertThat(cluster.leaders()).containsExactly(2);
        assertThat(cluster.terms(3)).containsExactly(1L, 1L, 1L, 2L);
        assertThat(cluster.state(3).commitIndex()).isEqualTo(4);
    }

    /**
     * {@code snapshot_succeed_via_app_resp}: a node with an empty log receives the snapshot of the leader's last entry.
     * Its acknowledgement alone returns it to replication.
     */
    @Test
    void the_acknowledgement_of_a_snapshot_ends_the_installation() {
        var cluster = RaftCluster.of(3);
        cluster.campaign(1);
        cluster.deliverTo(1, 2);
        cluster.dropTo(3);
        cluster.call(1, new LogCall.Compact(1, ByteString.ofText("one")));

        cluster.heartbeat(1);
        assertThat(cluster.inFlight(InstallSnapshot.class)).hasSize(1);
        assertThat(cluster.mode(1, 3)).isInstanceOf(Mode.Installing.class);
        cluster.deliverTo(3);

        assertThat(cluster.state(3).log().base()).isEqualTo(new EntryId(1, 1));
        assertThat(cluster.state(3).commitIndex()).isEqualTo(1);
        cluster.deliverTo(1);
        assertThat(cluster.mode(1, 3)).isEqualTo(RaftCluster.replicatingFrom(2));
        assertThat(cluster.matchIndex(1, 3)).isEqualTo(1);
    }

    /** {@code slow_follower_after_compaction}: entries that were lost are compacted; a snapshot replaces them. */
    @Test
    void a_follower_that_lags_behind_the_compacted_log_receives_the_snapshot() {
        var cluster = RaftCluster.of(3).withFlow(new Raft.Flow(1, 2, 64));
        cluster.campaign(1);
        cluster.deliverAll();
        for (var command : "b c d e".split(" ", -1)) {
            cluster.propose(1, command);
        }
        cluster.deliverTo(1, 2);
        assertThat(cluster.state(1).commitIndex()).isEqualTo(5);
        assertThat(cluster.mode(1, 3)).isEqualTo(RaftCluster.replicatingFrom(4, 2L, 3L));
        cluster.dropTo(3);
        cluster.call(1, new LogCall.Compact(4, ByteString.ofText("bcd")));

        cluster.heartbeat(1);
        cluster.deliverAll();

        for (int node = 2; node <= 3; node++) {
            assertThat(cluster.matchIndex(1, node)).isEqualTo(5);
            assertThat(cluster.mode(1, node)).isEqualTo(RaftCluster.replicatingFrom(6));
            assertThat(cluster.state(node).commitIndex()).isEqualTo(5);
        }
        assertThat(cluster.state(3).log().baseIndex()).isEqualTo(4);
    }

    /**
     * {@code probe_and_replicate}: figure 7 of the Raft paper. The leader of term 8 wins the votes of nodes 2, 3, 6
     * and 7. Every follower whose log differs rejects exactly one append, and all logs become equal.
     */
    @Test
    void the_leader_of_figure_7_repairs_every_log_after_one_rejection() {
        var cluster = RaftCluster.withLogs(
                7,
                "1 1 1 4 4 5 5 6 6 6",
                "1 1 1 4 4 5 5 6 6",
                "1 1 1 4",
                "1 1 1 4 4 5 5 6 6 6 6",
                "1 1 1 4 4 5 5 6 6 6 7 7",
                "1 1 1 4 4 4 4",
                "1 1 1 2 2 2 3 3 3 3 3");

        cluster.campaign(1);
        cluster.deliverTo(2, 3, 4, 5, 6, 7);
        for (int node = 2; node <= 7; node++) {
            var votes = cluster.state(node).durable().vote();
            assertThat(votes.isEmpty()).as("node " + node).isEqualTo(node == 4 || node == 5);
        }
        cluster.deliverAll();

        assertThat(cluster.leaders()).containsExactly(1);
        for (int node = 1; node <= 7; node++) {
            assertThat(cluster.terms(node)).containsExactly(1L, 1L, 1L, 4L, 4L, 5L, 5L, 6L, 6L, 6L, 8L);
            assertThat(cluster.state(node).commitIndex()).isEqualTo(11);
        }
        assertThat(cluster.delivered(AppendRejected.class))
                .extracting(message -> message.from().number())
                .containsExactlyInAnyOrder(2, 3, 6, 7);
    }

    /**
     * {@code heartbeat_resp_recovers_from_probing}: a follower that has everything does not stay in probing. The next
     * heartbeat finds out.
     */
    @Test
    void a_heartbeat_ends_the_probing_of_a_follower_that_has_everything() {
        var cluster = RaftCluster.of(3);
        cluster.campaign(1);
        cluster.deliverTo(2, 3);
        cluster.deliverTo(1);
        cluster.deliverTo(2, 3);
        cluster.drop(message ->
                message.payload() instanceof AppendAck && message.from().number() == 2);
        cluster.deliverAll();
        assertThat(cluster.terms(2)).containsExactly(1L);
        assertThat(cluster.mode(1, 2)).isInstanceOf(Mode.Probing.class);
        assertThat(cluster.mode(1, 3)).isEqualTo(RaftCluster.replicatingFrom(2));

        cluster.heartbeat(1);
        cluster.deliverAll();

        assertThat(cluster.mode(1, 2)).isEqualTo(RaftCluster.replicatingFrom(2));
    }

    /**
     * {@code replicate_pause}: the leader stops sending to a follower at the limit of messages in flight. After a
     * heartbeat, the follower shows the gap, and catches up.
     */
    @Test
    void the_leader_pauses_at_the_limit_in_flight_and_recovers_by_heartbeat() {
        var cluster = RaftCluster.of(3).withFlow(ONE_ENTRY_EACH);
        cluster.campaign(1);
        cluster.deliverAll();
        for (var command : "b c d".split(" ", -1)) {
            cluster.propose(1, command);
        }
        assertThat(cluster.mode(1, 2)).isEqualTo(RaftCluster.replicatingFrom(5, 2L, 3L, 4L));
        cluster.deliverTo(1, 2);
        cluster.dropTo(3);

        for (var command : "e f g".split(" ", -1)) {
            cluster.propose(1, command);
        }
        assertThat(cluster.inFlight(AppendEntries.class))
                .extracting(message -> message.to().number())
                .as("nothing more to node 3")
                .containsOnly(2);
        cluster.deliverTo(1, 2);
        cluster.dropTo(3);
        assertThat(cluster.state(2).commitIndex()).isEqualTo(7);
        assertThat(cluster.mode(1, 3)).isEqualTo(RaftCluster.replicatingFrom(5, 2L, 3L, 4L));

        cluster.heartbeat(1);
        cluster.deliverTo(3);
        assertThat(cluster.inFlight(AppendRejected.class)).hasSize(1);
        cluster.deliverAll();

        assertThat(cluster.matchIndex(1, 3)).isEqualTo(7);
        assertThat(cluster.state(3).commitIndex()).isEqualTo(7);
        assertThat(cluster.mode(1, 3)).isEqualTo(RaftCluster.replicatingFrom(8));
    }

    /**
     * {@code lagging_commit}: a follower has the entries, but its acknowledgements and the commit index were lost.
     *
     * <p>Different: etcd cuts the commit index of a heartbeat to what the follower has acknowledged, and needs one more
     * round trip (etcd-io/raft issue 138). Here a heartbeat names its previous entry. A follower that has that entry
     * commits at once.
     */
    @Test
    void a_heartbeat_brings_the_commit_index_without_another_round_trip() {
        var cluster = RaftCluster.of(3).withFlow(ONE_ENTRY_EACH);
        cluster.campaign(1);
        cluster.deliverAll();
        cluster.propose(1, "b");
        cluster.propose(1, "c");
        cluster.deliverTo(3);
        cluster.dropTo(1);
        cluster.deliverTo(1, 2);
        cluster.dropTo(3);
        assertThat(cluster.state(1).commitIndex()).isEqualTo(3);
        assertThat(cluster.state(3).commitIndex()).isEqualTo(1);
        assertThat(cluster.matchIndex(1, 3)).isEqualTo(1);

        cluster.heartbeat(1);
        cluster.deliverTo(3);

        assertThat(cluster.state(3).commitIndex()).isEqualTo(3);
    }

    /**
     * {@code async_storage_writes}: the leader sends entries while its own disk is busy. A follower acknowledges only
     * what is synced, and a node that has not synced does not count, the leader included.
     */
    @Test
    void an_entry_counts_on_a_node_only_after_its_sync() {
        var cluster = RaftCluster.of(3);
        cluster.campaign(1);
        cluster.deliverAll();
        cluster.holdSyncs();

        cluster.propose(1, "b");
        cluster.deliverAll();
        assertThat(cluster.terms(2)).containsExactly(1L, 1L);
        assertThat(cluster.inFlight(AppendAck.class)).isEmpty();
        assertThat(cluster.state(1).commitIndex()).isEqualTo(1);

        cluster.sync(2, new EntryId(2, 1));
        cluster.deliverAll();
        assertThat(cluster.state(1).commitIndex()).as("only node 2 has synced").isEqualTo(1);

        cluster.sync(3, new EntryId(2, 1));
        cluster.deliverAll();
        assertThat(cluster.state(1).commitIndex())
                .as("two followers are a majority")
                .isEqualTo(2);
        assertThat(cluster.state(1).durable().syncedIndex()).isEqualTo(1);
    }

    /**
     * {@code async_storage_writes_append_aba_race}: a follower replaces entries before they are synced.
     * The sync of a replaced entry acknowledges nothing.
     *
     * <p>Different: etcd also ignores a sync that began in an earlier term of the node. Here the sync names its last
     * entry: see the next test.
     */
    @Test
    void the_sync_of_a_replaced_entry_acknowledges_nothing() {
        var cluster = RaftCluster.of(3);
        cluster.holdSyncs();
        cluster.receive(1, 2, RaftCluster.append(1, 0, 0, 1));
        cluster.receive(1, 3, RaftCluster.append(2, 0, 0, 2));
        assertThat(cluster.terms(1)).containsExactly(2L);

        cluster.sync(1, new EntryId(1, 1));
        assertThat(cluster.inFlight(AppendAck.class)).isEmpty();
        assertThat(cluster.state(1).durable().syncedIndex()).isZero();

        cluster.receive(1, 2, RaftCluster.append(3, 0, 0, 3));
        cluster.sync(1, new EntryId(1, 2));
        assertThat(cluster.inFlight(AppendAck.class)).isEmpty();

        cluster.sync(1, new EntryId(1, 3));
        assertThat(cluster.inFlight(AppendAck.class))
                .extracting(message -> message.payload())
                .containsExactly(new AppendAck(3, 1, 0));
    }

    /**
     * The example that etcd gives for {@code async_storage_writes_append_aba_race}: a later leader brings a replaced
     * entry back, and then the first sync of that entry ends.
     *
     * <p>Different: etcd ignores this sync. Here the follower acknowledges the entry, which its disk may not hold yet.
     * That commits nothing: the entry is of an earlier term than its leader. It is committed with an entry of the
     * leader's term behind it, whose sync covers both.
     */
    @Test
    void a_late_sync_of_an_entry_that_came_back_commits_nothing() {
        var cluster = RaftCluster.withLogs(2, "2", "1", "1");
        cluster.campaign(2);
        cluster.deliverTo(3);
        cluster.holdSyncs();
        cluster.deliverTo(2);
        cluster.sync(2, new EntryId(2, 3));
        cluster.deliverTo(1, 2);
        cluster.dropTo(3);
        assertThat(cluster.leaders()).containsExactly(2);
        assertThat(cluster.terms(1)).containsExactly(1L, 3L);

        cluster.sync(1, new EntryId(1, 1)); // began before entry 1 of term 2 replaced it
        cluster.deliverTo(2);
        assertThat(cluster.matchIndex(2, 1)).isEqualTo(1);
        assertThat(cluster.state(2).commitIndex()).isZero();

        cluster.sync(1, new EntryId(2, 3));
        cluster.deliverTo(2);
        assertThat(cluster.state(2).commitIndex()).isEqualTo(2);
    }
}
