package habemus.service.raft;

import habemus.concurrent.CombiningQueue;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jgroups.Address;
import org.jgroups.raft.util.CommitTable;
import org.jgroups.raft.util.Utils;

/**
 * Decides what the leader sends to which follower. {@linkplain EagerFollowers Eager followers} get entries at once; the
 * others get them 2 ms later in batches, so that they fsync less often and leave the disk to the eager ones. A lagging
 * follower gets its missing entries in chunks. Called with the lock of {@link SerializedRaft} held.
 */
final class LogReplicator {

    private static final int CHUNK_BYTES = 1 << 20; // for a lagging follower
    private static final long LAZY_REPLICATION_DELAY_NANOS = 2_000_000L;
    private static final long RESEND_INTERVAL_NANOS = 100_000_000L;
    private static final long SNAPSHOT_RESEND_INTERVAL_NANOS = 2_000_000_000L;

    private final CorrectedRaft raft;
    private final RaftStorage storage;
    private final SyncBeforeSend syncBeforeSend;
    private final LongSupplier nanos;
    private final EagerFollowers followers = new EagerFollowers();
    private final Map<Address, Sent> sent = new HashMap<>();
    private Collection<Address> addressed = List.of(); // the current eager followers
    private OptionalLong lazyDueNanos = OptionalLong.empty(); // when the lazy followers get their batch

    /**
     * Entries in flight to a lazy or lagging follower.
     *
     * @param to the last entry
     * @param isAll whether it was the last entry of the log
     */
    private record Sent(long from, long to, boolean isAll, long at) {}

    /** @param nanos a monotonic clock */
    LogReplicator(CorrectedRaft raft, RaftStorage storage, SyncBeforeSend syncBeforeSend, LongSupplier nanos) {
        this.raft = raft;
        this.storage = storage;
        this.syncBeforeSend = syncBeforeSend;
        this.nanos = nanos;
    }

    /** Resets the state after a change of leader. */
    void begin() {
        sent.clear();
        addressed = List.of();
        lazyDueNanos = OptionalLong.empty();
    }

    /** The member has proposed an entry and waits for its commit. Thread-safe. */
    void awaits(Address member) {
        followers.proposed(member, nanos.getAsLong());
    }

    /**
     * Runs the task, whose broadcasts go only to the eager followers. New eager followers first get the entries that
     * they lack.
     */
    void broadcastToEager(CommitTable table, Runnable task) {
        var before = addressed;
        var members = raft.members();
        var voters = table.keys().stream()
                .filter(member -> members.contains(Utils.extractRaftId(member)))
                .toList();
        addressed = followers.choose(
                voters, member -> table.get(member).matchIndex(), raft.majority() - 1, nanos.getAsLong());
        for (Address member : addressed) {
            var entry = table.get(member);
            if (entry != null && !before.contains(member)) {
                fill(member, entry.nextIndex());
            }
        }
        syncBeforeSend.only(addressed, task);
        if (!addressed.containsAll(table.keys())) {
            putOff();
        }
    }

    private void fill(Address member, long next) {
        var last = sent.get(member);
        long from = Math.max(next, last == null ? 0 : last.to() + 1);
        if (from >= storage.firstAppended() && from <= raft.last()) {
            raft.resend(member, from, raft.last());
        }
    }

    private void putOff() {
        if (lazyDueNanos.isEmpty()) {
            lazyDueNanos = OptionalLong.of(nanos.getAsLong() + LAZY_REPLICATION_DELAY_NANOS);
        }
    }

    /** Sends the batch of the lazy followers if it is due. Returns the nanoseconds until the next call. */
    long followUp(CommitTable table) {
        long remaining =
                lazyDueNanos.isEmpty() ? CombiningQueue.IDLE_NANOS : lazyDueNanos.getAsLong() - nanos.getAsLong();
        if (remaining > 0) {
            return remaining;
        }
        lazyDueNanos = OptionalLong.empty();
        table.forEach((member, entry) -> {
            if (entry.nextIndex() <= raft.last() && !addressed.contains(member)) {
                raft.sendAppendEntriesMessage(member, entry);
            }
        });
        return CombiningQueue.IDLE_NANOS;
    }

    /** Sends missing entries. A follower that has received all it was sent gets the rest with the next lazy batch. */
    void catchUp(CommitTable table) {
        table.forEach((member, entry) -> {
            var last = sent.get(member);
            boolean isMissing = entry.sendSingleMessage();
            entry.sendSingleMessage(false);
            if (entry.nextIndex() > raft.last()) {
                sent.remove(member);
            } else if (last != null && last.isAll() && entry.nextIndex() > last.to() && !isMissing) {
                sent.remove(member);
                putOff();
            } else if (isMissing || last != null) {
                raft.sendAppendEntriesMessage(member, entry);
            }
        });
    }

    /** Whether to send the next entries: not if they are in flight. */
    boolean isDue(Address member, long next) {
        var last = sent.get(member);
        boolean isInSnapshot = next < storage.firstAppended();
        long now = nanos.getAsLong();
        if (last != null
                && last.from() == next
                && now - last.at() < (isInSnapshot ? SNAPSHOT_RESEND_INTERVAL_NANOS : RESEND_INTERVAL_NANOS)) {
            return false;
        }
        if (isInSnapshot) {
            sent.put(member, new Sent(next, next, false, now));
        }
        return true;
    }

    /** Records that entries are sent. Returns the last index of the chunk. */
    long piece(Address member, long from, long to) {
        long until = from;
        for (long bytes = 0; until < to && bytes < CHUNK_BYTES; until++) {
            var entry = storage.get(until);
            bytes += entry == null ? 0 : entry.length();
        }
        var last = sent.get(member);
        long first = last != null && last.to() == from - 1 ? last.from() : from;
        sent.put(member, new Sent(first, until, until == raft.last(), nanos.getAsLong()));
        return until;
    }
}
