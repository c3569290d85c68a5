package habemus.raft;

import habemus.protocol.ByteString;
import habemus.protocol.Configuration;
import habemus.protocol.EntryId;
import habemus.protocol.LogEntry;
import habemus.protocol.WireTags;
import java.util.List;

/**
 * The messages of {@link Raft}. Each carries the term of its sender, and {@link Raft#receive} compares it before
 * anything else: a handler never sees a message of another term.
 */
@WireTags({
    RaftMessage.Request.class,
    RaftMessage.PreVoteGranted.class,
    RaftMessage.VoteGranted.class,
    RaftMessage.AppendAck.class,
    RaftMessage.AppendRejected.class,
    RaftMessage.SnapshotAck.class,
    RaftMessage.NewerTerm.class
})
public sealed interface RaftMessage {

    long term();

    /** A message that a node in a newer term answers with {@link NewerTerm}. */
    @WireTags({
        PreVote.class,
        RequestVote.class,
        AppendEntries.class,
        CommitTo.class,
        InstallSnapshot.class,
        TimeoutNow.class
    })
    sealed interface Request extends RaftMessage {}

    /** Asks whether the receiver would vote for the sender in the next term. Changes nothing at the receiver. */
    record PreVote(long term, EntryId last) implements Request {}

    /** Carries the term of the request, which may be higher than that of the sender. */
    record PreVoteGranted(long term) implements RaftMessage {}

    /**
     * The sender has started this term, and asks for a vote.
     *
     * @param last the last entry of its log
     * @param transfer whether the leader itself asked for this election
     */
    record RequestVote(long term, EntryId last, boolean transfer) implements Request {}

    record VoteGranted(long term) implements RaftMessage {}

    /**
     * The entries after {@code previous}; without entries, a heartbeat.
     *
     * @param commitIndex of the leader
     * @param round the number of the read round that this message belongs to
     */
    record AppendEntries(long term, EntryId previous, List<LogEntry> entries, long commitIndex, long round)
            implements Request {

        long lastIndex() {
            return previous.index() + entries.size();
        }
    }

    /**
     * The sender's log equals the leader's up to {@code matchIndex}, and that part is synced.
     *
     * @param round the last read round that it has seen
     */
    record AppendAck(long term, long matchIndex, long round) implements RaftMessage {}

    /**
     * The sender does not have the previous entry.
     *
     * @param previousIndex of the rejected message
     * @param hint the last entry of the sender that can be in the leader's log
     */
    record AppendRejected(long term, long previousIndex, EntryId hint, long round) implements RaftMessage {}

    /** The leader's commit index, sent as soon as it advances. Not answered. */
    record CommitTo(long term, long commitIndex) implements Request {}

    /**
     * A chunk of the snapshot that replaces the entries up to {@code base}.
     *
     * @param offset of the chunk in the snapshot, in bytes
     * @param isLast whether the snapshot is complete with this chunk
     */
    record InstallSnapshot(
            long term,
            EntryId base,
            Configuration configuration,
            long offset,
            ByteString chunk,
            boolean isLast,
            long round)
            implements Request {}

    /** The sender has the first {@code offset} bytes of this snapshot. */
    record SnapshotAck(long term, EntryId base, long offset, long round) implements RaftMessage {}

    /** The leader hands over: the receiver starts an election at once. */
    record TimeoutNow(long term) implements Request {}

    /** The term of the request is over. */
    record NewerTerm(long term) implements RaftMessage {}
}
