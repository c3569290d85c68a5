package habemus.service.raft;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.ByteString;
import habemus.protocol.EntryId;
import habemus.protocol.LogEntry;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.raft.RaftState.DurableState;
import habemus.service.simulation.SimulatedDisk;
import habemus.service.simulation.SimulatedDisk.PowerFailureException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random histories with crashes at any moment: after each crash, the files hold a state that
 * {@link habemus.protocol.Consensus} allows.
 */
@Tag("slow")
class RaftStorageCrashTest {

    private static final int SEEDS_A_TEST = 1_000;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void after_a_crash_the_state_is_the_last_saved_one_without_a_tail_that_was_not_synced(int thousand) {
        for (int i = 0; i < SEEDS_A_TEST; i++) {
            int seed = thousand * SEEDS_A_TEST + i;
            try {
                new History(seed).run();
            } catch (RuntimeException | AssertionError failed) {
                throw new AssertionError("seed " + seed + ": " + failed.getMessage(), failed);
            }
        }
    }

    /** A state that the disk may hold. A crash may take the entries after {@code syncedIndex}. */
    private record Allowed(DurableState state, long syncedIndex) {
        boolean matches(DurableState found) {
            long last = found.log().lastIndex();
            return last >= syncedIndex
                    && last <= state.log().lastIndex()
                    && StorageDriver.areEqual(
                            found, StorageDriver.withLog(state, state.log().truncateAfter(last)));
        }
    }

    /** A snapshot that is written in the background. */
    private record Compaction(EntryId base, ByteString snapshot) {}

    /** One seed: some lives of a node, each ended by a crash. */
    private static final class History {

        private static final int LIVES = 4;
        private static final int MAX_STEPS = 40;

        private final RandomGenerator random;
        private SimulatedDisk disk = new SimulatedDisk();
        private RaftStorage storage = new RaftStorage(disk);
        private boolean isCreated;
        private DurableState saved = StorageDriver.first();
        private long syncedIndex = saved.log().lastIndex();
        private long commitIndex = syncedIndex;
        private @Nullable DurableState saving;
        private @Nullable Compaction compaction;

        History(long seed) {
            random = new SplittableRandom(seed);
        }

        void run() {
            for (int life = 0; life < LIVES; life++) {
                disk.failPowerAfter(random.nextInt(5) == 0 ? random.nextInt(12) : random.nextInt(120));
                try {
                    open();
                    for (int i = random.nextInt(MAX_STEPS); i > 0; i--) {
                        step();
                    }
                } catch (PowerFailureException expected) {
                    assertThat(expected).hasMessage("the power failed");
                }
                disk = random.nextInt(4) == 0 ? disk.kill() : disk.crash(random);
            }
            open();
        }

        private void open() {
            storage = new RaftStorage(disk);
            var found = storage.open();
            if (found.isEmpty()) {
                assertThat(isCreated).as("a node that was created is found").isFalse();
                storage.create(saved);
            } else {
                assertThat(allowed().stream().anyMatch(allowed -> allowed.matches(found.get())))
                        .as(
                                "may be on disk: term %d, log from %s to %s",
                                found.get().term(),
                                found.get().log().base(),
                                found.get().log().last())
                        .isTrue();
                saved = found.get();
                syncedIndex = saved.log().lastIndex();
                commitIndex = saved.log().baseIndex();
            }
            isCreated = true;
            saving = null;
            compaction = null;
        }

        /** The state before the call of save that was interrupted, and after each of its steps. */
        private List<Allowed> allowed() {
            var allowed = new ArrayList<>(List.of(new Allowed(saved, syncedIndex)));
            var next = saving;
            if (next != null) {
                var withTerm = StorageDriver.withTerm(saved, next.term(), next.vote());
                allowed.add(new Allowed(withTerm, syncedIndex));
                var base = next.log().base();
                if (!base.equals(saved.log().base())) {
                    var withSnapshot = saved.log().contains(base)
                            ? StorageDriver.compacted(withTerm, base.index(), next.snapshot())
                            : next;
                    allowed.add(new Allowed(withSnapshot, Math.max(syncedIndex(next), base.index())));
                }
                allowed.add(new Allowed(next, syncedIndex(next)));
            }
            return allowed;
        }

