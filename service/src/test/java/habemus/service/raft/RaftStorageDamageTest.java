package habemus.service.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.protocol.EntryId;
import habemus.protocol.NodeSet;
import habemus.raft.RaftState.DurableState;
import habemus.service.simulation.SimulatedDisk;
import habemus.service.storage.CorruptFileException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Damaged files are refused by name, and a disk that failed is not trusted any more. */
@Tag("slow")
class RaftStorageDamageTest {

    private static final int SECTOR_BYTES = 512;
    private static final String FIRST_SEGMENT = "entries-000000000001";
    private static final String LAST_SEGMENT = "entries-000000000002";

    private final SimulatedDisk disk = new SimulatedDisk();
    private DurableState state = StorageDriver.first();

    /** Two segments; the last one ends with a frame of several sectors, of which one holds only zeros of a command. */
    @BeforeEach
    void write() {
        var node = StorageDriver.create(disk);
        node.write("a", "b");
        node.write("c");
        node.storage().startSegment();
        node.write("d");
        node.append(StorageDriver.command(1, "e"), StorageDriver.zeros(1, 1_300));
        node.storage().sync();
        state = node.state();
    }

    private static void assertRefused(SimulatedDisk damaged, String file, String damage) {
        assertThatThrownBy(() -> StorageDriver.open(damaged))
                .as(damage)
                .isInstanceOf(CorruptFileException.class)
                .hasMessageContaining("disk/" + file);
    }

    /** The position after the last byte that is not zero. */
    private long end(String file) {
        var bytes = disk.read(file).orElseThrow();
        int end = bytes.limit();
        while (end > 0 && bytes.get(end - 1) == 0) {
            end--;
        }
        return end;
    }

    // ---- damaged files ----

    @Test
    void a_flipped_bit_in_the_term_or_the_snapshot_is_refused() {
        for (var file : List.of("term", "snapshot")) {
            for (long bit = 0; bit < 8 * disk.size(file); bit++) {
                var damaged = disk.copy();
                damaged.flipBit(file, bit);
                assertRefused(damaged, file, "bit " + bit + " of " + file);
            }
        }
    }

    @Test
    void a_flipped_bit_in_the_entries_is_refused() {
        for (long at = 0; at < end(LAST_SEGMENT) + SECTOR_BYTES; at++) {
            var damaged = disk.copy();
            damaged.flipBit(LAST_SEGMENT, 8 * at + at % 7);
            assertRefused(damaged, LAST_SEGMENT, "byte " + at);
        }
    }

    @Test
    void a_flipped_bit_in_an_earlier_segment_is_refused() {
        for (long at = 0; at < disk.size(FIRST_SEGMENT); at += at < end(FIRST_SEGMENT) ? 13 : 9_999) {
            var damaged = disk.copy();
            damaged.flipBit(FIRST_SEGMENT, 8 * at + at % 7);
            assertRefused(damaged, FIRST_SEGMENT, "byte " + at);
        }
    }

    @Test
    void a_flipped_bit_in_the_zeros_after_the_entries_is_refused() {
        var random = new SplittableRandom(1);
        for (int i = 0; i < 100; i++) {
            var damaged = disk.copy();
            long bit = random.nextLong(8 * end(LAST_SEGMENT), 8 * disk.size(LAST_SEGMENT));
            damaged.flipBit(LAST_SEGMENT, bit);
            assertRefused(damaged, LAST_SEGMENT, "bit " + bit);
        }
    }

    @Test
    void a_term_or_a_snapshot_that_was_cut_off_is_refused() {
        for (var file : List.of("term", "snapshot")) {
            for (long size = 0; size < disk.size(file); size++) {
                var damaged = disk.copy();
                damaged.truncate(file, size);
                assertRefused(damaged, file, "cut off at " + size);
            }
        }
    }

    @Test
    void entries_that_were_cut_off_at_any_byte_are_refused() {
        for (var file : List.of(FIRST_SEGMENT, LAST_SEGMENT)) {
            long end = end(file);
            for (long size = 0; size <= end; size += size % SECTOR_BYTES < 2 || size > end - SECTOR_BYTES ? 1 : 5) {
                var damaged = disk.copy();
                damaged.truncate(file, size);
                assertRefused(damaged, file, "cut off at " + size);
            }
        }
    }

    @Test
    void zeros_that_were_cut_off_after_the_entries_lose_nothing() {
        for (long size = end(LAST_SEGMENT) + 2 * SECTOR_BYTES; size < disk.size(LAST_SEGMENT); size += 9_999) {
            var cut = disk.copy();
            cut.truncate(LAST_SEGMENT, size);
            var reopened = StorageDriver.open(cut);
            assertThat(StorageDriver.areEqual(reopened.state(), state)).isTrue();
            reopened.write("next");
            assertThat(StorageDriver.open(cut.crash(new SplittableRandom(size))).log())
                    .isEqualTo(reopened.log());
        }
    }

    @Test
    void a_missing_file_is_refused() {
        var node = StorageDriver.open(disk);
        node.storage().startSegment();
        assertThat(disk.list()).hasSize(5);
        for (var file : disk.list()) {
            var damaged = disk.copy();
            damaged.lose(file);
            assertRefused(damaged, file, file + " is missing");
        }
    }

    @Test
    void a_missing_segment_is_refused_even_if_the_log_was_truncated_before_its_end() {
        var node = StorageDriver.open(disk);
        node.truncateAfter(3); // in the first segment
        node.storage().startSegment();
        disk.lose(LAST_SEGMENT);
        assertRefused(disk, LAST_SEGMENT, "missing");
    }

