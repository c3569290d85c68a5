package habemus.service.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What a crash of the simulated disk takes, and what it leaves. */
class SimulatedDiskTest {

    private static final int SEEDS = 200;

    private static ByteBuffer sectors(int... values) {
        var bytes = ByteBuffer.allocate(values.length * SimulatedDisk.SECTOR_BYTES);
        for (int value : values) {
            var sector = new byte[SimulatedDisk.SECTOR_BYTES];
            Arrays.fill(sector, (byte) value);
            bytes.put(sector);
        }
        return bytes.flip();
    }

    /** All contents of file {@code a} after a crash, over many seeds. */
    private static Set<String> outcomes(Consumer<SimulatedDisk> operations) {
        var outcomes = new HashSet<String>();
        for (int seed = 0; seed < SEEDS; seed++) {
            var disk = new SimulatedDisk();
            operations.accept(disk);
            outcomes.add(text(disk.crash(new SplittableRandom(seed)), "a"));
        }
        return outcomes;
    }

    private static String text(SimulatedDisk disk, String file) {
        return disk.read(file)
                .map(bytes -> {
                    var text = new StringBuilder();
                    for (int at = 0; at < bytes.limit(); at += SimulatedDisk.SECTOR_BYTES) {
                        text.append(bytes.get(at));
                    }
                    return text.toString();
                })
                .orElse("none");
    }

    @Test
    void the_head_of_a_file_is_read_alone() {
        var disk = new SimulatedDisk();
        disk.create("a").write(0, sectors(1, 2, 3));
        assertThat(disk.readHead("a", 2 * SimulatedDisk.SECTOR_BYTES)).contains(sectors(1, 2));
        assertThat(disk.readHead("a", 9 * SimulatedDisk.SECTOR_BYTES)).contains(sectors(1, 2, 3));
        assertThat(disk.readHead("b", 1)).isEmpty();
    }

    @Test
    void zeros_extend_a_file_and_replace_content() {
        var disk = new SimulatedDisk();
        var file = disk.create("a");
        file.write(0, sectors(1, 2));
        file.write(SimulatedDisk.SECTOR_BYTES, sectors(0, 0));
        assertThat(text(disk, "a")).isEqualTo("100");
    }

    @Test
    void synced_content_survives() {
        assertThat(outcomes(disk -> {
                    var file = disk.create("a");
                    file.write(0, sectors(1, 2));
                    file.sync();
                }))
                .containsExactly("12");
    }

    @Test
    void any_subset_of_unsynced_sectors_survives() {
        assertThat(outcomes(disk -> {
                    var file = disk.create("a");
                    file.write(0, sectors(1, 1));
                    file.sync();
                    file.write(0, sectors(2, 2));
                    file.write(512, sectors(3));
                }))
                .containsExactlyInAnyOrder("11", "12", "13", "21", "22", "23");
    }

    @Test
    void an_unsynced_size_survives_or_not_and_what_did_not_is_zero() {
        assertThat(outcomes(disk -> disk.create("a").write(0, sectors(1)))).containsExactlyInAnyOrder("", "0", "1");
    }

    @Test
    void an_unsynced_delete_may_be_undone() {
        var outcomes = new HashSet<String>();
        for (int seed = 0; seed < SEEDS; seed++) {
            var disk = new SimulatedDisk();
            disk.replace("a", sectors(1));
            disk.replace("b", sectors(1));
            disk.delete("a");
            disk.delete("b");
            outcomes.add(String.join("", disk.crash(new SplittableRandom(seed)).list()));
        }
        assertThat(outcomes).containsExactlyInAnyOrder("", "a", "b", "ab");
    }

    @Test
    void a_replaced_file_has_the_old_or_the_new_content() {
        var outcomes = new HashSet<String>();
        for (int steps = 0; steps < 5; steps++) {
            for (int seed = 0; seed < SEEDS; seed++) {
                var disk = new SimulatedDisk();
                disk.replace("a", sectors(1, 1));
                disk.failPowerAfter(steps);
                try {
                    disk.replace("a", sectors(2, 2));
                } catch (SimulatedDisk.PowerFailureException expected) {
                    assertThat(steps).isLessThan(5);
                }
                outcomes.add(text(disk.crash(new SplittableRandom(seed)), "a"));
            }
        }
        assertThat(outcomes).containsExactlyInAnyOrder("11", "22");
    }

    @Test
    void a_killed_process_loses_nothing_but_the_content_is_still_not_synced() {
        var outcomes = new HashSet<String>();
        for (int seed = 0; seed < SEEDS; seed++) {
            var disk = new SimulatedDisk();
            disk.create("a").write(0, sectors(1));
            var next = disk.kill();
            assertThat(text(next, "a")).isEqualTo("1");
            outcomes.add(text(next.crash(new SplittableRandom(seed)), "a"));
        }
        assertThat(outcomes).containsExactlyInAnyOrder("", "0", "1");
    }

    @Test
    void after_a_failed_sync_the_next_one_does_not_save_what_was_lost() {
        var disk = new SimulatedDisk();
        var file = disk.create("a");
        file.write(0, sectors(1));
        disk.failNextSync();
        assertThatThrownBy(file::sync).isInstanceOf(UncheckedIOException.class);
        file.write(512, sectors(2));
        file.sync();
        assertThat(text(disk.crash(new SplittableRandom(1)), "a")).isEqualTo("02");
    }

    @Test
    void a_full_disk_refuses_what_needs_space() {
        var disk = new SimulatedDisk();
        var file = disk.create("a");
        file.write(0, sectors(1, 1));
        disk.fill();
        file.write(0, sectors(2));
        assertThatThrownBy(() -> file.write(1024, sectors(3)))
                .isInstanceOf(UncheckedIOException.class)
                .rootCause()
                .hasMessage("no space left on device");
    }
}
