package habemus.raft;

import habemus.protocol.Configuration;
import habemus.protocol.LogCall;
import habemus.protocol.LogEntry;
import habemus.protocol.LogReply;
import habemus.protocol.NodeId;
import habemus.protocol.Step;
import habemus.raft.RaftState.Role;
import java.util.List;
import java.util.Optional;

/**
 * Membership changes of one node at a time: chapter 4 of the dissertation, with the correction of 2015. A leader
 * changes members only after it has committed an entry of its term.
 */
final class Membership {

    private Membership() {}

    static Step<RaftState, RaftMessage> change(Raft raft, RaftState s, long id, LogCall.MemberChange change) {
        var rejection = rejection(s, change);
        if (rejection.isPresent()) {
            return raft.reject(s, id, rejection.get());
        }
        var members = new LogEntry.Members(changed(s.configuration(), change));
        return Replication.append(raft, s, List.of(new LogEntry(s.term(), members)), List.of(id));
    }

    private static Optional<LogReply.Reason> rejection(RaftState s, LogCall.MemberChange change) {
        if (!(s.role() instanceof Role.Leading leading)) {
            return Optional.of(LogReply.Reason.NOT_LEADER);
        }
        if (!leading.transferTo().isEmpty()) {
            return Optional.of(LogReply.Reason.TRANSFER_IN_PROGRESS);
        }
        boolean hasCommittedInTerm = s.commitIndex() >= leading.firstIndex();
        boolean isPreviousChangeCommitted = s.log().configuration().index() <= s.commitIndex();
        if (!hasCommittedInTerm || !isPreviousChangeCommitted) {
            return Optional.of(LogReply.Reason.CHANGE_IN_PROGRESS);
        }
        var next = changed(s.configuration(), change);
        if (next.equals(s.configuration()) || next.voters().isEmpty()) {
            return Optional.of(LogReply.Reason.INVALID_CHANGE);
        }
        return change instanceof LogCall.Promote(var node) && !hasCaughtUp(s, leading, node)
                ? Optional.of(LogReply.Reason.NOT_CAUGHT_UP)
                : Optional.empty();
    }

    private static boolean hasCaughtUp(RaftState s, Role.Leading leading, NodeId node) {
        return leading.peers().stream()
                .anyMatch(peer -> peer.node().equals(node) && peer.matchIndex() >= s.commitIndex());
    }

    private static Configuration changed(Configuration now, LogCall.MemberChange change) {
        var node = change.node();
        return switch (change) {
            case LogCall.AddLearner add ->
                now.members().contains(node)
                        ? now
                        : new Configuration(now.voters(), now.learners().with(node));
            case LogCall.Promote promote ->
                now.learners().contains(node)
                        ? new Configuration(
                                now.voters().with(node), now.learners().without(node))
                        : now;
            case LogCall.Remove remove ->
                new Configuration(now.voters().without(node), now.learners().without(node));
        };
    }

    /** A leader replicates to the members of the newest configuration in its log, committed or not. */
    static RaftState refreshPeers(RaftState s) {
        if (!(s.role() instanceof Role.Leading leading)) {
            return s;
        }
        var others = s.configuration().members().without(s.self());
        return leading.otherMembers().equals(others)
                ? s
                : s.in(leading.withMembers(others, s.log().lastIndex() + 1));
    }

    /** A leader that removed itself leads until the change is committed, without counting itself. */
    static Step<RaftState, RaftMessage> stepDownIfRemoved(Raft raft, RaftState s) {
        boolean isCommitted = s.log().configuration().index() <= s.commitIndex();
        return s.role() instanceof Role.Leading && isCommitted && !s.isVoter() ? Voting.stepDown(raft, s) : raft.to(s);
    }
}
