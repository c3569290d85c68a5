package habemus.service.raft;

import static habemus.service.raft.RaftNodeFixture.MEMBERS;
import static habemus.service.raft.RaftNodeFixture.N1;
import static habemus.service.raft.RaftNodeFixture.N2;
import static habemus.service.raft.RaftNodeFixture.N3;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.EmptyMessage;
import org.jgroups.Message;
import org.jgroups.ObjectMessage;
import org.jgroups.protocols.raft.AppendEntriesRequest;
import org.jgroups.protocols.raft.AppendResult;
import org.jgroups.protocols.raft.LogEntries;
import org.jgroups.protocols.raft.LogEntry;
import org.jgroups.protocols.raft.RaftHeader;
import org.jgroups.protocols.raft.election.LeaderElected;
import org.jgroups.protocols.raft.election.VoteRequest;
import org.jgroups.protocols.raft.election.VoteResponse;
import org.jgroups.stack.Protocol;
import org.jgroups.util.MessageBatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules of Raft that jgroups-raft does not follow by itself. Each test fails without its correction. */
class RaftRulesTest {

    private static final short ELECTION = 520;

    @TempDir
    private Path folder;

    private RaftNodeFixture node;

    @BeforeEach
    void start() throws Exception {
        node = new RaftNodeFixture(folder);
    }

    @AfterEach
    void stop() throws Exception {
        node.close();
    }

    // followers

    /** The node has three entries of the leader of term 1; the leader of term 2 has only the first of them. */
    private void followNewLeaderWithConflictingEntries() {
        node.followingN2(1).receiveAppend(N2, 0, 0, 0, 1, 1, 1);
        node.raft.setLeaderAndTerm(N3, 2);
    }

    @Test
    void a_follower_acknowledges_only_matched_entries() {
        followNewLeaderWithConflictingEntries();
        var result = node.receiveAppend(N3, 0, 0, 0);
        assertThat(result.success() && result.index() > 0).as(result.toString()).isFalse();
        result = node.receiveAppend(N3, 0, 0, 0, 1);
        assertThat(result.success()).isTrue();
        assertThat(result.index()).isEqualTo(1);
    }

    @Test
    void a_follower_commits_only_matched_entries() {
        followNewLeaderWithConflictingEntries();
        node.receiveAppend(N3, 0, 0, 3);
        assertThat(node.applied).isEmpty();
        node.receiveAppend(N3, 0, 0, 3, 1);
        assertThat(node.applied).containsExactly("1:1");
        node.receiveAppend(N3, 1, 1, 3, 2, 2);
        assertThat(node.applied).containsExactly("1:1", "2:2", "3:2");
        assertThat(node.terms()).containsExactly(1L, 2L, 2L);
    }

    @Test
    void entries_matched_in_an_earlier_term_are_matched_again() {
        node.followingN2(1).receiveAppend(N2, 0, 0, 0, 1, 1, 1);
        assertThat(node.receiveAppend(N2, 0, 0, 0).index()).isEqualTo(3);
        node.raft.setLeaderAndTerm(N3, 2);
        node.receiveAppend(N3, 0, 0, 3);
        assertThat(node.applied).isEmpty();
    }

    @Test
    void a_node_fails_if_the_leader_lacks_a_committed_entry() {
        node.followingN2(1).receiveAppend(N2, 0, 0, 3, 1, 1, 1);
        node.raft.setLeaderAndTerm(N3, 2);
        assertThat(node.receiveAppend(N3, 3, 1, 3, 2).success()).isTrue();
        assertThat(node.failures).isEmpty();
        assertThat(node.receiveAppend(N3, 2, 2, 3, 2, 2).success()).isFalse();
        assertThat(node.failures).singleElement().isInstanceOf(LogDivergedException.class);
    }

