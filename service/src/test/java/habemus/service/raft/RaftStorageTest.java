package habemus.service.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.protocol.Configuration;
import habemus.protocol.EntryId;
import habemus.protocol.LogEntry;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.raft.RaftState.DurableState;
import habemus.service.simulation.SimulatedDisk;
import habemus.service.simulation.SimulatedDisk.PowerFailureException;
import habemus.service.storage.FileDisk;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the files of a node hold after it saved its state, and after a crash. */
class RaftStorageTest {

    private static final int SEEDS = 30;
    private static final NodeSet N2 = NodeSet.of(new NodeId(2));

    private final SimulatedDisk disk = new SimulatedDisk();

    private static void assertHolds(SimulatedDisk disk, DurableState expected) {
        assertThat(StorageDriver.open(disk).state())
                .matches(found -> StorageDriver.areEqual(found, expected), "is " + expected);
    }

    /** Crashes during the operation, at each of its steps and with many seeds, and checks what the disk holds then. */
    private static void crashDuring(
            Consumer<StorageDriver> preparation, Consumer<StorageDriver> operation, Consumer<SimulatedDisk> check) {
        boolean isComplete = false;
        for (int steps = 0; !isComplete; steps++) {
            for (int seed = 0; seed < SEEDS; seed++) {
                var disk = new SimulatedDisk();
                var node = StorageDriver.create(disk);
                preparation.accept(node);
                disk.failPowerAfter(steps);
                isComplete = isComplete(() -> operation.accept(node));
                check.accept(disk.crash(new SplittableRandom(seed)));
            }
        }
    }

    private static boolean isComplete(Runnable operation) {
        try {
            operation.run();
            return true;
        } catch (PowerFailureException interrupted) {
            return false;
        }
    }

    private static void prepareAllKinds(StorageDriver node) {
        node.saveTerm(7, N2);
        node.append(
                StorageDriver.command(7, "a"),
                new LogEntry(7, new LogEntry.NoOp()),
                StorageDriver.zeros(7, 2_000),
                StorageDriver.command(7, ""));
        node.storage().sync();
        node.compactTo(3, "state at 3");
        node.append(new LogEntry(7, new LogEntry.Members(StorageDriver.configuration(1, 2))));
        node.append(new LogEntry(
                7, new LogEntry.Members(new Configuration(NodeSet.of(new NodeId(1)), NodeSet.of(new NodeId(3))))));
        node.storage().sync();
    }

    // ---- saved and read ----

    @Test
    void a_new_node_has_no_state() {
        assertThat(new RaftStorage(disk).open()).isEmpty();
    }

    @Test
    void what_was_saved_and_synced_is_read_again() {
        var node = StorageDriver.create(disk);
        prepareAllKinds(node);
        var found = StorageDriver.open(disk.crash(new SplittableRandom(1))).state();
        assertThat(found).isEqualTo(withSyncedIndex(node.state()));
        assertThat(found.log().configurationAt(5)).isEqualTo(StorageDriver.ALONE);
    }

    @Test
    void what_was_saved_in_a_folder_is_read_again(@TempDir Path folder) {
        var node = StorageDriver.create(new FileDisk(folder));
        prepareAllKinds(node);
        node.storage().startSegment();
        node.write("b".repeat(2 << 20));
        node.storage().close();
        var reopened = StorageDriver.open(new FileDisk(folder));
        assertThat(reopened.state()).isEqualTo(withSyncedIndex(node.state()));
        reopened.storage().close();
    }

    private static DurableState withSyncedIndex(DurableState state) {
        return new DurableState(
                state.term(), state.vote(), state.log(), state.log().lastIndex(), state.snapshot());
    }

    @Test
    void a_creation_that_was_interrupted_is_begun_again() {
        boolean isComplete = false;
        for (int steps = 0; !isComplete; steps++) {
            for (int seed = 0; seed < SEEDS; seed++) {
                var fresh = new SimulatedDisk();
                fresh.failPowerAfter(steps);
                isComplete = isComplete(() -> StorageDriver.create(fresh));
                var after = fresh.crash(new SplittableRandom(seed));
                var storage = new RaftStorage(after);
                if (storage.open().isEmpty()) {
                    storage.create(StorageDriver.first());
                }
                assertHolds(after.crash(new SplittableRandom(seed)), StorageDriver.first());
            }
        }
    }

    @Test
    void a_storage_can_be_opened_after_it_was_created_and_created_again() {
        var storage = new RaftStorage(disk);
        storage.create(StorageDriver.first());
        assertThat(storage.open()).contains(StorageDriver.first());
        storage.create(StorageDriver.first());
        assertThat(storage.open()).contains(StorageDriver.first());
        assertHolds(disk.crash(new SplittableRandom(1)), StorageDriver.first());
    }

