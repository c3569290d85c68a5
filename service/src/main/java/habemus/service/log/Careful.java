package habemus.service.log;

import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.protocols.raft.AppendResult;
import org.jgroups.protocols.raft.AppendResult.Result;
import org.jgroups.protocols.raft.Follower;
import org.jgroups.protocols.raft.LogEntries;
import org.jspecify.annotations.Nullable;

/** A follower, or one who only listens, as in the paper: it says of an entry that it has it after it has compared. */
final class Careful extends Follower {

    private final Consensus consensus;
    private final Journal journal;
    private long matched; // up to where the log is known to be the leader's
    private long matchedTerm;

    Careful(Consensus consensus, Journal journal) {
        super(consensus);
        this.consensus = consensus;
        this.journal = journal;
    }

    private void know(long index) {
        if (matchedTerm != consensus.currentTerm()) {
            matchedTerm = consensus.currentTerm();
            matched = consensus.commitIndex();
        }
        matched = Math.max(Math.max(matched, index), consensus.commitIndex());
    }

    @Override
    public AppendResult handleAppendEntriesRequest(
            @Nullable LogEntries entries, Address leader, long before, long termBefore, long term, long commit) {
        consensus.leader(leader);
        know(0);
        if (entries == null || entries.size() == 0) {
            consensus.commit(Math.min(commit, matched));
            return matched < consensus.last() ? from(Math.min(consensus.last() + 1, commit)) : upTo(matched);
        }
        if (before > consensus.last()) {
            return from(consensus.last() + 1);
        }
        if (before > consensus.commitIndex() && journal.termAt(before) != termBefore) {
            return conflict(before);
        }
        if (contradicts(before, termBefore)) {
            return diverged(before);
        }
        append(before, entries);
        know(before + entries.size());
        consensus.commit(Math.min(commit, matched));
        return upTo(matched);
    }

    /** A leader has all that is committed, so this cannot be; but if it is, nobody may be told that all is well. */
    private boolean contradicts(long index, long term) {
        var entry = journal.get(index);
        return entry != null && index <= consensus.commitIndex() && entry.term() != term;
    }

    private AppendResult diverged(long index) {
        consensus.fail(new Diverged("entry " + index + " of the leader is not the one that is committed here"));
        return from(index);
    }

    /** The log is the leader's up to there. */
    private AppendResult upTo(long index) {
        return new AppendResult(Result.OK, index).commitIndex(consensus.commitIndex());
    }

    /** The leader is asked for entries from there on. (With the other failure it would take them for received.) */
    private AppendResult from(long index) {
        long first = Math.max(index, consensus.commitIndex() + 1);
        return new AppendResult(Result.FAIL_CONFLICTING_PREV_TERM, first).commitIndex(consensus.commitIndex());
    }

    /** All entries of that term go, but those that are committed. */
    private AppendResult conflict(long before) {
        long term = journal.termAt(before);
        long first = before;
        while (first - 1 > consensus.commitIndex() && journal.termAt(first - 1) == term) {
            first--;
        }
        consensus.cut(first);
        return from(first);
    }

    /** Those that are there already stay; the first that differs goes, and all after it. */
    private void append(long before, LogEntries entries) {
        long index = before;
        LogEntries rest = new LogEntries();
        for (var entry : entries) {
            index++;
            if (rest.size() == 0 && index <= consensus.last()) {
                if (index <= consensus.commitIndex() || journal.termAt(index) == entry.term()) {
                    continue;
                }
                consensus.cut(index);
            }
            rest.add(entry);
        }
        if (rest.size() > 0) {
            consensus.add(rest);
        }
    }

    /** One that holds less than what is here, or the same, does not take this node back. */
    @Override
    public void handleInstallSnapshotRequest(Message message, Address leader, long index, long term) {
        consensus.leader(leader);
        know(0);
        if (index <= consensus.commitIndex() || journal.termAt(index) == term) {
            know(index);
            consensus.commit(Math.min(index, matched));
            consensus.say(leader, upTo(matched));
            return;
        }
        super.handleInstallSnapshotRequest(message, leader, index, term);
        if (consensus.commitIndex() == index) {
            consensus.restart(index);
            know(index);
        }
    }
}
