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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is on disk is there again, or it is said that it is not. */
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

    private static void append(RaftStorage raftStorage, long term, int... lengths) {
        var entries = new LogEntries();
        for (int length : lengths) {
            entries.add(entry(term, length));
        }
        raftStorage.append(raftStorage.lastAppended() + 1, entries);
    }

    private static List<String> content(RaftStorage raftStorage) {
        var all = new ArrayList<String>();
        raftStorage.forEach((entry, index) -> all.add(index + "@" + entry.term() + ":" + entry.length()));
        return all;
    }

    /** Three frames, in a journal that was closed. */
    private void filled() throws IOException {
        var raftStorage = open();
        raftStorage.currentTerm(3);
        raftStorage.votedFor(new UUID(1, 2));
        append(raftStorage, 1, 10, 20);
        append(raftStorage, 2, 700);
        append(raftStorage, 3, 900, 40);
        raftStorage.shut();
    }

    @Test
    void all_is_there_again() throws IOException {
        filled();
        var again = open();
        assertThat(content(again)).containsExactly("1@1:10", "2@1:20", "3@2:700", "4@3:900", "5@3:40");
        assertThat(again.currentTerm()).isEqualTo(3);
        assertThat(again.votedFor()).isEqualTo(new UUID(1, 2));
        assertThat(again.commitIndex()).isZero();
    }

    @Test
    void entries_that_arrive_together_cost_one_sync() {
        var raftStorage = open();
        long before = raftStorage.syncs();
        raftStorage.hold();
        append(raftStorage, 1, 10, 20);
        append(raftStorage, 1, 30);
        raftStorage.release();
        assertThat(raftStorage.syncs() - before).isEqualTo(1);
        assertThat(content(open())).containsExactly("1@1:10", "2@1:20", "3@1:30");
    }

    @Test
    void the_term_never_goes_back_and_a_vote_is_of_one_term() throws IOException {
        filled();
        var raftStorage = open();
        append(raftStorage, 2, 5);
        raftStorage.currentTerm(2);
        raftStorage.deleteAllEntriesStartingFrom(4);
        assertThat(open().currentTerm()).isEqualTo(3);
        raftStorage.currentTerm(4);
        assertThat(open().votedFor()).isNull();
    }

    @Test
    void a_snapshot_and_where_it_belongs_are_one_step() throws IOException {
        filled();
        var raftStorage = open();
        raftStorage.commitIndex(4);
        raftStorage.setSnapshot(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertThat(open().getSnapshot()).isNull();
        var whole = Files.readAllBytes(folder.resolve("entries"));
        raftStorage.truncate(4);
        assertThat(raftStorage.sizeInBytes()).isLessThan(200);
        assertSnapshotAndRest(open());
        Files.write(folder.resolve("entries"), whole); // as if it had been killed in between
        assertSnapshotAndRest(open());
    }

    @Test
    void what_cannot_be_kept_as_a_snapshot_is_not_removed() throws IOException {
        filled();
        assertKeptAll(raftStorage -> raftStorage.truncate(4));
        assertKeptAll(raftStorage -> raftStorage.reinitializeTo(9, new LogEntry(9, null)));
    }

    private void assertKeptAll(Consumer<RaftStorage> how) throws IOException {
        var raftStorage = open();
        raftStorage.commitIndex(4);
        raftStorage.setSnapshot(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        var obstacle = Files.createDirectory(folder.resolve("snapshot.new"));
        assertThatThrownBy(() -> how.accept(raftStorage)).isInstanceOf(UncheckedIOException.class);
        raftStorage.shut();
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
    void a_snapshot_of_another_history_takes_the_place_of_all() throws IOException {
        filled();
        var raftStorage = open();
        raftStorage.setSnapshot(ByteBuffer.wrap(new byte[] {9}));
        raftStorage.reinitializeTo(4, new LogEntry(9, null));
        append(raftStorage, 9, 1);
        var again = open();
        assertThat(content(again)).containsExactly("5@9:1");
        assertThat(again.currentTerm()).isEqualTo(3);
    }

    @Test
    void a_flipped_bit_anywhere_is_noticed_and_its_file_named() throws IOException {
        var raftStorage = open();
        raftStorage.currentTerm(1);
        append(raftStorage, 1, 10);
        raftStorage.commitIndex(1);
        raftStorage.setSnapshot(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        raftStorage.truncate(1);
        append(raftStorage, 1, 20, 5);
        append(raftStorage, 1, 30);
        raftStorage.shut();
        for (String name : List.of("term", "snapshot", "entries")) {
            var file = folder.resolve(name);
            var good = Files.readAllBytes(file);
            int written = name.equals("entries") ? (int) raftStorage.sizeInBytes() : good.length;
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
    void a_file_that_is_missing_is_noticed() throws IOException {
        filled();
        var raftStorage = open();
        raftStorage.commitIndex(1);
        raftStorage.setSnapshot(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        raftStorage.truncate(1);
        raftStorage.shut();
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

    /** Cut anywhere in the last frame, or with a piece of it that never reached the disk. */
    @Test
    void what_a_crash_has_torn_is_cut_off() throws IOException {
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
    void what_is_torn_before_the_end_is_damage() throws IOException {
        filled();
        var file = folder.resolve("entries");
        var good = Files.readAllBytes(file);
        for (int from : List.of(104, 200)) { // with the frame's head and without
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
        var raftStorage = open();
        raftStorage.commitIndex(4);
        assertThatThrownBy(() -> raftStorage.deleteAllEntriesStartingFrom(4)).isInstanceOf(IllegalStateException.class);
        raftStorage.deleteAllEntriesStartingFrom(5);
        assertThat(content(open())).hasSize(4);
    }
}
