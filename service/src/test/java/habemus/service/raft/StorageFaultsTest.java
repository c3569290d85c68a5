package habemus.service.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.protocol.NodeId;
import habemus.service.algorithm.TestClusters;
import habemus.service.storage.FaultyFileSystem;
import habemus.service.storage.FaultyFileSystem.Failing;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jgroups.EmptyMessage;
import org.jgroups.ObjectMessage;
import org.jgroups.protocols.raft.AppendEntriesRequest;
import org.jgroups.protocols.raft.AppendEntriesResponse;
import org.jgroups.protocols.raft.AppendResult;
import org.jgroups.protocols.raft.LogEntry;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a disk that fails, or loses its power, leaves of what was said. */
class StorageFaultsTest {

    @TempDir
    private Path folder;

    private FaultyFileSystem disk;
    private int cuts;

    @BeforeEach
    void insert() {
        disk = new FaultyFileSystem(folder.resolve("disk"));
    }

    private RaftStorage open(Path where) {
        return new RaftStorage(where, new ClusterConfiguration(RaftNodeFixture.MEMBERS)).open();
    }

    /** What is there after the power was cut. */
    private RaftStorage left() {
        return open(disk.cutPower(folder.resolve("rest-" + cuts++)));
    }

    private static List<Long> terms(RaftStorage raftStorage) {
        var terms = new ArrayList<Long>();
        raftStorage.forEach((entry, index) -> terms.add(entry.term()));
        return terms;
    }

    @Test
    void entries_are_on_the_disk_before_anybody_hears_of_them() {
        var raftStorage = open(disk.folder());
        raftStorage.currentTerm(1);
        for (long i = 1; i <= 3; i++) {
            raftStorage.append(i, RaftNodeFixture.entries(i));
            assertThat(terms(left())).hasSize((int) i);
        }
        raftStorage.hold();
        raftStorage.append(4, RaftNodeFixture.entries(4, 5));
        assertThat(terms(left())).as("nobody was told yet").hasSize(3);
        raftStorage.release();
        assertThat(terms(left())).containsExactly(1L, 2L, 3L, 4L, 5L);
        raftStorage.deleteAllEntriesStartingFrom(3);
        assertThat(terms(left())).containsExactly(1L, 2L);
    }

    @Test
    void a_vote_and_its_term_are_on_the_disk_before_anybody_hears_of_them() {
        var raftStorage = open(disk.folder());
        raftStorage.currentTerm(7);
        assertThat(left().currentTerm()).isEqualTo(7);
        raftStorage.votedFor(new UUID(1, 2));
        assertThat(left().votedFor()).isEqualTo(new UUID(1, 2));
        raftStorage.append(1, RaftNodeFixture.entries(3)); // of an earlier term
        assertThat(left().currentTerm()).isEqualTo(7);
        assertThat(left().votedFor()).isEqualTo(new UUID(1, 2));
    }