    @Test
    void entries_that_arrive_together_share_one_sync() {
        var node = StorageDriver.create(disk);
        long before = disk.syncs();
        for (int i = 0; i < 64; i++) {
            node.append("entry " + i);
        }
        assertThat(disk.syncs()).isEqualTo(before);
        assertThat(node.storage().sync()).isEqualTo(new EntryId(65, 1));
        assertThat(disk.syncs()).isEqualTo(before + 1);
        assertThat(node.storage().appended()).isEqualTo(64);
    }

    @Test
    void entries_that_are_not_synced_may_be_lost_but_nothing_before_them() {
        crashDuring(node -> node.write("a", "b"), node -> node.write("c".repeat(3_000), "d"), after -> {
            var found = StorageDriver.open(after).log();
            assertThat(found.entry(3)).isEqualTo(StorageDriver.command(1, "b"));
            assertThat(found.lastIndex()).isIn(3L, 5L);
        });
    }

    @Test
    void entries_that_a_restarted_process_has_read_are_not_lost_later() {
        var node = StorageDriver.create(disk);
        node.append("a");
        disk.failPowerAfter(1); // after the write, before the sync
        assertThatThrownBy(node.storage()::sync).isInstanceOf(PowerFailureException.class);
        var restarted = disk.kill();
        var read = StorageDriver.open(restarted).state();
        assertThat(read.log().lastIndex()).isEqualTo(2);
        assertHolds(restarted.crash(new SplittableRandom(3)), read);
    }

    @Test
    void term_and_vote_are_on_disk_when_save_returns() {
        var node = StorageDriver.create(disk);
        node.saveTerm(9, N2);
        assertHolds(disk.crash(new SplittableRandom(1)), node.state());
    }

    @Test
    void term_and_vote_change_together() {
        crashDuring(node -> {}, node -> node.saveTerm(2, N2), after -> {
            var found = StorageDriver.open(after).state();
            assertThat(found.vote()).isEqualTo(found.term() == 2 ? N2 : NodeSet.NONE);
        });
    }

    // ---- truncation ----

    @Test
    void a_tail_that_was_truncated_never_comes_back() {
        for (int seed = 0; seed < SEEDS; seed++) {
            var fresh = new SimulatedDisk();
            var node = StorageDriver.create(fresh);
            node.write("a", "b", "c");
            node.truncateAfter(2);
            assertHolds(fresh.crash(new SplittableRandom(seed)), node.state());
        }
    }

    @Test
    void a_tail_that_was_replaced_never_comes_back() {
        for (int seed = 0; seed < SEEDS; seed++) {
            var fresh = new SimulatedDisk();
            var node = StorageDriver.create(fresh);
            node.write("a", "b", "c");
            var shorter = StorageDriver.withLog(node.state(), node.log().truncateAfter(2));
            var next = StorageDriver.withTerm(shorter, 2, NodeSet.NONE);
            node.save(StorageDriver.withLog(next, next.log().append(List.of(StorageDriver.command(2, "x")))));
            var found =
                    StorageDriver.open(fresh.crash(new SplittableRandom(seed))).log();
            assertThat(found).isEqualTo(node.log().truncateAfter(2));
        }
    }

    @Test
    void entries_that_were_never_synced_are_truncated_without_a_sync() {
        var node = StorageDriver.create(disk);
        node.write("a");
        node.append("b", "c");
        long before = disk.syncs();
        node.truncateAfter(3);
        assertThat(disk.syncs()).isEqualTo(before);
        node.storage().sync();
        assertHolds(disk, node.state());
    }

    @Test
    void a_truncation_may_reach_into_an_earlier_segment() {
        var node = StorageDriver.create(disk);
        node.write("a", "b", "c", "d");
        node.storage().startSegment();
        node.write("e");
        node.truncateAfter(3);
        node.write("x", "y", "z");
        assertHolds(disk.copy(), node.state());
        node.compactTo(5, "state at 5"); // deletes the earlier segment
        assertHolds(disk, node.state());
    }

    @Test
    void a_crash_during_a_truncation_leaves_the_old_log_or_the_new_one() {
        crashDuring(
                node -> node.write("a", "b", "c"),
                node -> node.truncateAfter(2),
                after -> assertThat(StorageDriver.open(after).log().lastIndex()).isIn(2L, 4L));
    }

    // ---- snapshots ----

