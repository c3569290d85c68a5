package habemus.service.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.protocol.NodeId;
import habemus.service.storage.CorruptFileException;
import habemus.service.transport.Member;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jgroups.protocols.raft.LogEntries;
import org.jgroups.protocols.raft.LogEntry;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A reopened storage has everything that was written, or reports corruption. */
@Tag("slow")
class RaftStorageTest {

    private static final List<Member> MEMBERS =
            List.of(new Member(new NodeId(1), new InetSocketAddress(InetAddress.getLoopbackAddress(), 7601)));

    @TempDir
    private Path folder;

    private RaftStorage open() {
        return new RaftStorage(folder, new ClusterConfiguration(MEMBERS)).open();
    }

    private static LogEntry entry(long term, int length) {
        var bytes = new byte[length];
        Arrays.fill(bytes, (byte) 7);
        return new LogEntry(term, bytes);
    }

    private static void append(RaftStorage storage, long term, int... lengths) {
        var entries = new LogEntries();
        for (int length : lengths) {
            entries.add(entry(term, length));
        }
        storage.append(storage.lastAppended() + 1, entries);
    }

    private static List<String> content(RaftStorage storage) {
        var all = new ArrayList<String>();
        storage.forEach((entry, index) -> all.add(index + "@" + entry.term() + ":" + entry.length()));
        return all;
    }

    /** Writes three frames and closes the storage. */
    private void filled() throws IOException {
        var storage = open();
        storage.currentTerm(3);
        storage.votedFor(new UUID(1, 2));
        append(storage, 1, 10, 20);
        append(storage, 2, 700);
        append(storage, 3, 900, 40);
        storage.shut();
    }

    @Test
    void a_reopened_storage_has_all_entries() throws IOException {
        filled();
        var again = open();
        assertThat(content(again)).containsExactly("1@1:10", "2@1:20", "3@2:700", "4@3:900", "5@3:40");
        assertThat(again.currentTerm()).isEqualTo(3);
        assertThat(again.votedFor()).isEqualTo(new UUID(1, 2));
        assertThat(again.commitIndex()).isZero();
    }

    @Test
    void entries_that_arrive_together_share_one_fsync() {
        var storage = open();
        long before = storage.syncs();
        storage.hold();
        append(storage, 1, 10, 20);
        append(storage, 1, 30);
        storage.release();
        assertThat(storage.syncs() - before).isEqualTo(1);
        assertThat(content(open())).containsExactly("1@1:10", "2@1:20", "3@1:30");
    }

    @Test
    void the_term_never_decreases_and_a_new_term_clears_the_vote() throws IOException {
        filled();
        var storage = open();
        append(storage, 2, 5);
        storage.currentTerm(2);
        storage.deleteAllEntriesStartingFrom(4);
        assertThat(open().currentTerm()).isEqualTo(3);
        storage.currentTerm(4);
        assertThat(open().votedFor()).isNull();
    }

