package habemus.service.log;

import habemus.drive.Turns;
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
 * What a leader sends to whom. Entries go at once to those who are {@linkplain Audience needed}, and a little later to
 * the others: so who is not needed syncs seldom, and takes no time from those for whom somebody waits. Who lags is sent
 * what it lacks, piece by piece. In the engine's turn.
 */
final class Supply {

    private static final int PIECE = 1 << 20; // bytes that are sent at once to one who catches up
    private static final long LATER = 2_000_000L; // nanoseconds until entries are sent to those who are not needed
    private static final long AGAIN = 100_000_000L; // until what was not answered is sent again
    private static final long SNAPSHOT_AGAIN = 2_000_000_000L;

    private final Consensus consensus;
    private final Journal journal;
    private final Outbox outbox;
    private final LongSupplier nanos;
    private final Audience audience = new Audience();
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
    Supply(Consensus consensus, Journal journal, Outbox outbox, LongSupplier nanos) {
        this.consensus = consensus;
        this.journal = journal;
        this.outbox = outbox;
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
        audience.proposed(member, nanos.getAsLong());
    }

    /** What this says to all is said to those who are needed, after all that they lack of what is before. */
    void say(CommitTable table, Runnable task) {
        var before = addressed;
        var members = consensus.members();
        var voters = table.keys().stream()
                .filter(member -> members.contains(Utils.extractRaftId(member)))
                .toList();
        addressed = audience.choose(
                voters, member -> table.get(member).matchIndex(), consensus.majority() - 1, nanos.getAsLong());
        for (Address member : addressed) {
            var entry = table.get(member);
            if (entry != null && !before.contains(member)) {
                fill(member, entry.nextIndex());
            }
        }
        outbox.only(addressed, task);
        if (!addressed.containsAll(table.keys())) {
            putOff();
        }
    }

    private void fill(Address member, long next) {
        var last = sent.get(member);
        long from = Math.max(next, last == null ? 0 : last.to() + 1);
        if (from >= journal.firstAppended() && from <= consensus.last()) {
            consensus.resend(member, from, consensus.last());
        }
    }

    private void putOff() {
        if (late.isEmpty()) {
            late = OptionalLong.of(nanos.getAsLong() + LATER);
        }
    }

    /** Nanoseconds until it is to be called again. */
    long followUp(CommitTable table) {
        long rest = late.isEmpty() ? Turns.LONG : late.getAsLong() - nanos.getAsLong();
        if (rest > 0) {
            return rest;
        }
        late = OptionalLong.empty();
        table.forEach((member, entry) -> {
            if (entry.nextIndex() <= consensus.last() && !addressed.contains(member)) {
                consensus.sendAppendEntriesMessage(member, entry);
            }
        });
        return Turns.LONG;
    }

    /** Who lacks something is sent it; who has all of what it was sent, the rest with what comes meanwhile. */
    void catchUp(CommitTable table) {
        table.forEach((member, entry) -> {
            var last = sent.get(member);
            boolean isMissing = entry.sendSingleMessage();
            entry.sendSingleMessage(false);
            if (entry.nextIndex() > consensus.last()) {
                sent.remove(member);
            } else if (last != null && last.isAll() && entry.nextIndex() > last.to() && !isMissing) {
                sent.remove(member);
                putOff();
            } else if (isMissing || last != null) {
                consensus.sendAppendEntriesMessage(member, entry);
            }
        });
    }

    /** Whether to send what comes next: not if that is on its way. */
    boolean isDue(Address member, long next) {
        var last = sent.get(member);
        boolean isInSnapshot = next < journal.firstAppended();
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
            var entry = journal.get(until);
            bytes += entry == null ? 0 : entry.length();
        }
        var last = sent.get(member);
        long first = last != null && last.to() == from - 1 ? last.from() : from;
        sent.put(member, new Sent(first, until, until == consensus.last(), nanos.getAsLong()));
        return until;
    }
}