    @Test
    void duplicate_entries_delete_nothing() {
        node.followingN2(1).receiveAppend(N2, 0, 0, 0, 1, 1, 1);
        var result = node.receiveAppend(N2, 0, 0, 0, 1);
        assertThat(result.index()).isEqualTo(3);
        assertThat(node.terms()).hasSize(3);
    }

    @Test
    void a_conflicting_entry_and_all_after_it_are_deleted() {
        followNewLeaderWithConflictingEntries();
        assertThat(node.receiveAppend(N3, 2, 2, 0, 2).success()).isFalse();
        node.receiveAppend(N3, 0, 0, 0, 1, 2);
        assertThat(node.terms()).containsExactly(1L, 2L);
    }

    @Test
    void an_old_snapshot_does_not_replace_newer_state() throws Exception {
        node.followingN2(1).receiveAppend(N2, 0, 0, 2, 1, 1);
        node.raft.takeSnapshot();
        var snapshot = node.storage.getSnapshot();
        var bytes = new byte[snapshot.remaining()];
        snapshot.get(bytes);
        var late = new BytesMessage(N1, bytes).setSrc(N2);
        node.receiveAppend(N2, 2, 1, 3, 1, 1);
        node.raft.impl().handleInstallSnapshotRequest(late, N2, 2, 1);
        assertThat(node.restored).isEmpty();
        assertThat(node.raft.commitIndex()).isEqualTo(3);
        assertThat(node.raft.lastAppended()).isEqualTo(4);
    }

    /** The node has all entries of the snapshot, but does not know yet that they are committed. */
    @Test
    void a_snapshot_of_known_entries_only_commits_them() {
        node.followingN2(1).receiveAppend(N2, 0, 0, 0, 1, 1, 1);
        node.raft.impl().handleInstallSnapshotRequest(new BytesMessage(N1, new byte[0]).setSrc(N2), N2, 2, 1);
        assertThat(node.restored).isEmpty();
        assertThat(node.applied).containsExactly("1:1", "2:1");
        assertThat(node.raft.lastAppended()).isEqualTo(3);
    }

    // leaders

    @Test
    void a_leader_commits_entries_of_earlier_terms_only_with_one_of_its_own() {
        node.followingN2(2).receiveAppend(N2, 0, 0, 0, 2);
        node.leading(4);
        node.acknowledge(N3, 1);
        assertThat(node.applied).isEmpty();
        propose(5);
        node.acknowledge(N3, 2);
        assertThat(node.applied).containsExactly("1:2", "2:5");
    }

    private void propose(int length) {
        propose(new byte[length]);
    }

    private void propose(byte[] item) {
        node.raft.synchronous(true);
        var unused = node.raft.setAsync(item, 0, item.length, null);
        node.raft.synchronous(false);
    }

    @Test
    void a_lagging_follower_gets_the_missing_entries_at_once_in_chunks() {
        node.leading(1);
        for (int i = 0; i < 5; i++) {
            propose(600_000);
        }
        node.sent.clear();
        requestFrom(N3, 1);
        node.raft.process(new ArrayList<>());
        assertThat(sentTo(N3)).as("a chunk of one megabyte, rounded up").containsExactly(3);
        node.acknowledge(N3, 3);
        node.raft.process(new ArrayList<>());
        assertThat(sentTo(N3)).containsExactly(3, 2);
    }

    private void requestFrom(Address who, long from) {
        var result = new AppendResult(AppendResult.Result.FAIL_CONFLICTING_PREV_TERM, from);
        node.raft.impl().handleAppendEntriesResponse(who, node.raft.currentTerm(), result);
    }

    /** The number of entries of each message to this member. */
    private List<Integer> sentTo(Address who) {
        return node.sentTo(who).stream().map(LogEntries::size).toList();
    }

    @Test
    void the_commit_of_a_followers_proposal_is_announced_at_once() {
        node.leading(1);
        propose(5);
        node.acknowledge(N3, 1);
        node.sent.clear();
        node.raft.process(new ArrayList<>());
        assertThat(node.sent).extracting(Message::dest).containsExactly(N2, N3);
        node.raft.process(new ArrayList<>());
        assertThat(node.sent).as("once").hasSize(2);
    }

