package habemus.service.raft;

import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.protocols.raft.AppendResult;
import org.jgroups.protocols.raft.AppendResult.Result;
import org.jgroups.protocols.raft.Follower;
import org.jgroups.protocols.raft.LogEntries;
import org.jspecify.annotations.Nullable;

/** A follower or learner with the AppendEntries check of the Raft paper: it acknowledges only what it has matched. */
final class StrictFollower extends Follower {

    private final CorrectedRaft node;
    private final RaftStorage storage;
    private long matched; // the log is known to equal the leader's up to here
    private long matchedTerm;

    StrictFollower(CorrectedRaft raft, RaftStorage storage) {
        super(raft);
        this.node = raft;
        this.storage = storage;
    }

    private void match(long index) {
        if (matchedTerm != node.currentTerm()) {
            matchedTerm = node.currentTerm();
            matched = node.commitIndex();
        }
        matched = Math.max(Math.max(matched, index), node.commitIndex());
    }

    @Override
    public AppendResult handleAppendEntriesRequest(
            @Nullable LogEntries entries, Address leader, long before, long termBefore, long term, long commit) {
        node.leader(leader);
        match(0);
        if (entries == null || entries.size() == 0) {
            node.commit(Math.min(commit, matched));
            return matched < node.last() ? from(Math.min(node.last() + 1, commit)) : upTo(matched);
        }
        if (before > node.last()) {
            return from(node.last() + 1);
        }
        if (before > node.commitIndex() && storage.termAt(before) != termBefore) {
            return conflict(before);
        }
        if (contradicts(before, termBefore)) {
            return diverged(before);
        }
        append(before, entries);
        match(before + entries.size());
        node.commit(Math.min(commit, matched));
        return upTo(matched);
    }

    /** Whether a committed entry has another term than the leader's: impossible in Raft, and never to be ignored. */
    private boolean contradicts(long index, long term) {
        var entry = storage.get(index);
        return entry != null && index <= node.commitIndex() && entry.term() != term;
    }

    private AppendResult diverged(long index) {
        node.fail(new LogDivergedException(
                "log diverged at entry " + index + ": the leader has another committed entry"));
        return from(index);
    }

    /** Acknowledges entries up to this index. */
    private AppendResult upTo(long index) {
        return new AppendResult(Result.OK, index).commitIndex(node.commitIndex());
    }

    /** Requests entries from this index on. (For the other failure code the leader would count them as received.) */
    private AppendResult from(long index) {
        long first = Math.max(index, node.commitIndex() + 1);
        return new AppendResult(Result.FAIL_CONFLICTING_PREV_TERM, first).commitIndex(node.commitIndex());
    }

    /** Deletes the uncommitted entries of the conflicting term. */
    private AppendResult conflict(long before) {
        long term = storage.termAt(before);
        long first = before;
        while (first - 1 > node.commitIndex() && storage.termAt(first - 1) == term) {
            first--;
        }
        node.cut(first);
        return from(first);
    }

    /** Keeps the entries that match. Deletes the first one that differs, and all after it. */
    private void append(long before, LogEntries entries) {
        long index = before;
        LogEntries rest = new LogEntries();
        for (var entry : entries) {
            index++;
            if (rest.size() == 0 && index <= node.last()) {
                if (index <= node.commitIndex() || storage.termAt(index) == entry.term()) {
                    continue;
                }
                node.cut(index);
            }
            rest.add(entry);
        }
        if (rest.size() > 0) {
            node.add(rest);
        }
    }

    /** Ignores a snapshot that this node is already ahead of. */
    @Override
    public void handleInstallSnapshotRequest(Message message, Address leader, long index, long term) {
        node.leader(leader);
        match(0);
        if (index <= node.commitIndex() || storage.termAt(index) == term) {
            match(index);
            node.commit(Math.min(index, matched));
            node.reply(leader, upTo(matched));
            return;
        }
        super.handleInstallSnapshotRequest(message, leader, index, term);
        if (node.commitIndex() == index) {
            node.restart(index);
            match(index);
        }
    }
}
