package habemus.service.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.protocol.NodeId;
import habemus.service.disk.FrailDisk;
import habemus.service.disk.FrailDisk.Failing;
import habemus.service.node.Clusters;
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
class FrailDiskTest {

    @TempDir
    private Path folder;

    private FrailDisk disk;
    private int cuts;

    @BeforeEach
    void insert() {
        disk = new FrailDisk(folder.resolve("disk"));
    }

    private Journal open(Path where) {
        return new Journal(where, new Roster(BareNode.MEMBERS)).open();
    }

    /** What is there after the power was cut. */
    private Journal left() {
        return open(disk.cutPower(folder.resolve("rest-" + cuts++)));
    }

    private static List<Long> terms(Journal journal) {
        var terms = new ArrayList<Long>();
        journal.forEach((entry, index) -> terms.add(entry.term()));
        return terms;
    }

    @Test
    void entries_are_on_the_disk_before_anybody_hears_of_them() {
        var journal = open(disk.folder());
        journal.currentTerm(1);
        for (long i = 1; i <= 3; i++) {
            journal.append(i, BareNode.entries(i));
            assertThat(terms(left())).hasSize((int) i);
        }
        journal.hold();
        journal.append(4, BareNode.entries(4, 5));
        assertThat(terms(left())).as("nobody was told yet").hasSize(3);
        journal.release();
        assertThat(terms(left())).containsExactly(1L, 2L, 3L, 4L, 5L);
        journal.deleteAllEntriesStartingFrom(3);
        assertThat(terms(left())).containsExactly(1L, 2L);
    }

    @Test
    void a_vote_and_its_term_are_on_the_disk_before_anybody_hears_of_them() {
        var journal = open(disk.folder());
        journal.currentTerm(7);
        assertThat(left().currentTerm()).isEqualTo(7);
        journal.votedFor(new UUID(1, 2));
        assertThat(left().votedFor()).isEqualTo(new UUID(1, 2));
        journal.append(1, BareNode.entries(3)); // of an earlier term
        assertThat(left().currentTerm()).isEqualTo(7);
        assertThat(left().votedFor()).isEqualTo(new UUID(1, 2));
    }

    @Test
    void a_snapshot_is_on_the_disk_before_what_it_holds_is_removed() {
        var journal = open(disk.folder());
        journal.currentTerm(1);
        journal.append(1, BareNode.entries(1, 1, 1));
        journal.commitIndex(2);
        journal.setSnapshot(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertThat(terms(left())).hasSize(3);
        journal.truncate(2);
        var left = left();
        assertThat(left.getSnapshot()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertThat(left.commitIndex()).isEqualTo(2);
        assertThat(terms(left)).hasSize(1);
        journal.setSnapshot(ByteBuffer.wrap(new byte[] {4}));
        journal.reinitializeTo(9, new LogEntry(2, null));
        assertThat(left().commitIndex()).isEqualTo(9);
        assertThat(left().getSnapshot()).isEqualTo(ByteBuffer.wrap(new byte[] {4}));
    }

    /** The files as they are, though the power was not cut. */
    @ParameterizedTest
    @EnumSource(names = {"WRITING", "SYNCING"})
    void a_snapshot_that_cannot_be_written_leaves_the_one_before(Failing what) {
        var journal = open(disk.folder());
        journal.currentTerm(1);
        journal.append(1, BareNode.entries(1, 1, 1));
        journal.commitIndex(3);
        journal.setSnapshot(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        journal.truncate(2);
        disk.fail(what);
        journal.setSnapshot(ByteBuffer.wrap(new byte[] {4}));
        assertThatThrownBy(() -> journal.truncate(3)).isInstanceOf(UncheckedIOException.class);
        var left = open(folder.resolve("disk"));
        assertThat(left.getSnapshot()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertThat(terms(left)).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITING", "SYNCING"})
    void after_a_failure_nothing_more_is_written_though_the_disk_may_work_again(Failing what) {
        var journal = open(disk.folder());
        journal.append(1, BareNode.entries(1));
        disk.fail(what);
        assertThatThrownBy(() -> journal.append(2, BareNode.entries(1)))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("cannot write to " + folder.resolve("disk"));
        disk.fail(Failing.NOTHING);
        assertThatThrownBy(() -> journal.append(3, BareNode.entries(1))).isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(() -> journal.currentTerm(5)).isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(() -> journal.votedFor(new UUID(1, 2))).isInstanceOf(UncheckedIOException.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITING", "SYNCING"})
    void a_follower_whose_disk_fails_answers_nothing_and_stops(Failing what) throws Exception {
        try (var node = new BareNode(disk.folder())) {
            node.ledByN2(1);
            append(node, 0);
            LogContract.until(() -> node.said.size() == 1);
            disk.fail(what);
            append(node, 1);
            LogContract.until(() -> !node.broken.isEmpty());
            disk.fail(Failing.NOTHING);
            append(node, 1);
            LogContract.until(() -> node.consensus.processingQueueSize() == 0);
            node.consensus.inTurn(() -> assertThat(node.said).hasSize(1));
        }
    }

    private static void append(BareNode node, long before) {
        node.consensus.up(new ObjectMessage(BareNode.N1, BareNode.entries(1))
                .setSrc(BareNode.N2)
                .putHeader(Consensus.ID, new AppendEntriesRequest(BareNode.N2, 1, before, before, 1, 0)));
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITING", "SYNCING"})
    void a_leader_whose_disk_fails_commits_nothing_and_stops(Failing what) throws Exception {
        try (var node = new BareNode(disk.folder())) {
            node.leading(1);
            disk.fail(what);
            var unused = node.consensus.setAsync(new byte[5], 0, 5, null);
            node.consensus.attend();
            LogContract.until(() -> !node.broken.isEmpty());
            node.consensus.up(new EmptyMessage(BareNode.N1)
                    .setSrc(BareNode.N2)
                    .putHeader(
                            Consensus.ID, new AppendEntriesResponse(1, new AppendResult(AppendResult.Result.OK, 1))));
            LogContract.until(() -> node.consensus.processingQueueSize() == 0);
            node.consensus.inTurn(() -> assertThat(node.applied).isEmpty());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITING", "SYNCING"})
    void a_vote_that_cannot_be_kept_is_not_given_and_the_node_stops(Failing what) throws Exception {
        try (var node = new BareNode(disk.folder())) {
            node.consensus.currentTerm(3);
            disk.fail(what);
            assertThatThrownBy(() -> node.consensus.votedFor(BareNode.N2)).isInstanceOf(UncheckedIOException.class);
            assertThat(node.broken).hasSize(1);
        }
    }

    /** With everything around it. */
    @ParameterizedTest
    @EnumSource(names = {"WRITING", "SYNCING"})
    void a_node_whose_disk_fails_says_so_and_acknowledges_nothing(Failing what) throws Exception {
        var config = LogConfig.of(Clusters.members(1), new NodeId(1), disk.folder());
        var notebook = new Notebook();
        try (var log = new GroupLog(config)) {
            log.start(notebook);
            log.propose(new byte[] {'a'}).get(30, TimeUnit.SECONDS);
            disk.fail(what);
            var done = log.propose(new byte[] {'b'});
            assertThat(log.failure().get(30, TimeUnit.SECONDS))
                    .hasMessageContaining("cannot write to " + folder.resolve("disk"));
            assertThatThrownBy(() -> done.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(Undecided.class);
            assertThatThrownBy(() -> log.propose(new byte[] {'c'}).get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(Refused.class)
                    .hasMessageContaining("can take part no more");
        }
        assertThat(notebook.lines()).containsExactly("a");
    }
}