        /** The last index that is synced after this state is saved. */
        private long syncedIndex(DurableState next) {
            var base = next.log().base();
            return saved.log().contains(base)
                    ? Math.min(Math.max(syncedIndex, base.index()), saved.log().commonPrefix(next.log()))
                    : base.index();
        }

        private void save(DurableState next) {
            saving = next;
            storage.save(saved, next);
            syncedIndex = syncedIndex(next);
            saved = next;
            saving = null;
        }

        // ---- steps ----

        private void step() {
            switch (random.nextInt(12)) {
                case 0, 1, 2 -> save(appended(saved));
                case 3, 4, 5 -> sync();
                case 6 -> save(StorageDriver.withTerm(saved, saved.term() + 1, randomVote()));
                case 7 -> truncate();
                case 8 -> startCompaction();
                case 9 -> finishCompaction();
                case 10 -> install();
                default -> commitIndex = between(commitIndex, saved.log().lastIndex());
            }
        }

        private long between(long from, long to) {
            return from + random.nextLong(to + 1 - from);
        }

        private NodeSet randomVote() {
            return random.nextBoolean() ? NodeSet.NONE : NodeSet.of(new NodeId(1 + random.nextInt(3)));
        }

        private DurableState appended(DurableState state) {
            var entries = new ArrayList<LogEntry>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                entries.add(new LogEntry(state.term(), randomContent()));
            }
            return StorageDriver.withLog(state, state.log().append(entries));
        }

        private LogEntry.Content randomContent() {
            return switch (random.nextInt(6)) {
                case 0 -> new LogEntry.NoOp();
                case 1 -> new LogEntry.Members(StorageDriver.configuration(1, 2 + random.nextInt(3)));
                case 2 -> new LogEntry.Command(ByteString.of(new byte[random.nextInt(1_500)]));
                default -> {
                    var bytes = new byte[random.nextInt(random.nextBoolean() ? 1_500 : 50)];
                    random.nextBytes(bytes);
                    yield new LogEntry.Command(ByteString.of(bytes));
                }
            };
        }

        private void sync() {
            if (storage.hasUnsynced()) {
                assertThat(storage.sync()).isEqualTo(saved.log().last());
                syncedIndex = saved.log().lastIndex();
            }
        }

        /** A new leader replaces a tail that is not committed. */
        private void truncate() {
            long index = between(commitIndex, saved.log().lastIndex());
            var shorter = StorageDriver.withLog(saved, saved.log().truncateAfter(index));
            boolean isOwnTerm = saved.log().last().term() == saved.term(); // an entry is never replaced in its term
            var next =
                    StorageDriver.withTerm(shorter, saved.term() + (isOwnTerm ? 1 : random.nextInt(2)), saved.vote());
            save(random.nextBoolean() ? appended(next) : next);
        }

        private void startCompaction() {
            sync();
            storage.startSegment();
            var base = saved.log().idAt(commitIndex);
            compaction = new Compaction(base, snapshotAt(base));
            if (random.nextInt(4) > 0) {
                storage.stageSnapshot(compaction.base, saved.log().configurationAt(commitIndex), compaction.snapshot);
            }
        }

        private void finishCompaction() {
            if (compaction != null && compaction.base.index() > saved.log().baseIndex()) {
                save(StorageDriver.compacted(saved, compaction.base.index(), compaction.snapshot));
                compaction = null;
            }
        }

        /** Equal for every node that has applied this entry. */
        private static ByteString snapshotAt(EntryId base) {
            var content = new SplittableRandom(base.hashCode());
            var bytes = new byte[content.nextInt(2_000)];
            content.nextBytes(bytes);
            return ByteString.of(bytes);
        }

        /** The base is in the log, or contradicts it, or is after its end. */
        private void install() {
            var log = saved.log();
            long index = commitIndex + 1 + random.nextLong(log.lastIndex() + 4 - commitIndex);
            boolean isInLog = index <= log.lastIndex() && random.nextBoolean();
            var base = isInLog ? log.idAt(index) : new EntryId(index, saved.term() + 1);
            save(StorageDriver.installed(saved, base, snapshotAt(base)));
            commitIndex = index;
        }
    }
}