    @Test
    void a_snapshot_and_its_index_are_written_in_one_step() throws IOException {
        filled();
        var storage = open();
        storage.commitIndex(4);
        storage.setSnapshot(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertThat(open().getSnapshot()).isNull();
        var whole = Files.readAllBytes(folder.resolve("entries"));
        storage.truncate(4);
        assertThat(storage.sizeInBytes()).isLessThan(200);
        assertSnapshotAndRest(open());
        Files.write(folder.resolve("entries"), whole); // as after a crash between the two steps
        assertSnapshotAndRest(open());
    }

    @Test
    void entries_stay_if_the_snapshot_cannot_be_written() throws IOException {
        filled();
        assertKeptAll(storage -> storage.truncate(4));
        assertKeptAll(storage -> storage.reinitializeTo(9, new LogEntry(9, null)));
    }

    private void assertKeptAll(Consumer<RaftStorage> action) throws IOException {
        var storage = open();
        storage.commitIndex(4);
        storage.setSnapshot(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        var obstacle = Files.createDirectory(folder.resolve("snapshot.new"));
        assertThatThrownBy(() -> action.accept(storage)).isInstanceOf(UncheckedIOException.class);
        storage.shut();
        Files.delete(obstacle);
        var again = open();
        assertThat(content(again)).hasSize(5);
        again.shut();
    }

    private static void assertSnapshotAndRest(RaftStorage again) {
        assertThat(again.getSnapshot()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertThat(content(again)).containsExactly("5@3:40");
        assertThat(again.commitIndex()).isEqualTo(4);
        assertThat(again.firstAppended()).isEqualTo(5);
        assertThat(again.termAt(4)).isEqualTo(3);
    }

    @Test
    void a_conflicting_snapshot_replaces_all_entries() throws IOException {
        filled();
        var storage = open();
        storage.setSnapshot(ByteBuffer.wrap(new byte[] {9}));
        storage.reinitializeTo(4, new LogEntry(9, null));
        append(storage, 9, 1);
        var again = open();
        assertThat(content(again)).containsExactly("5@9:1");
        assertThat(again.currentTerm()).isEqualTo(3);
    }

    @Test
    void a_flipped_bit_is_detected_and_its_file_named() throws IOException {
        var storage = open();
        storage.currentTerm(1);
        append(storage, 1, 10);
        storage.commitIndex(1);
        storage.setSnapshot(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        storage.truncate(1);
        append(storage, 1, 20, 5);
        append(storage, 1, 30);
        storage.shut();
        for (String name : List.of("term", "snapshot", "entries")) {
            var file = folder.resolve(name);
            var good = Files.readAllBytes(file);
            int written = name.equals("entries") ? (int) storage.sizeInBytes() : good.length;
            for (int at = 0; at < written; at++) {
                var bad = good.clone();
                bad[at] = (byte) (bad[at] ^ (1 << at % 8));
                Files.write(file, bad);
                assertThatThrownBy(this::open)
                        .as("byte %d of %s", at, name)
                        .isInstanceOf(CorruptFileException.class)
                        .hasMessageStartingWith(file + " is damaged");
            }
            Files.write(file, good);
        }
        assertThatCode(this::open).doesNotThrowAnyException();
    }

    @Test
    void a_missing_file_is_detected() throws IOException {
        filled();
        var storage = open();
        storage.commitIndex(1);
        storage.setSnapshot(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        storage.truncate(1);
        storage.shut();
        for (String name : List.of("term", "snapshot", "entries")) {
            var file = folder.resolve(name);
            var good = Files.readAllBytes(file);
            Files.delete(file);
            assertThatThrownBy(this::open)
                    .isInstanceOf(CorruptFileException.class)
                    .hasMessageStartingWith(file + " is missing");
            Files.write(file, good);
        }
    }

    /** Truncated anywhere in the last frame, or with a sector that never reached the disk. */
    @Test
    void a_torn_last_frame_is_cut_off() throws IOException {
        filled();
        var file = folder.resolve("entries");
        var good = Arrays.copyOf(Files.readAllBytes(file), (int) open().sizeInBytes());
        int last = good.length - (20 + 13 + 900 + 13 + 40);
        for (int length = last; length < good.length; length += 7) {
            Files.write(file, Arrays.copyOf(good, length));
            assertThat(content(open())).as("%d bytes", length).hasSize(3);
        }
        for (int sector = last / 512; sector <= good.length / 512; sector++) {
            var torn = Arrays.copyOf(good, 5_000);
            Arrays.fill(torn, Math.max(last, sector * 512), Math.min(good.length, (sector + 1) * 512), (byte) 0);
            Files.write(file, torn);
            assertThat(content(open())).as("sector %d", sector).hasSize(3);
        }
        Files.write(file, Arrays.copyOf(Arrays.copyOf(good, last), 5_000));
        var again = open();
        assertThat(content(again)).hasSize(3);
        append(again, 4, 1);
        assertThat(content(open())).hasSize(4);
    }

    @Test
    void a_torn_frame_before_the_last_one_is_corruption() throws IOException {
        filled();
        var file = folder.resolve("entries");
        var good = Files.readAllBytes(file);
        for (int from : List.of(104, 200)) { // with and without the frame header
            var bad = good.clone();
            Arrays.fill(bad, from, 700, (byte) 0);
            Files.write(file, bad);
            assertThatThrownBy(this::open)
                    .isInstanceOf(CorruptFileException.class)
                    .hasMessageContaining("at entry 3");
        }
    }

    @Test
    void committed_entries_are_not_deleted() throws IOException {
        filled();
        var storage = open();
        storage.commitIndex(4);
        assertThatThrownBy(() -> storage.deleteAllEntriesStartingFrom(4)).isInstanceOf(IllegalStateException.class);
        storage.deleteAllEntriesStartingFrom(5);
        assertThat(content(open())).hasSize(4);
    }
}
