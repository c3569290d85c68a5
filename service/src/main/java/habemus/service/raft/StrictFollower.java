package habemus.service.raft;

import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.protocols.raft.AppendResult;
import org.jgroups.protocols.raft.AppendResult.Result;
import org.jgroups.protocols.raft.Follower;
import org.jgroups.protocols.raft.LogEntries;
import org.jspecify.annotations.Nullable;

/** A follower, or one who only listens, as in the paper: it says of an entry that it has it after it has compared. */
final class StrictFollower extends Follower {

    private final CorrectedRaft correctedRaft;
    private final RaftStorage raftStorage;
    private long matched; // up to where the log is known to be the leader's
    private long matchedTerm;

    StrictFollower(CorrectedRaft correctedRaft, RaftStorage raftStorage) {
        super(correctedRaft);
        this.correctedRaft = correctedRaft;
        this.raftStorage = raftStorage;
    }

    private void know(long index) {
        if (matchedTerm != correctedRaft.currentTerm()) {
            matchedTerm = correctedRaft.currentTerm();
            matched = correctedRaft.commitIndex();
        }
        matched = Math.max(Math.max(matched, index), correctedRaft.commitIndex());
    }

    @Override
    public AppendResult handleAppendEntriesRequest(
            @Nullable LogEntries entries, Address leader, long before, long termBefore, long term, long commit) {
        correctedRaft.leader(leader);
        know(0);
        if (entries == null || entries.size() == 0) {
            correctedRaft.commit(Math.min(commit, matched));
            return matched < correctedRaft.last() ? from(Math.min(correctedRaft.last() + 1, commit)) : upTo(matched);
        }
        if (before > correctedRaft.last()) {
            return from(correctedRaft.last() + 1);
        }
        if (before > correctedRaft.commitIndex() && raftStorage.termAt(before) != termBefore) {
            return conflict(before);
        }
        if (contradicts(before, termBefore)) {
            return diverged(before);
        }
        append(before, entries);
        know(before + entries.size());
        correctedRaft.commit(Math.min(commit, matched));
        return upTo(matched);
    }

    /** A leader has all that is committed, so this cannot be; but if it is, nobody may be told that all is well. */
    private boolean contradicts(long index, long term) {
        var entry = raftStorage.get(index);
        return entry != null && index <= correctedRaft.commitIndex() && entry.term() != term;
    }

    private AppendResult diverged(long index) {
        correctedRaft.fail(
                new LogDivergedException("entry " + index + " of the leader is not the one that is committed here"));
        return from(index);
    }

    /** The log is the leader's up to there. */
    private AppendResult upTo(long index) {
        return new AppendResult(Result.OK, index).commitIndex(correctedRaft.commitIndex());
    }

    /** The leader is asked for entries from there on. (With the other failure it would take them for received.) */
    private AppendResult from(long index) {
        long first = Math.max(index, correctedRaft.commitIndex() + 1);
        return new AppendResult(Result.FAIL_CONFLICTING_PREV_TERM, first).commitIndex(correctedRaft.commitIndex());
    }

    /** All entries of that term go, but those that are committed. */
    private AppendResult conflict(long before) {
        long term = raftStorage.termAt(before);
        long first = before;
        while (first - 1 > correctedRaft.commitIndex() && raftStorage.termAt(first - 1) == term) {
            first--;
        }
        correctedRaft.cut(first);
        return from(first);
    }

    /** Those that are there already stay; the first that differs goes, and all after it. */
    private void append(long before, LogEntries entries) {
        long index = before;
        LogEntries rest = new LogEntries();
        for (var entry : entries) {
            index++;
            if (rest.size() == 0 && index <= correctedRaft.last()) {
                if (index <= correctedRaft.commitIndex() || raftStorage.termAt(index) == entry.term()) {
                    continue;
                }
                correctedRaft.cut(index);
            }
            rest.add(entry);
        }
        if (rest.size() > 0) {
            correctedRaft.add(rest);
        }
    }

    /** One that holds less than what is here, or the same, does not take this node back. */
    @Override
    public void handleInstallSnapshotRequest(Message message, Address leader, long index, long term) {
        correctedRaft.leader(leader);
        know(0);
        if (index <= correctedRaft.commitIndex() || raftStorage.termAt(index) == term) {
            know(index);
            correctedRaft.commit(Math.min(index, matched));
            correctedRaft.say(leader, upTo(matched));
            return;
        }
        super.handleInstallSnapshotRequest(message, leader, index, term);
        if (correctedRaft.commitIndex() == index) {
            correctedRaft.restart(index);
            know(index);
        }
    }
}
