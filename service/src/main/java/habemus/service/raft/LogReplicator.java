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
 * What a leader sends to whom. Entries go at once to those who are {@linkplain EagerFollowers needed}, and a little later to
 * the others: so who is not needed syncs seldom, and takes no time from those for whom somebody waits. Who lags is sent
 * what it lacks, piece by piece. In the engine's turn.
 */
final class LogReplicator {

    private static final int PIECE = 1 << 20; // bytes that are sent at once to one who catches up
    private static final long LATER = 2_000_000L; // nanoseconds until entries are sent to those who are not needed
    private static final long AGAIN = 100_000_000L; // until what was not answered is sent again
    private static final long SNAPSHOT_AGAIN = 2_000_000_000L;

    private final CorrectedRaft correctedRaft;
    private final RaftStorage raftStorage;
    private final SyncBeforeSend syncBeforeSend;
    private final LongSupplier nanos;
    private final EagerFollowers eagerFollowers = new EagerFollowers();
    private final Map<Address, Sent> sent = new HashMap<>();
    private Collection<Address> addressed = List.of(); // those who are told of entries at once
    private OptionalLong late = OptionalLong.empty(); // when the others are

    /**
     * What is on its way to one who was not told at once.
     *
     * @param to the last entry of it
     * @param isAll whether there were no more
     */
    private record Sent(long from, long to, boolean isAll, long at) {}

    /** @param nanos a clock that never goes back */
    LogReplicator(
            CorrectedRaft correctedRaft, RaftStorage raftStorage, SyncBeforeSend syncBeforeSend, LongSupplier nanos) {
        this.correctedRaft = correctedRaft;
        this.raftStorage = raftStorage;
        this.syncBeforeSend = syncBeforeSend;
        this.nanos = nanos;
    }

    /** Somebody else leads, or nobody. */
    void begin() {
        sent.clear();
        addressed = List.of();
        late = OptionalLong.empty();
    }

    /** This member waits for what it has proposed. By any thread. */
    void awaits(Address member) {
        eagerFollowers.proposed(member, nanos.getAsLong());
    }

    /** What this says to all is said to those who are needed, after all that they lack of what is before. */
    void say(CommitTable table, Runnable task) {
        var before = addressed;
        var members = correctedRaft.members();
        var voters = table.keys().stream()
                .filter(member -> members.contains(Utils.extractRaftId(member)))
                .toList();
        addressed = eagerFollowers.choose(
                voters, member -> table.get(member).matchIndex(), correctedRaft.majority() - 1, nanos.getAsLong());
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
        if (from >= raftStorage.firstAppended() && from <= correctedRaft.last()) {
            correctedRaft.resend(member, from, correctedRaft.last());
        }
    }

    private void putOff() {
        if (late.isEmpty()) {
            late = OptionalLong.of(nanos.getAsLong() + LATER);
        }
    }

    /** Nanoseconds until it is to be called again. */
    long followUp(CommitTable table) {
        long rest = late.isEmpty() ? CombiningQueue.IDLE_NANOS : late.getAsLong() - nanos.getAsLong();
        if (rest > 0) {
            return rest;
        }
        late = OptionalLong.empty();
        table.forEach((member, entry) -> {
            if (entry.nextIndex() <= correctedRaft.last() && !addressed.contains(member)) {
                correctedRaft.sendAppendEntriesMessage(member, entry);
            }
        });
        return CombiningQueue.IDLE_NANOS;
    }

    /** Who lacks something is sent it; who has all of what it was sent, the rest with what comes meanwhile. */
    void catchUp(CommitTable table) {
        table.forEach((member, entry) -> {
            var last = sent.get(member);
            boolean isMissing = entry.sendSingleMessage();
            entry.sendSingleMessage(false);
            if (entry.nextIndex() > correctedRaft.last()) {
                sent.remove(member);
            } else if (last != null && last.isAll() && entry.nextIndex() > last.to() && !isMissing) {
                sent.remove(member);
                putOff();
            } else if (isMissing || last != null) {
                correctedRaft.sendAppendEntriesMessage(member, entry);
            }
        });
    }

    /** Whether to send what comes next: not if that is on its way. */
    boolean isDue(Address member, long next) {
        var last = sent.get(member);
        boolean isInSnapshot = next < raftStorage.firstAppended();
        long now = nanos.getAsLong();
        if (last != null && last.from() == next && now - last.at() < (isInSnapshot ? SNAPSHOT_AGAIN : AGAIN)) {
            return false;
        }
        if (isInSnapshot) {
            sent.put(member, new Sent(next, next, false, now));
        }
        return true;
    }

    /** These entries are sent. Up to where: that is a piece, not more. */
    long piece(Address member, long from, long to) {
        long until = from;
        for (long bytes = 0; until < to && bytes < PIECE; until++) {
            var entry = raftStorage.get(until);
            bytes += entry == null ? 0 : entry.length();
        }
        var last = sent.get(member);
        long first = last != null && last.to() == from - 1 ? last.from() : from;
        sent.put(member, new Sent(first, until, until == correctedRaft.last(), nanos.getAsLong()));
        return until;
    }
}
