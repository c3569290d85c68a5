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

/** The rules of Raft that the engine does not keep by itself: each of these fails where one of them is taken away. */
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

    // what a follower says and does

    /** It has three entries of the leader of term 1; that of term 2 has only the first of them. */
    private void withEntriesOfSomebodyElse() {
        node.followingN2(1).receiveAppend(N2, 0, 0, 0, 1, 1, 1);
        node.correctedRaft.setLeaderAndTerm(N3, 2);
    }

    @Test
    void of_an_entry_that_was_not_compared_nobody_says_that_it_is_there() {
        withEntriesOfSomebodyElse();
        var answer = node.receiveAppend(N3, 0, 0, 0);
        assertThat(answer.success() && answer.index() > 0).as(answer.toString()).isFalse();
        answer = node.receiveAppend(N3, 0, 0, 0, 1);
        assertThat(answer.success()).isTrue();
        assertThat(answer.index()).isEqualTo(1);
    }

    @Test
    void a_commit_reaches_no_further_than_what_was_compared() {
        withEntriesOfSomebodyElse();
        node.receiveAppend(N3, 0, 0, 3);
        assertThat(node.applied).isEmpty();
        node.receiveAppend(N3, 0, 0, 3, 1);
        assertThat(node.applied).containsExactly("1:1");
        node.receiveAppend(N3, 1, 1, 3, 2, 2);
        assertThat(node.applied).containsExactly("1:1", "2:2", "3:2");
        assertThat(node.terms()).containsExactly(1L, 2L, 2L);
    }

    @Test
    void what_was_compared_in_an_earlier_term_is_compared_again() {
        node.followingN2(1).receiveAppend(N2, 0, 0, 0, 1, 1, 1);
        assertThat(node.receiveAppend(N2, 0, 0, 0).index()).isEqualTo(3);
        node.correctedRaft.setLeaderAndTerm(N3, 2);
        node.receiveAppend(N3, 0, 0, 3);
        assertThat(node.applied).isEmpty();
    }

    @Test
    void a_leader_that_lacks_what_is_committed_here_is_not_followed() {
        node.followingN2(1).receiveAppend(N2, 0, 0, 3, 1, 1, 1);
        node.correctedRaft.setLeaderAndTerm(N3, 2);
        assertThat(node.receiveAppend(N3, 3, 1, 3, 2).success()).isTrue();
        assertThat(node.failures).isEmpty();
        assertThat(node.receiveAppend(N3, 2, 2, 3, 2, 2).success()).isFalse();
        assertThat(node.failures).singleElement().isInstanceOf(LogDivergedException.class);
    }

    @Test
    void entries_that_come_twice_cut_nothing_off() {
        node.followingN2(1).receiveAppend(N2, 0, 0, 0, 1, 1, 1);
        var answer = node.receiveAppend(N2, 0, 0, 0, 1);
        assertThat(answer.index()).isEqualTo(3);
        assertThat(node.terms()).hasSize(3);
    }

    @Test
    void entries_after_one_that_differs_go() {
        withEntriesOfSomebodyElse();
        assertThat(node.receiveAppend(N3, 2, 2, 0, 2).success()).isFalse();
        node.receiveAppend(N3, 0, 0, 0, 1, 2);
        assertThat(node.terms()).containsExactly(1L, 2L);
    }

    @Test
    void a_snapshot_that_comes_late_does_not_take_the_node_back() throws Exception {
        node.followingN2(1).receiveAppend(N2, 0, 0, 2, 1, 1);
        node.correctedRaft.takeSnapshot();
        var snapshot = node.raftStorage.getSnapshot();
        var bytes = new byte[snapshot.remaining()];
        snapshot.get(bytes);
        var late = new BytesMessage(N1, bytes).setSrc(N2);
        node.receiveAppend(N2, 2, 1, 3, 1, 1);
        node.correctedRaft.impl().handleInstallSnapshotRequest(late, N2, 2, 1);
        assertThat(node.restored).isEmpty();
        assertThat(node.correctedRaft.commitIndex()).isEqualTo(3);
        assertThat(node.correctedRaft.lastAppended()).isEqualTo(4);
    }

    /** It holds no more than what is here, though not all of that is known to be committed. */
    @Test
    void a_snapshot_of_what_is_there_already_does_not_take_the_node_back() {
        node.followingN2(1).receiveAppend(N2, 0, 0, 0, 1, 1, 1);
        node.correctedRaft.impl().handleInstallSnapshotRequest(new BytesMessage(N1, new byte[0]).setSrc(N2), N2, 2, 1);
        assertThat(node.restored).isEmpty();
        assertThat(node.applied).containsExactly("1:1", "2:1");
        assertThat(node.correctedRaft.lastAppended()).isEqualTo(3);
    }

    // what a leader commits, and when it sends what is missing

    @Test
    void entries_of_an_earlier_leader_are_committed_only_below_one_of_its_own() {
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
        node.correctedRaft.synchronous(true);
        var unused = node.correctedRaft.setAsync(item, 0, item.length, null);
        node.correctedRaft.synchronous(false);
    }

    @Test
    void whoever_has_to_catch_up_is_sent_the_rest_at_once_and_in_pieces() {
        node.leading(1);
        for (int i = 0; i < 5; i++) {
            propose(600_000);
        }
        node.sent.clear();
        lacks(N3, 1);
        node.correctedRaft.process(new ArrayList<>());
        assertThat(sentTo(N3)).as("a megabyte and one more").containsExactly(3);
        node.acknowledge(N3, 3);
        node.correctedRaft.process(new ArrayList<>());
        assertThat(sentTo(N3)).containsExactly(3, 2);
    }

    private void lacks(Address who, long from) {
        var result = new AppendResult(AppendResult.Result.FAIL_CONFLICTING_PREV_TERM, from);
        node.correctedRaft.impl().handleAppendEntriesResponse(who, node.correctedRaft.currentTerm(), result);
    }

    /** How many entries each message to it has. */
    private List<Integer> sentTo(Address who) {
        return node.sentTo(who).stream().map(LogEntries::size).toList();
    }

    @Test
    void followers_are_told_at_once_of_a_commit_that_one_of_them_waits_for() {
        node.leading(1);
        propose(5);
        node.acknowledge(N3, 1);
        node.sent.clear();
        node.correctedRaft.process(new ArrayList<>());
        assertThat(node.sent).extracting(Message::dest).containsExactly(N2, N3);
        node.correctedRaft.process(new ArrayList<>());
        assertThat(node.sent).as("once").hasSize(2);
    }

    @Test
    void nobody_is_told_at_once_of_a_commit_that_only_the_leader_waits_for() {
        node.leading(1);
        propose(EntryPayload.write(new EntryPayload.Entry(new EntryPayload.Origin(1, 1, 1), new byte[5])));
        node.acknowledge(N3, 1);
        node.sent.clear();
        node.correctedRaft.process(new ArrayList<>());
        assertThat(node.sent).isEmpty();
    }

    // members

    private static LogEntry roster(long term, int members) {
        var item = new EntryPayload.Roster(new EntryPayload.Origin(1, 1, 1), MEMBERS.subList(0, members));
        return new LogEntry(term, EntryPayload.write(item));
    }

    @Test
    void members_change_when_the_change_is_appended_and_are_as_before_when_it_is_cut_off() {
        node.raftStorage.append(1, new LogEntries().add(roster(1, 2)));
        assertThat(node.clusterConfiguration.latest()).hasSize(2);
        node.raftStorage.deleteAllEntriesStartingFrom(1);
        assertThat(node.clusterConfiguration.latest()).hasSize(3);
    }

    @Test
    void the_next_change_of_members_waits_until_the_last_is_committed_and_an_own_entry() {
        node.followingN2(1).receiveAppend(N2, 0, 0, 1, 1);
        node.leading(2);
        assertThat(node.correctedRaft.isSettled(0)).as("nothing of its own").isFalse();
        propose(5);
        node.acknowledge(N2, 2);
        assertThat(node.correctedRaft.isSettled(0)).isTrue();
        var change = roster(2, 2).command();
        node.correctedRaft.synchronous(true);
        var unused = node.correctedRaft.setAsync(change, 0, change.length, null);
        assertThat(node.correctedRaft.isSettled(node.clusterConfiguration.changed()))
                .isFalse();
        node.acknowledge(N2, 3);
        assertThat(node.correctedRaft.isSettled(node.clusterConfiguration.changed()))
                .isTrue();
    }

    // votes, and threads that meet

    private static Message vote(RaftHeader header) {
        return new EmptyMessage(N1).setSrc(N2).putHeader(ELECTION, header);
    }

    private final List<Message> counted = new CopyOnWriteArrayList<>();

    private VoteFilter ballot() {
        var voteFilter = new VoteFilter(node.correctedRaft);
        voteFilter.setUpProtocol(new RaftNodeFixture.Wire(counted));
        return voteFilter;
    }

    @Test
    void a_vote_counts_in_the_term_it_was_given_in() {
        node.correctedRaft.currentTerm(7);
        var voteFilter = ballot();
        voteFilter.up(vote(new VoteResponse(6, 1, 1)));
        var batch = new MessageBatch(2);
        batch.add(vote(new VoteResponse(6, 1, 1)));
        voteFilter.up(batch);
        assertThat(counted).isEmpty();
        voteFilter.up(vote(new VoteResponse(7, 1, 1)));
        assertThat(counted).hasSize(1);
    }

    @Test
    void who_is_elected_hears_of_it_before_what_was_lost_earlier_is_said_again() {
        var voteFilter = ballot();
        var said = new CopyOnWriteArrayList<Message>();
        voteFilter.setDownProtocol(new RaftNodeFixture.Wire(said));
        voteFilter.down(vote(new LeaderElected(N2)));
        voteFilter.down(vote(new VoteRequest(7)));
        assertThat(said.getFirst().isFlagSet(Message.Flag.OOB)).isTrue();
        assertThat(said.getLast().isFlagSet(Message.Flag.OOB)).isFalse();
    }

    static Stream<Arguments> whatMustNotMeet() {
        return Stream.of(
                Arguments.of(
                        "a view", (Act) test -> test.node.correctedRaft.handleView(RaftNodeFixture.view(2, N1, N2))),
                Arguments.of("a leader", (Act) test -> test.node.correctedRaft.setLeaderAndTerm(N2, 3)),
                Arguments.of("an elected one", (Act) test -> test.node.correctedRaft.trySetLeaderAndTerm(N2, 3)),
                Arguments.of("one who is heard of", (Act) test -> test.node.correctedRaft.leader(N2)),
                Arguments.of("a term", (Act) test -> test.node.correctedRaft.currentTerm(9)),
                Arguments.of("an election", (Act) test -> test.node.correctedRaft.createNewTerm()),
                Arguments.of("a vote", (Act) test -> test.node.correctedRaft.votedFor(N2)),
                Arguments.of("a ballot", (Act) test -> test.ballot().up(vote(new VoteRequest(3)))),
                Arguments.of("a vote that is counted", (Act)
                        test -> test.ballot().up(vote(new VoteResponse(0, 1, 1)))),
                Arguments.of("entries", (Act) test -> test.node.correctedRaft.process(new ArrayList<>())));
    }

    /** What is done on a thread of its own. */
    interface Act {
        void on(RaftRulesTest test);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("whatMustNotMeet")
    void nobody_votes_or_comes_to_lead_while_something_is_appended(String what, Act act) throws Exception {
        var thread = Thread.ofPlatform().unstarted(() -> act.on(this));
        node.correctedRaft.inTurn(() -> {
            thread.start();
            while (thread.isAlive() && thread.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            assertThat(thread.isAlive()).as(what + " waits for its turn").isTrue();
        });
        thread.join();
    }

    /** The proposal came first, but the node learns in the same breath that it does not lead any more. */
    @Test
    void a_leader_that_was_deposed_appends_nothing() {
        node.leading(2);
        node.correctedRaft.inTurn(() -> {
            node.correctedRaft.up(
                    from(N3, new AppendEntriesRequest(N3, 1, 0, 0, 1, 0))); // too old: nothing comes of it
            while (node.correctedRaft.processingQueueSize() > 0) {
                Thread.onSpinWait();
            }
            var unused = node.correctedRaft.setAsync(new byte[5], 0, 5, null);
            node.correctedRaft.up(from(N3, new AppendEntriesRequest(N3, 3, 0, 0, 3, 0)));
        });
        ReplicatedLogContract.await(() -> node.correctedRaft.processingQueueSize() == 0);
        node.correctedRaft.inTurn(
                () -> assertThat(node.correctedRaft.currentTerm()).isEqualTo(3));
        assertThat(node.terms()).isEmpty();
    }

    /** Who has sent what the engine says from now on. */
    private List<Thread> speaking() {
        var speaking = new CopyOnWriteArrayList<Thread>();
        node.correctedRaft.getDownProtocol().setDownProtocol(new Protocol() {
            @Override
            public Object down(Message message) {
                speaking.add(Thread.currentThread());
                return message;
            }
        });
        return speaking;
    }

    /** Else another thread would have to be woken; unless it is at it already. */
    @Test
    void who_brings_what_was_said_does_what_it_asks_for() {
        node.followingN2(1);
        var answering = speaking();
        ReplicatedLogContract.await(() -> {
            node.correctedRaft.up(from(N2, new AppendEntriesRequest(N2, 1, 0, 0, 1, 0)));
            return answering.contains(Thread.currentThread());
        });
    }

    /** So that it reads what else has come: all of that is one frame, with one sync. */
    @Test
    void who_reads_for_many_leaves_to_another_what_came_while_it_was_at_it() {
        node.leading(1);
        var sending = speaking();
        ReplicatedLogContract.await(() -> {
            sending.clear();
            for (int i = 0; i < 20; i++) {
                node.correctedRaft.attendSoon();
                var unused = node.correctedRaft.setAsync(new byte[5], 0, 5, null);
                node.correctedRaft.attendSoon();
                ReplicatedLogContract.await(() -> node.correctedRaft.processingQueueSize() == 0);
            }
            return !sending.contains(Thread.currentThread());
        });
    }

    private static Message from(Address who, RaftHeader header) {
        return new ObjectMessage(N1, null).setSrc(who).putHeader(CorrectedRaft.ID, header);
    }
}
