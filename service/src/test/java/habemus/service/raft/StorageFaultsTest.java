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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The storage and its node when the disk fails or loses power. */
@Tag("slow")
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

    /** The storage as it is after a power loss. */
    private RaftStorage left() {
        return open(disk.cutPower(folder.resolve("rest-" + cuts++)));
    }

    private static List<Long> terms(RaftStorage storage) {
        var terms = new ArrayList<Long>();
        storage.forEach((entry, index) -> terms.add(entry.term()));
        return terms;
    }

    @Test
    void entries_are_on_disk_before_they_are_acknowledged() {
        var storage = open(disk.folder());
        storage.currentTerm(1);
        for (long i = 1; i <= 3; i++) {
            storage.append(i, RaftNodeFixture.entries(i));
            assertThat(terms(left())).hasSize((int) i);
        }
        storage.hold();
        storage.append(4, RaftNodeFixture.entries(4, 5));
        assertThat(terms(left())).as("not acknowledged yet").hasSize(3);
        storage.release();
        assertThat(terms(left())).containsExactly(1L, 2L, 3L, 4L, 5L);
        storage.deleteAllEntriesStartingFrom(3);
        assertThat(terms(left())).containsExactly(1L, 2L);
    }

    @Test
    void term_and_vote_are_on_disk_before_they_are_sent() {
        var storage = open(disk.folder());
        storage.currentTerm(7);
        assertThat(left().currentTerm()).isEqualTo(7);
        storage.votedFor(new UUID(1, 2));
        assertThat(left().votedFor()).isEqualTo(new UUID(1, 2));
        storage.append(1, RaftNodeFixture.entries(3)); // of an earlier term
        assertThat(left().currentTerm()).isEqualTo(7);
        assertThat(left().votedFor()).isEqualTo(new UUID(1, 2));
    }

    @Test
    void a_snapshot_is_on_disk_before_its_entries_are_deleted() {
        var storage = open(disk.folder());
        storage.currentTerm(1);
        storage.append(1, RaftNodeFixture.entries(1, 1, 1));
        storage.commitIndex(2);
        storage.setSnapshot(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertThat(terms(left())).hasSize(3);
        storage.truncate(2);
        var left = left();
        assertThat(left.getSnapshot()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertThat(left.commitIndex()).isEqualTo(2);
        assertThat(terms(left)).hasSize(1);
        storage.setSnapshot(ByteBuffer.wrap(new byte[] {4}));
        storage.reinitializeTo(9, new LogEntry(2, null));
        assertThat(left().commitIndex()).isEqualTo(9);
        assertThat(left().getSnapshot()).isEqualTo(ByteBuffer.wrap(new byte[] {4}));
    }

    /** Without a power loss. */
    @ParameterizedTest
    @EnumSource(names = {"WRITING", "SYNCING"})
    void a_failed_snapshot_leaves_the_old_one(Failing what) {
        var storage = open(disk.folder());
        storage.currentTerm(1);
        storage.append(1, RaftNodeFixture.entries(1, 1, 1));
        storage.commitIndex(3);
        storage.setSnapshot(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        storage.truncate(2);
        disk.fail(what);
        storage.setSnapshot(ByteBuffer.wrap(new byte[] {4}));
        assertThatThrownBy(() -> storage.truncate(3)).isInstanceOf(UncheckedIOException.class);
        var left = open(folder.resolve("disk"));
        assertThat(left.getSnapshot()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertThat(terms(left)).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITING", "SYNCING"})
    void after_a_disk_failure_all_writes_fail(Failing what) {
        var storage = open(disk.folder());
        storage.append(1, RaftNodeFixture.entries(1));
        disk.fail(what);
        assertThatThrownBy(() -> storage.append(2, RaftNodeFixture.entries(1)))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("cannot write to " + folder.resolve("disk"));
        disk.fail(Failing.NOTHING);
        assertThatThrownBy(() -> storage.append(3, RaftNodeFixture.entries(1)))
                .isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(() -> storage.currentTerm(5)).isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(() -> storage.votedFor(new UUID(1, 2))).isInstanceOf(UncheckedIOException.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITING", "SYNCING"})
    void a_follower_with_a_failed_disk_acknowledges_nothing_and_stops(Failing what) throws Exception {
        try (var node = new RaftNodeFixture(disk.folder())) {
            node.followingN2(1);
            append(node, 0);
            ReplicatedLogContract.await(() -> node.sent.size() == 1);
            disk.fail(what);
            append(node, 1);
            ReplicatedLogContract.await(() -> !node.failures.isEmpty());
            disk.fail(Failing.NOTHING);
            append(node, 1);
            ReplicatedLogContract.await(() -> node.raft.processingQueueSize() == 0);
            node.raft.inTurn(() -> assertThat(node.sent).hasSize(1));
        }
    }

    private static void append(RaftNodeFixture node, long before) {
        node.raft.up(new ObjectMessage(RaftNodeFixture.N1, RaftNodeFixture.entries(1))
                .setSrc(RaftNodeFixture.N2)
                .putHeader(CorrectedRaft.ID, new AppendEntriesRequest(RaftNodeFixture.N2, 1, before, before, 1, 0)));
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITING", "SYNCING"})
    void a_leader_with_a_failed_disk_commits_nothing_and_stops(Failing what) throws Exception {
        try (var node = new RaftNodeFixture(disk.folder())) {
            node.leading(1);
            disk.fail(what);
            var unused = node.raft.setAsync(new byte[5], 0, 5, null);
            node.raft.runPending();
            ReplicatedLogContract.await(() -> !node.failures.isEmpty());
            node.raft.up(new EmptyMessage(RaftNodeFixture.N1)
                    .setSrc(RaftNodeFixture.N2)
                    .putHeader(
                            CorrectedRaft.ID,
                            new AppendEntriesResponse(1, new AppendResult(AppendResult.Result.OK, 1))));
            ReplicatedLogContract.await(() -> node.raft.processingQueueSize() == 0);
            node.raft.inTurn(() -> assertThat(node.applied).isEmpty());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITING", "SYNCING"})
    void a_node_that_cannot_write_its_vote_does_not_vote_and_stops(Failing what) throws Exception {
        try (var node = new RaftNodeFixture(disk.folder())) {
            node.raft.currentTerm(3);
            disk.fail(what);
            assertThatThrownBy(() -> node.raft.votedFor(RaftNodeFixture.N2)).isInstanceOf(UncheckedIOException.class);
            assertThat(node.failures).hasSize(1);
        }
    }

    /** With the complete log node. */
    @ParameterizedTest
    @EnumSource(names = {"WRITING", "SYNCING"})
    void a_node_with_a_failed_disk_reports_it_and_acknowledges_nothing(Failing what) throws Exception {
        var config = ReplicatedLogConfig.of(TestClusters.members(1), new NodeId(1), disk.folder());
        var stateMachine = new RecordingStateMachine();
        try (var log = new JGroupsRaftLog(config)) {
            log.start(stateMachine);
            log.propose(new byte[] {'a'}).get(30, TimeUnit.SECONDS);
            disk.fail(what);
            var done = log.propose(new byte[] {'b'});
            assertThat(log.failure().get(30, TimeUnit.SECONDS))
                    .hasMessageContaining("cannot write to " + folder.resolve("disk"));
            assertThatThrownBy(() -> done.get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(IndeterminateOutcomeException.class);
            assertThatThrownBy(() -> log.propose(new byte[] {'c'}).get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(ProposalRejectedException.class)
                    .hasMessageContaining("node has failed");
        }
        assertThat(stateMachine.entries()).containsExactly("a");
    }
}