    @Test
    void a_snapshot_is_on_the_disk_before_what_it_holds_is_removed() {
        var raftStorage = open(disk.folder());
        raftStorage.currentTerm(1);
        raftStorage.append(1, RaftNodeFixture.entries(1, 1, 1));
        raftStorage.commitIndex(2);
        raftStorage.setSnapshot(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertThat(terms(left())).hasSize(3);
        raftStorage.truncate(2);
        var left = left();
        assertThat(left.getSnapshot()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertThat(left.commitIndex()).isEqualTo(2);
        assertThat(terms(left)).hasSize(1);
        raftStorage.setSnapshot(ByteBuffer.wrap(new byte[] {4}));
        raftStorage.reinitializeTo(9, new LogEntry(2, null));
        assertThat(left().commitIndex()).isEqualTo(9);
        assertThat(left().getSnapshot()).isEqualTo(ByteBuffer.wrap(new byte[] {4}));
    }

    /** The files as they are, though the power was not cut. */
    @ParameterizedTest
    @EnumSource(names = {"WRITING", "SYNCING"})
    void a_snapshot_that_cannot_be_written_leaves_the_one_before(Failing what) {
        var raftStorage = open(disk.folder());
        raftStorage.currentTerm(1);
        raftStorage.append(1, RaftNodeFixture.entries(1, 1, 1));
        raftStorage.commitIndex(3);
        raftStorage.setSnapshot(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        raftStorage.truncate(2);
        disk.fail(what);
        raftStorage.setSnapshot(ByteBuffer.wrap(new byte[] {4}));
        assertThatThrownBy(() -> raftStorage.truncate(3)).isInstanceOf(UncheckedIOException.class);
        var left = open(folder.resolve("disk"));
        assertThat(left.getSnapshot()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertThat(terms(left)).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITING", "SYNCING"})
    void after_a_failure_nothing_more_is_written_though_the_disk_may_work_again(Failing what) {
        var raftStorage = open(disk.folder());
        raftStorage.append(1, RaftNodeFixture.entries(1));
        disk.fail(what);
        assertThatThrownBy(() -> raftStorage.append(2, RaftNodeFixture.entries(1)))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("cannot write to " + folder.resolve("disk"));
        disk.fail(Failing.NOTHING);
        assertThatThrownBy(() -> raftStorage.append(3, RaftNodeFixture.entries(1)))
                .isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(() -> raftStorage.currentTerm(5)).isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(() -> raftStorage.votedFor(new UUID(1, 2))).isInstanceOf(UncheckedIOException.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITING", "SYNCING"})
    void a_follower_whose_disk_fails_answers_nothing_and_stops(Failing what) throws Exception {
        try (var node = new RaftNodeFixture(disk.folder())) {
            node.followingN2(1);
            append(node, 0);
            ReplicatedLogContract.await(() -> node.sent.size() == 1);
            disk.fail(what);
            append(node, 1);
            ReplicatedLogContract.await(() -> !node.failures.isEmpty());
            disk.fail(Failing.NOTHING);
            append(node, 1);
            ReplicatedLogContract.await(() -> node.correctedRaft.processingQueueSize() == 0);
            node.correctedRaft.inTurn(() -> assertThat(node.sent).hasSize(1));
        }
    }

    private static void append(RaftNodeFixture node, long before) {
        node.correctedRaft.up(new ObjectMessage(RaftNodeFixture.N1, RaftNodeFixture.entries(1))
                .setSrc(RaftNodeFixture.N2)
                .putHeader(CorrectedRaft.ID, new AppendEntriesRequest(RaftNodeFixture.N2, 1, before, before, 1, 0)));
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITING", "SYNCING"})
    void a_leader_whose_disk_fails_commits_nothing_and_stops(Failing what) throws Exception {
        try (var node = new RaftNodeFixture(disk.folder())) {
            node.leading(1);
            disk.fail(what);
            var unused = node.correctedRaft.setAsync(new byte[5], 0, 5, null);
            node.correctedRaft.attend();
            ReplicatedLogContract.await(() -> !node.failures.isEmpty());
            node.correctedRaft.up(new EmptyMessage(RaftNodeFixture.N1)
                    .setSrc(RaftNodeFixture.N2)
                    .putHeader(
                            CorrectedRaft.ID,
                            new AppendEntriesResponse(1, new AppendResult(AppendResult.Result.OK, 1))));
            ReplicatedLogContract.await(() -> node.correctedRaft.processingQueueSize() == 0);
            node.correctedRaft.inTurn(() -> assertThat(node.applied).isEmpty());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITING", "SYNCING"})
    void a_vote_that_cannot_be_kept_is_not_given_and_the_node_stops(Failing what) throws Exception {
        try (var node = new RaftNodeFixture(disk.folder())) {
            node.correctedRaft.currentTerm(3);
            disk.fail(what);
            assertThatThrownBy(() -> node.correctedRaft.votedFor(RaftNodeFixture.N2))
                    .isInstanceOf(UncheckedIOException.class);
            assertThat(node.failures).hasSize(1);
        }
    }

    /** With everything around it. */
    @ParameterizedTest
    @EnumSource(names = {"WRITING", "SYNCING"})
    void a_node_whose_disk_fails_says_so_and_acknowledges_nothing(Failing what) throws Exception {
        var config = ReplicatedLogConfig.of(TestClusters.members(1), new NodeId(1), disk.folder());
        var recordingStateMachine = new RecordingStateMachine();
        try (var log = new JGroupsRaftLog(config)) {
            log.start(recordingStateMachine);
            log.propose(new byte[] {'a'}).get(30, TimeUnit.SECONDS);
            disk.fail(what);
            var done = log.propose(new byte[] {'b'});
            assertThat(log.failure().get(30, TimeUnit.SECONDS))
                    .hasMessageContaining("cannot write to " + folder.resolve("disk"));
            assertThatThrownBy(() -> done.get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(IndeterminateOutcomeException.class);
            assertThatThrownBy(() -> log.propose(new byte[] {'c'}).get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(ProposalRejectedException.class)
                    .hasMessageContaining("can take part no more");
        }
        assertThat(recordingStateMachine.entries()).containsExactly("a");
    }
}