    @Test
    void entries_that_were_on_disk_when_the_term_was_saved_must_be_there() {
        var old = disk.read(LAST_SEGMENT).orElseThrow();
        var node = StorageDriver.open(disk);
        node.write("f");
        node.saveTerm(2, NodeSet.NONE);
        var file = disk.open(LAST_SEGMENT);
        file.write(0, old);
        file.sync();
        assertThatThrownBy(() -> StorageDriver.open(disk))
                .isInstanceOf(CorruptFileException.class)
                .hasMessageStartingWith("disk has lost entries: the log ends at 7@1, but entry 8@1 was on disk");
    }

    @Test
    void an_old_snapshot_below_the_first_segment_is_refused() {
        var old = disk.read("snapshot").orElseThrow();
        var node = StorageDriver.open(disk);
        node.compactTo(6, "state at 6");
        disk.replace("snapshot", old);
        assertThatThrownBy(() -> StorageDriver.open(disk)).isInstanceOf(CorruptFileException.class);
    }

    // ---- torn frames ----

    /** The numbers of the sectors that are not zero. */
    private List<Integer> usedSectors(String file) {
        var used = new ArrayList<Integer>();
        var bytes = disk.read(file).orElseThrow();
        for (int at = 0; at < bytes.limit(); at++) {
            if (bytes.get(at) != 0 && !used.contains(at / SECTOR_BYTES)) {
                used.add(at / SECTOR_BYTES);
            }
        }
        return used;
    }

    private SimulatedDisk withoutSector(String file, int sector) {
        var damaged = disk.copy();
        var open = damaged.open(file);
        open.write((long) sector * SECTOR_BYTES, ByteBuffer.allocate(SECTOR_BYTES));
        open.sync();
        return damaged;
    }

    @Test
    void a_torn_last_frame_is_cut_off() {
        var sectors = usedSectors(LAST_SEGMENT);
        for (int sector : sectors.subList(sectors.size() - 3, sectors.size())) {
            var torn = withoutSector(LAST_SEGMENT, sector);
            var node = StorageDriver.open(torn);
            assertThat(node.log())
                    .as("without sector %d", sector)
                    .isEqualTo(state.log().truncateAfter(5));
            node.write("next");
            assertThat(StorageDriver.open(torn.crash(new SplittableRandom(1))).log())
                    .isEqualTo(node.log());
        }
    }

    @Test
    void a_torn_frame_before_the_last_one_is_corruption() {
        var sectors = usedSectors(LAST_SEGMENT);
        for (int sector : sectors.subList(0, sectors.size() - 3)) {
            assertRefused(withoutSector(LAST_SEGMENT, sector), LAST_SEGMENT, "without sector " + sector);
        }
    }

    @Test
    void a_torn_frame_in_an_earlier_segment_is_corruption() {
        for (int sector : usedSectors(FIRST_SEGMENT)) {
            assertRefused(withoutSector(FIRST_SEGMENT, sector), FIRST_SEGMENT, "without sector " + sector);
        }
    }

    // ---- failing disks ----

    private void assertFails(Consumer<SimulatedDisk> fault, Consumer<StorageDriver> operation) {
        var failing = disk.copy();
        var node = StorageDriver.open(failing);
        var before = node.state();
        fault.accept(failing);
        assertThatThrownBy(() -> operation.accept(node)).isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(() -> node.storage().sync()).hasMessageContaining("failed before");
        assertThatThrownBy(() -> node.save(StorageDriver.withTerm(before, 99, NodeSet.NONE)))
                .hasMessageContaining("failed before");
        assertThatThrownBy(() -> node.storage().startSegment()).hasMessageContaining("failed before");
        assertThatCode(() -> StorageDriver.open(failing.crash(new SplittableRandom(1))))
                .doesNotThrowAnyException();
    }

    @Test
    void a_failed_write_or_sync_of_entries_is_never_followed_by_a_sync_that_succeeds() {
        assertFails(SimulatedDisk::failNextWrite, node -> node.write("f"));
        assertFails(SimulatedDisk::failNextSync, node -> node.write("f"));
        assertFails(SimulatedDisk::fill, node -> node.write("f".repeat(2 << 20)));
    }

    @Test
    void a_failed_write_or_sync_of_the_term_ends_the_storage() {
        assertFails(SimulatedDisk::failNextWrite, node -> node.saveTerm(2, NodeSet.NONE));
        assertFails(SimulatedDisk::failNextSync, node -> node.saveTerm(2, NodeSet.NONE));
        assertFails(SimulatedDisk::fill, node -> node.saveTerm(2, NodeSet.NONE));
    }

    @Test
    void a_failed_truncation_ends_the_storage() {
        assertFails(SimulatedDisk::failNextWrite, node -> node.truncateAfter(4));
        assertFails(SimulatedDisk::failNextSync, node -> node.truncateAfter(4));
    }

    @Test
    void a_failed_snapshot_ends_the_storage() {
        assertFails(SimulatedDisk::failNextWrite, node -> node.compactTo(4, "state at 4"));
        assertFails(SimulatedDisk::failNextSync, node -> node.compactTo(4, "state at 4"));
        assertFails(SimulatedDisk::failNextSync, node -> node.install(new EntryId(4, 9), "state at 4"));
        assertFails(
                SimulatedDisk::fill,
                node -> node.storage().stageSnapshot(new EntryId(4, 1), StorageDriver.ALONE, state.snapshot()));
    }

    @Test
    void a_failed_start_of_a_segment_ends_the_storage() {
        assertFails(SimulatedDisk::failNextWrite, node -> node.storage().startSegment());
        assertFails(SimulatedDisk::failNextSync, node -> node.storage().startSegment());
        assertFails(SimulatedDisk::fill, node -> node.storage().startSegment());
    }
}
