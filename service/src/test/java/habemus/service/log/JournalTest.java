package habemus.service.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.protocol.NodeId;
import habemus.service.disk.Damaged;
import habemus.service.net.Member;
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
class JournalTest {

    private static final List<Member> MEMBERS =
            List.of(new Member(new NodeId(1), new InetSocketAddress(InetAddress.getLoopbackAddress(), 7601)));

    @TempDir
    private Path folder;

    private Journal open() {
        return new Journal(folder, new Roster(MEMBERS)).open();
    }

    private static LogEntry entry(long term, int length) {
        var bytes = new byte[length];
        Arrays.fill(bytes, (byte) 7);
        return new LogEntry(term, bytes);
    }

    private static void append(Journal journal, long term, int... lengths) {
        var entries = new LogEntries();
        for (int length : lengths) {
            entries.add(entry(term, length));
        }
        journal.append(journal.lastAppended() + 1, entries);
    }

    private static List<String> content(Journal journal) {
        var all = new ArrayList<String>();
        journal.forEach((entry, index) -> all.add(index + "@" + entry.term() + ":" + entry.length()));
        return all;
    }

    /** Three frames, in a journal that was closed. */
    private void filled() throws IOException {
        var journal = open();
        journal.currentTerm(3);
        journal.votedFor(new UUID(1, 2));
        append(journal, 1, 10, 20);
        append(journal, 2, 700);
        append(journal, 3, 900, 40);
        journal.shut();
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
        var journal = open();
        long before = journal.syncs();
        journal.hold();
        append(journal, 1, 10, 20);
        append(journal, 1, 30);
        journal.release();
        assertThat(journal.syncs() - before).isEqualTo(1);
        assertThat(content(open())).containsExactly("1@1:10", "2@1:20", "3@1:30");
    }

    @Test
    void the_term_never_goes_back_and_a_vote_is_of_one_term() throws IOException {
        filled();
        var journal = open();
        append(journal, 2, 5);
        journal.currentTerm(2);
        journal.deleteAllEntriesStartingFrom(4);
        assertThat(open().currentTerm()).isEqualTo(3);
        journal.currentTerm(4);
        assertThat(open().votedFor()).isNull();
    }

    @Test
    void a_snapshot_and_where_it_belongs_are_one_step() throws IOException {
        filled();
        var journal = open();
        journal.commitIndex(4);
        journal.setSnapshot(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertThat(open().getSnapshot()).isNull();
        var whole = Files.readAllBytes(folder.resolve("entries"));
        journal.truncate(4);
        assertThat(journal.sizeInBytes()).isLessThan(200);
        assertSnapshotAndRest(open());
        Files.write(folder.resolve("entries"), whole); // as if it had been killed in between
        assertSnapshotAndRest(open());
    }

    @Test
    void what_cannot_be_kept_as_a_snapshot_is_not_removed() throws IOException {
        filled();
        assertKeptAll(journal -> journal.truncate(4));
        assertKeptAll(journal -> journal.reinitializeTo(9, new LogEntry(9, null)));
    }

    private void assertKeptAll(Consumer<Journal> how) throws IOException {
        var journal = open();
        journal.commitIndex(4);
        journal.setSnapshot(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        var obstacle = Files.createDirectory(folder.resolve("snapshot.new"));
        assertThatThrownBy(() -> how.accept(journal)).isInstanceOf(UncheckedIOException.class);
        journal.shut();
        Files.delete(obstacle);
        var again = open();
        assertThat(content(again)).hasSize(5);
        again.shut();
    }

    private static void assertSnapshotAndRest(Journal again) {
        assertThat(again.getSnapshot()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertThat(content(again)).containsExactly("5@3:40");
        assertThat(again.commitIndex()).isEqualTo(4);
        assertThat(again.firstAppended()).isEqualTo(5);
        assertThat(again.termAt(4)).isEqualTo(3);
    }

    @Test
    void a_snapshot_of_another_history_takes_the_place_of_all() throws IOException {
        filled();
        var journal = open();
        journal.setSnapshot(ByteBuffer.wrap(new byte[] {9}));
        journal.reinitializeTo(4, new LogEntry(9, null));
        append(journal, 9, 1);
        var again = open();
        assertThat(content(again)).containsExactly("5@9:1");
        assertThat(again.currentTerm()).isEqualTo(3);
    }

    @Test
    void a_flipped_bit_anywhere_is_noticed_and_its_file_named() throws IOException {
        var journal = open();
        journal.currentTerm(1);
        append(journal, 1, 10);
        journal.commitIndex(1);
        journal.setSnapshot(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        journal.truncate(1);
        append(journal, 1, 20, 5);
        append(journal, 1, 30);
        journal.shut();
        for (String name : List.of("term", "snapshot", "entries")) {
            var file = folder.resolve(name);
            var good = Files.readAllBytes(file);
            int written = name.equals("entries") ? (int) journal.sizeInBytes() : good.length;
            for (int at = 0; at < written; at++) {
                var bad = good.clone();
                bad[at] = (byte) (bad[at] ^ (1 << at % 8));
                Files.write(file, bad);
                assertThatThrownBy(this::open)
                        .as("byte %d of %s", at, name)
                        .isInstanceOf(Damaged.class)
                        .hasMessageStartingWith(file + " is damaged");
            }
            Files.write(file, good);
        }
        assertThatCode(this::open).doesNotThrowAnyException();
    }

    @Test
    void a_file_that_is_missing_is_noticed() throws IOException {
        filled();
        var journal = open();
        journal.commitIndex(1);
        journal.setSnapshot(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        journal.truncate(1);
        journal.shut();
        for (String name : List.of("term", "snapshot", "entries")) {
            var file = folder.resolve(name);
            var good = Files.readAllBytes(file);
            Files.delete(file);
            assertThatThrownBy(this::open).isInstanceOf(Damaged.class).hasMessageStartingWith(file + " is missing");
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
            assertThatThrownBy(this::open).isInstanceOf(Damaged.class).hasMessageContaining("at entry 3");
        }
    }

    @Test
    void committed_entries_are_not_deleted() throws IOException {
        filled();
        var journal = open();
        journal.commitIndex(4);
        assertThatThrownBy(() -> journal.deleteAllEntriesStartingFrom(4)).isInstanceOf(IllegalStateException.class);
        journal.deleteAllEntriesStartingFrom(5);
        assertThat(content(open())).hasSize(4);
    }
}
