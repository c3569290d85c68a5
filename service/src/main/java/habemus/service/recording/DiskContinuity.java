package habemus.service.recording;

import habemus.protocol.EntryId;
import habemus.raft.RaftState;
import java.util.Optional;

/** Compares the disk with which a node starts with the state in which it ended before. */
final class DiskContinuity {

    private DiskContinuity() {}

    /**
     * What the disk has lost; empty if nothing. A crash may lose the last steps of the recording, so the disk may be
     * newer. In a later term, a leader may have replaced entries that were not committed. A node may commit an entry
     * that a majority has synced and its own disk has not: a crash may take that one.
     *
     * @param wasStopped whether the node was stopped, so that its recording is complete
     */
    static Optional<String> loss(RaftState before, RaftState.DurableState disk, boolean wasStopped) {
        var durable = before.durable();
        if (disk.term() < durable.term() || wasStopped && disk.term() != durable.term()) {
            return Optional.of("the term is " + disk.term() + ", and was " + durable.term());
        }
        boolean isSameTerm = disk.term() == durable.term();
        boolean hadVoted = !durable.vote().isEmpty();
        if (isSameTerm && !disk.vote().equals(durable.vote()) && (hadVoted || wasStopped)) {
            return Optional.of("the vote is " + disk.vote() + ", and was " + durable.vote());
        }
        long kept = isSameTerm ? durable.syncedIndex() : Math.min(durable.syncedIndex(), before.commitIndex());
        var last = durable.log().idAt(Math.max(kept, durable.log().baseIndex()));
        return holds(disk, last)
                ? Optional.empty()
                : Optional.of("the log ends at " + disk.log().last() + ", and entry " + last + " was synced");
    }

    private static boolean holds(RaftState.DurableState disk, EntryId id) {
        return disk.log().baseIndex() > id.index() || disk.log().contains(id);
    }
}