    @Test
    void segments_below_a_snapshot_are_deleted() {
        var node = StorageDriver.create(disk);
        for (int i = 0; i < 4; i++) {
            node.write("a" + i);
            node.storage().startSegment();
        }
        assertThat(segments(disk)).isEqualTo(5);
        node.compactTo(4, "state at 4");
        assertThat(segments(disk)).isEqualTo(2);
        assertHolds(disk, node.state());
    }

    private static long segments(SimulatedDisk disk) {
        return disk.list().stream().filter(name -> name.startsWith("entries-")).count();
    }

    @Test
    void a_crash_before_the_deletion_of_segments_does_no_harm() {
        crashDuring(
                node -> {
                    for (int i = 0; i < 4; i++) {
                        node.write("a" + i);
                        node.storage().startSegment();
                    }
                    node.write("last");
                },
                node -> node.compactTo(4, "state at 4"),
                after -> {
                    var reopened = StorageDriver.open(after);
                    assertThat(reopened.log().baseIndex()).isIn(1L, 4L);
                    assertThat(reopened.log().lastIndex()).isEqualTo(6);
                    reopened.write("next");
                    assertHolds(after, reopened.state());
                });
    }

    @Test
    void a_snapshot_is_not_current_before_a_state_with_its_base_is_saved() {
        var node = StorageDriver.create(disk);
        node.write("a", "b");
        node.storage()
                .stageSnapshot(
                        new EntryId(2, 1),
                        StorageDriver.ALONE,
                        StorageDriver.first().snapshot());
        assertHolds(disk.crash(new SplittableRandom(1)), node.state());
    }

    @Test
    void a_staged_snapshot_of_another_base_is_not_published() {
        var node = StorageDriver.create(disk);
        node.write("a", "b", "c");
        node.storage()
                .stageSnapshot(
                        new EntryId(2, 1),
                        StorageDriver.ALONE,
                        StorageDriver.first().snapshot());
        node.compactTo(3, "state at 3");
        assertHolds(disk, node.state());
    }

    @Test
    void a_crash_while_a_segment_is_started_does_no_harm() {
        crashDuring(node -> node.write("a", "b"), node -> node.storage().startSegment(), after -> {
            var reopened = StorageDriver.open(after);
            assertThat(reopened.log().lastIndex()).isEqualTo(3);
            reopened.storage().startSegment();
            reopened.write("c");
            assertHolds(after, reopened.state());
        });
    }

    @Test
    void an_installed_snapshot_after_the_end_of_the_log_replaces_it() {
        var node = StorageDriver.create(disk);
        node.write("a", "b");
        node.install(new EntryId(9, 5), "state at 9");
        node.write("c");
        assertHolds(disk.crash(new SplittableRandom(1)), node.state());
    }

    @Test
    void an_installed_snapshot_that_contradicts_the_log_replaces_it() {
        var node = StorageDriver.create(disk);
        node.write("a", "b", "c");
        node.saveTerm(2, NodeSet.NONE); // claims that entry 4 is on disk
        node.install(new EntryId(3, 2), "state at 3");
        assertHolds(disk.copy(), node.state());
        node.write("d");
        assertHolds(disk.crash(new SplittableRandom(1)), node.state());
    }

    @Test
    void a_crash_while_a_snapshot_replaces_the_log_leaves_the_old_state_or_the_new_one() {
        crashDuring(
                node -> {
                    node.write("a", "b");
                    node.storage().startSegment();
                    node.write("c", "d");
                    node.saveTerm(2, NodeSet.NONE);
                },
                node -> node.install(new EntryId(3, 2), "state at 3"), // the second segment begins after it
                after -> {
                    var found = StorageDriver.open(after).log();
                    boolean isNew = found.base().equals(new EntryId(3, 2));
                    assertThat(found.lastIndex()).isEqualTo(isNew ? 3 : 5);
                    assertThat(isNew || found.baseIndex() == 1).isTrue();
                });
    }

    @Test
    void an_installed_snapshot_within_the_log_keeps_the_entries_after_it() {
        var node = StorageDriver.create(disk);
        node.write("a", "b", "c");
        node.append("d");
        node.install(new EntryId(3, 1), "state at 3");
        node.storage().sync();
        assertHolds(disk.crash(new SplittableRandom(1)), node.state());
    }

    @Test
    void an_installed_snapshot_of_entries_that_are_not_synced_survives_a_crash_without_them() {
        var node = StorageDriver.create(disk);
        node.write("a");
        node.append("b", "c");
        node.install(new EntryId(3, 1), "state at 3");
        var found = StorageDriver.open(disk.crash(new SplittableRandom(1))).log();
        assertThat(found).isEqualTo(node.log().truncateAfter(3));
    }
}