    @Test
    void the_commit_of_the_leaders_own_proposal_is_not_announced_at_once() {
        node.leading(1);
        propose(EntryPayload.write(new EntryPayload.Entry(new EntryPayload.Origin(1, 1, 1), new byte[5])));
        node.acknowledge(N3, 1);
        node.sent.clear();
        node.raft.process(new ArrayList<>());
        assertThat(node.sent).isEmpty();
    }

    // members

    private static LogEntry roster(long term, int members) {
        var item = new EntryPayload.Roster(new EntryPayload.Origin(1, 1, 1), MEMBERS.subList(0, members));
        return new LogEntry(term, EntryPayload.write(item));
    }

    @Test
    void a_membership_change_takes_effect_when_appended_and_is_undone_when_deleted() {
        node.storage.append(1, new LogEntries().add(roster(1, 2)));
        assertThat(node.clusterConfiguration.latest()).hasSize(2);
        node.storage.deleteAllEntriesStartingFrom(1);
        assertThat(node.clusterConfiguration.latest()).hasSize(3);
    }

    @Test
    void a_membership_change_waits_for_the_commit_of_the_last_one_and_of_an_own_entry() {
        node.followingN2(1).receiveAppend(N2, 0, 0, 1, 1);
        node.leading(2);
        assertThat(node.raft.isSettled(0))
                .as("no committed entry of its own term")
                .isFalse();
        propose(5);
        node.acknowledge(N2, 2);
        assertThat(node.raft.isSettled(0)).isTrue();
        var change = roster(2, 2).command();
        node.raft.synchronous(true);
        var unused = node.raft.setAsync(change, 0, change.length, null);
        assertThat(node.raft.isSettled(node.clusterConfiguration.changed())).isFalse();
        node.acknowledge(N2, 3);
        assertThat(node.raft.isSettled(node.clusterConfiguration.changed())).isTrue();
    }

    // votes and threads

    private static Message vote(RaftHeader header) {
        return new EmptyMessage(N1).setSrc(N2).putHeader(ELECTION, header);
    }

    private final List<Message> counted = new CopyOnWriteArrayList<>();

    private VoteFilter voteFilter() {
        var voteFilter = new VoteFilter(node.raft);
        voteFilter.setUpProtocol(new RaftNodeFixture.MessageRecorder(counted));
        return voteFilter;
    }

    @Test
    void a_vote_counts_only_in_its_own_term() {
        node.raft.currentTerm(7);
        var voteFilter = voteFilter();
        voteFilter.up(vote(new VoteResponse(6, 1, 1)));
        var batch = new MessageBatch(2);
        batch.add(vote(new VoteResponse(6, 1, 1)));
        voteFilter.up(batch);
        assertThat(counted).isEmpty();
        voteFilter.up(vote(new VoteResponse(7, 1, 1)));
        assertThat(counted).hasSize(1);
    }

    @Test
    void the_election_result_overtakes_retransmissions() {
        var voteFilter = voteFilter();
        var sent = new CopyOnWriteArrayList<Message>();
        voteFilter.setDownProtocol(new RaftNodeFixture.MessageRecorder(sent));
        voteFilter.down(vote(new LeaderElected(N2)));
        voteFilter.down(vote(new VoteRequest(7)));
        assertThat(sent.getFirst().isFlagSet(Message.Flag.OOB)).isTrue();
        assertThat(sent.getLast().isFlagSet(Message.Flag.OOB)).isFalse();
    }

