package habemus.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PersistentLogTest {

    private static final int CHUNK_SIZE = 128;
    private static final int BLOCK_SIZE = CHUNK_SIZE * CHUNK_SIZE;
    private static final Configuration FIRST = members(1);
    private static final PersistentLog EMPTY = PersistentLog.startingAfter(new EntryId(0, 0), FIRST);

    private static Configuration members(int size) {
        return new Configuration(
                NodeSet.of(IntStream.rangeClosed(1, size).mapToObj(NodeId::new).toList()), NodeSet.NONE);
    }

    private static LogEntry command(long term, long number) {
        return new LogEntry(term, new LogEntry.Command(ByteString.ofText(Long.toString(number))));
    }

    private static List<LogEntry> commands(long from, long to) {
        return LongStream.rangeClosed(from, to)
                .mapToObj(number -> command(1, number))
                .toList();
    }

    /** The same log as a plain list, with placeholders up to the base, so that positions are indexes. */
    private static final class ReferenceLog {
        private final List<LogEntry> all;
        private int base;

        ReferenceLog(int base) {
            this.base = base;
            all = new ArrayList<>(Collections.nCopies(base + 1, new LogEntry(0, new LogEntry.NoOp())));
        }

        int last() {
            return all.size() - 1;
        }

        void truncateAfter(int index) {
            all.subList(index + 1, all.size()).clear();
        }

        List<LogEntry> entries(int from, int to) {
            return all.subList(from, to + 1);
        }

        Configuration configurationAt(int index) {
            for (int i = index; i > 0; i--) {
                if (all.get(i).content() instanceof LogEntry.Members(var members)) {
                    return members;
                }
            }
            return FIRST;
        }

        int lastWithTermAtMost(int index, long term) {
            int i = index;
            while (i > base && all.get(i).term() > term) {
                i--;
            }
            return i;
        }

        /** The same log, built in one piece. */
        PersistentLog rebuilt() {
            var start = new EntryId(base, all.get(base).term());
            return PersistentLog.startingAfter(start, configurationAt(base)).append(entries(base + 1, last()));
        }
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 20);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void a_log_equals_a_plain_list_after_any_operations(long seed) {
        var random = new SplittableRandom(seed);
        var reference = new ReferenceLog(seed % 2 == 0 ? 0 : BLOCK_SIZE - 3 * CHUNK_SIZE);
        var log = reference.rebuilt();
        for (int step = 0; step < 200; step++) {
            log = change(log, reference, random, step);
            assertThat(log).isEqualTo(reference.rebuilt());
            assertThat(log.hashCode()).isEqualTo(reference.rebuilt().hashCode());
            compare(log, reference, random);
        }
    }

    /** Appends, removes or compacts at a random place, at the borders of chunks more often than elsewhere. */
    private static PersistentLog change(PersistentLog log, ReferenceLog reference, SplittableRandom random, int step) {
        int place = place(reference, random);
        int kind = random.nextInt(8);
        if (kind == 0) {
            reference.truncateAfter(place);
            return log.truncateAfter(place);
        }
        if (kind == 1) {
            reference.base = place;
            return log.compactTo(place);
        }
        var batch = batch(random, step);
        reference.all.addAll(batch);
        return log.append(batch);
    }

    private static int place(ReferenceLog reference, SplittableRandom random) {
        int any = random.nextInt(reference.base, reference.last() + 1);
        int border = any / CHUNK_SIZE * CHUNK_SIZE + random.nextInt(-1, 2);
        return random.nextBoolean() && border >= reference.base && border <= reference.last() ? border : any;
    }

    private static List<LogEntry> batch(SplittableRandom random, int step) {
        var batch = new ArrayList<LogEntry>();
        int size = random.nextInt(4) == 0 ? random.nextInt(3 * CHUNK_SIZE) : random.nextInt(30);
        for (int i = 0; i < size; i++) {
            batch.add(
                    random.nextInt(20) == 0
                            ? new LogEntry(step, new LogEntry.Members(members(1 + random.nextInt(9))))
                            : command(step, i));
        }
        return batch;
    }

    private static void compare(PersistentLog log, ReferenceLog reference, SplittableRandom random) {
        assertThat(log.baseIndex()).isEqualTo(reference.base);
        assertThat(log.lastIndex()).isEqualTo(reference.last());
        assertThat(log.configuration().configuration()).isEqualTo(reference.configurationAt(reference.last()));
        int from = place(reference, random);
        int to = place(reference, random);
        assertThat(log.termAt(from)).isEqualTo(reference.all.get(from).term());
        assertThat(log.configurationAt(from)).isEqualTo(reference.configurationAt(from));
        assertThat(log.lastWithTermAtMost(from, log.termAt(to)).index())
                .isEqualTo(reference.lastWithTermAtMost(from, log.termAt(to)));
        if (reference.base < from && from <= to) {
            assertThat(log.entries(from, to)).isEqualTo(reference.entries(from, to));
            assertThat(log.entry(from)).isEqualTo(reference.all.get(from));
        }
    }

    @Test
    void an_empty_range_has_no_entries() {
        for (int size : List.of(0, 1, CHUNK_SIZE, CHUNK_SIZE + 1)) {
            assertThat(EMPTY.append(commands(1, size)).entries(size + 1, size)).isEmpty();
            assertThat(EMPTY.append(commands(1, size)).entries(1, 0)).isEmpty();
        }
    }

    @Test
    void the_common_prefix_ends_before_the_first_difference() {
        var log = EMPTY.append(commands(1, 300));
        for (int shared : List.of(0, 1, 127, 128, 129, 299, 300)) {
            var other = EMPTY.append(commands(1, shared)).append(List.of(command(2, 0), command(2, 1)));
            assertThat(log.commonPrefix(other)).isEqualTo(shared);
            assertThat(other.commonPrefix(log)).isEqualTo(shared);
        }
        assertThat(log.commonPrefix(log)).isEqualTo(300);
        assertThat(log.commonPrefix(EMPTY)).isZero();
    }

    @Test
    void the_common_prefix_of_compacted_logs_is_at_least_the_larger_base() {
        var log = EMPTY.append(commands(1, 300));
        assertThat(log.compactTo(200).commonPrefix(log)).isEqualTo(300);
        assertThat(log.compactTo(200).commonPrefix(log.truncateAfter(250).append(List.of(command(2, 0)))))
                .isEqualTo(250);
        assertThat(log.commonPrefix(log.compactTo(300))).isEqualTo(300);
    }

    @Test
    void a_log_contains_its_base_and_its_entries_and_no_others() {
        var log = EMPTY.append(commands(1, 300)).compactTo(200);
        assertThat(log.contains(new EntryId(200, 1))).isTrue();
        assertThat(log.contains(new EntryId(300, 1))).isTrue();
        assertThat(log.contains(new EntryId(199, 1))).isFalse();
        assertThat(log.contains(new EntryId(301, 1))).isFalse();
        assertThat(log.contains(new EntryId(250, 2))).isFalse();
    }

    @Test
    void a_log_of_several_blocks_equals_a_plain_list_after_a_cut_at_either_end() {
        var reference = new ReferenceLog(0);
        reference.all.addAll(commands(1, 3 * BLOCK_SIZE + 2 * CHUNK_SIZE + 1));
        var log = reference.rebuilt();
        for (int border :
                List.of(BLOCK_SIZE, BLOCK_SIZE + CHUNK_SIZE, 2 * BLOCK_SIZE, 3 * BLOCK_SIZE, reference.last())) {
            for (int place = border - 1; place <= Math.min(border + 1, reference.last()); place++) {
                assertThat(log.truncateAfter(place)).isEqualTo(EMPTY.append(reference.entries(1, place)));
                reference.base = place;
                assertThat(log.compactTo(place)).isEqualTo(reference.rebuilt());
            }
        }
    }

    @Test
    void an_append_to_a_million_entries_shares_all_full_blocks_and_chunks() {
        var log = EMPTY.append(commands(1, 1_000_000));
        var longer = log.append(commands(1_000_001, 1_000_024));
        assertThat(longer.blocks()).isSameAs(log.blocks());
        assertThat(longer.chunks()).isSameAs(log.chunks()).hasSizeLessThan(CHUNK_SIZE);
        assertThat(longer.tail()).hasSizeLessThan(CHUNK_SIZE);
        var nextChunk = longer.append(commands(1_000_025, 1_000_200));
        assertThat(nextChunk.blocks()).isSameAs(log.blocks());
        assertThat(nextChunk.chunks()).hasSizeGreaterThan(log.chunks().size());
        assertSameElements(nextChunk.chunks(), log.chunks(), log.chunks().size());
        assertSameElements(longer.truncateAfter(500_000).blocks(), log.blocks(), 500_000 / BLOCK_SIZE);
    }

    private static void assertSameElements(List<?> list, List<?> other, int count) {
        for (int i = 0; i < count; i++) {
            assertThat(list.get(i)).isSameAs(other.get(i));
        }
    }

    @Test
    void entries_inside_the_snapshot_are_gone() {
        var log = EMPTY.append(commands(1, 1_000_000)).compactTo(999_900);
        assertThat(log.blocks()).isEmpty();
        assertThat(log.chunks().stream().mapToInt(List::size).sum() + log.tail().size())
                .isEqualTo(100);
        assertThat(log.configurations()).hasSize(1);
    }
}
