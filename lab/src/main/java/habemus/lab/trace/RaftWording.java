package habemus.lab.trace;

import habemus.protocol.EntryId;
import habemus.protocol.LogEntry;
import habemus.raft.RaftMessage;
import habemus.raft.RaftState;
import habemus.raft.RaftState.Role;
import java.util.List;
import java.util.stream.Collectors;

/** Describes messages and states of Raft in words. Entries are written as {@code term:content}. */
final class RaftWording {

    private RaftWording() {}

    /** {@code t2 3@2 +2:b commit 2}: the sender's term, and what else the message says, without its name. */
    static String payload(RaftMessage message) {
        var text = switch (message) {
            case RaftMessage.PreVote m -> "last " + m.last();
            case RaftMessage.PreVoteGranted m -> "";
            case RaftMessage.RequestVote m -> "last " + m.last() + (m.transfer() ? " transfer" : "");
            case RaftMessage.VoteGranted m -> "";
            case RaftMessage.AppendEntries m -> append(m.previous(), m.entries()) + " commit " + m.commitIndex();
            case RaftMessage.AppendAck m -> Long.toString(m.matchIndex());
            case RaftMessage.AppendRejected m -> m.previousIndex() + ", have " + m.hint();
            case RaftMessage.CommitTo m -> Long.toString(m.commitIndex());
            case RaftMessage.InstallSnapshot m -> m.base() + " from byte " + m.offset() + (m.isLast() ? " last" : "");
            case RaftMessage.SnapshotAck m -> m.base() + " to byte " + m.offset();
            case RaftMessage.TimeoutNow m -> "";
            case RaftMessage.NewerTerm m -> "";
        };
        return ("t" + message.term() + " " + text).strip();
    }

    private static String append(EntryId previous, List<LogEntry> entries) {
        var added = entries.stream().map(entry -> " +" + entry).collect(Collectors.joining());
        return previous + added;
    }

    /** The name of a message in diagrams: {@code Append} for {@link RaftMessage.AppendEntries}. */
    static String name(RaftMessage message) {
        return switch (message) {
            case RaftMessage.VoteGranted m -> "Vote";
            case RaftMessage.AppendEntries m -> "Append";
            case RaftMessage.AppendAck m -> "Ack";
            case RaftMessage.AppendRejected m -> "Reject";
            case RaftMessage.CommitTo m -> "Commit";
            case RaftMessage.InstallSnapshot m -> "Install";
            default -> message.getClass().getSimpleName();
        };
    }

    /** {@code Following(n1) term 2 [1:- 2:b] commit 1}. */
    static String describe(RaftState state) {
        var disk = state.durable();
        return describe(state.role()) + " term " + disk.term() + " " + disk.log() + " commit " + state.commitIndex();
    }

    private static String describe(Role role) {
        return switch (role) {
            case Role.Listening() -> "Listening";
            case Role.Following following -> "Following(" + following.leader() + ")";
            case Role.PreCandidate(var votes) -> "PreCandidate(" + votes + ")";
            case Role.Candidate(var votes) -> "Candidate(" + votes + ")";
            case Role.Leading leading -> "Leading";
        };
    }
}