    static Stream<Arguments> serializedActions() {
        return Stream.of(
                Arguments.of("a view", (Action) test -> test.node.raft.handleView(RaftNodeFixture.view(2, N1, N2))),
                Arguments.of("a leader", (Action) test -> test.node.raft.setLeaderAndTerm(N2, 3)),
                Arguments.of("an elected leader", (Action) test -> test.node.raft.trySetLeaderAndTerm(N2, 3)),
                Arguments.of("a leader that sends a message", (Action) test -> test.node.raft.leader(N2)),
                Arguments.of("a term", (Action) test -> test.node.raft.currentTerm(9)),
                Arguments.of("an election", (Action) test -> test.node.raft.createNewTerm()),
                Arguments.of("a vote", (Action) test -> test.node.raft.votedFor(N2)),
                Arguments.of(
                        "a vote request", (Action) test -> test.voteFilter().up(vote(new VoteRequest(3)))),
                Arguments.of("a vote response", (Action)
                        test -> test.voteFilter().up(vote(new VoteResponse(0, 1, 1)))),
                Arguments.of("entries", (Action) test -> test.node.raft.process(new ArrayList<>())));
    }

    /** Runs on a thread of its own. */
    interface Action {
        void on(RaftRulesTest test);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("serializedActions")
    void votes_and_leader_changes_wait_for_an_append(String what, Action action) throws Exception {
        var thread = Thread.ofPlatform().unstarted(() -> action.on(this));
        node.raft.inTurn(() -> {
            thread.start();
            while (thread.isAlive() && thread.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            assertThat(thread.isAlive()).as(what + " waits for the lock").isTrue();
        });
        thread.join();
    }

    /** The proposal came first, but the same batch has a message of a newer leader. */
    @Test
    void a_deposed_leader_appends_nothing() {
        node.leading(2);
        node.raft.inTurn(() -> {
            node.raft.up(from(N3, new AppendEntriesRequest(N3, 1, 0, 0, 1, 0))); // old term: ignored
            while (node.raft.processingQueueSize() > 0) {
                Thread.onSpinWait();
            }
            var unused = node.raft.setAsync(new byte[5], 0, 5, null);
            node.raft.up(from(N3, new AppendEntriesRequest(N3, 3, 0, 0, 3, 0)));
        });
        ReplicatedLogContract.await(() -> node.raft.processingQueueSize() == 0);
        node.raft.inTurn(() -> assertThat(node.raft.currentTerm()).isEqualTo(3));
        assertThat(node.terms()).isEmpty();
    }

    /** The threads that send messages from now on. */
    private List<Thread> senderThreads() {
        var senders = new CopyOnWriteArrayList<Thread>();
        node.raft.getDownProtocol().setDownProtocol(new Protocol() {
            @Override
            public Object down(Message message) {
                senders.add(Thread.currentThread());
                return message;
            }
        });
        return senders;
    }

    /** Saves the wake-up of another thread, unless that is already running. */
    @Test
    void the_receiving_thread_handles_a_message() {
        node.followingN2(1);
        var answering = senderThreads();
        ReplicatedLogContract.await(() -> {
            node.raft.up(from(N2, new AppendEntriesRequest(N2, 1, 0, 0, 1, 0)));
            return answering.contains(Thread.currentThread());
        });
    }

    /** So that it can read more messages, whose entries then share one frame and one fsync. */
    @Test
    void a_busy_reader_leaves_the_next_requests_to_the_background_thread() {
        node.leading(1);
        var sending = senderThreads();
        ReplicatedLogContract.await(() -> {
            sending.clear();
            for (int i = 0; i < 20; i++) {
                node.raft.runPendingByReader();
                var unused = node.raft.setAsync(new byte[5], 0, 5, null);
                node.raft.runPendingByReader();
                ReplicatedLogContract.await(() -> node.raft.processingQueueSize() == 0);
            }
            return !sending.contains(Thread.currentThread());
        });
    }

    private static Message from(Address who, RaftHeader header) {
        return new ObjectMessage(N1, null).setSrc(who).putHeader(CorrectedRaft.ID, header);
    }
}
