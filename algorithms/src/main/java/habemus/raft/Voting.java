package habemus.raft;

import habemus.protocol.EntryId;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.raft.RaftMessage.PreVote;
import habemus.raft.RaftMessage.PreVoteGranted;
import habemus.raft.RaftMessage.RequestVote;
import habemus.raft.RaftMessage.TimeoutNow;
import habemus.raft.RaftMessage.VoteGranted;
import habemus.raft.RaftState.IncomingSnapshot;
import habemus.raft.RaftState.Progress;
import habemus.raft.RaftState.Role;
import habemus.raft.RaftState.Timer;
import java.util.List;

/**
 * Leader election: sections 3.4 (votes), 3.6.1 (the newest log wins), 3.10 (transfer), 4.2.3 (disruptive nodes), 6.2
 * (check quorum) and 9.6 (pre-vote) of the dissertation.
 */
final class Voting {

    private Voting() {}

    /** A node that is removed, or is not a voter yet, keeps listening. */
    static Step<RaftState, RaftMessage> onElectionTimeout(Raft raft, RaftState s) {
        var listening = stepDown(raft, s).then(raft::resetElectionTimer);
        if (!s.mayCampaign()) {
            return listening;
        }
        return raft.preVote()
                ? listening
                        .sendAll(s.otherVoters(), new PreVote(s.term(), s.log().last()))
                        .then(now -> countPreVotes(raft, now, NodeSet.of(s.self())))
                : becomeCandidate(raft, s, false);
    }

    /** A node that hears a leader grants no pre-vote, so a node that returns does not depose a healthy leader. */
    static Step<RaftState, RaftMessage> onPreVote(Raft raft, RaftState s, NodeId from, PreVote request) {
        return s.leader().isEmpty() && isUpToDate(s, request.last())
                ? raft.to(s).send(from, new PreVoteGranted(request.term()))
                : raft.to(s);
    }

    private static boolean isUpToDate(RaftState s, EntryId candidateLast) {
        return candidateLast.compareTo(s.log().last()) >= 0;
    }

    static Step<RaftState, RaftMessage> onPreVoteGranted(Raft raft, RaftState s, NodeId from) {
        return s.role() instanceof Role.PreCandidate(var votes) ? countPreVotes(raft, s, votes.with(from)) : raft.to(s);
    }

    private static Step<RaftState, RaftMessage> countPreVotes(Raft raft, RaftState s, NodeSet votes) {
        return raft.isMajority(s, votes)
                ? becomeCandidate(raft, s, false)
                : raft.to(s.in(new Role.PreCandidate(votes)));
    }

    /** Starts a new term with our own vote, which is durable before any request is sent. */
    static Step<RaftState, RaftMessage> becomeCandidate(Raft raft, RaftState s, boolean transfer) {
        var self = NodeSet.of(s.self());
        return stepDown(raft, s.inTerm(s.term() + 1, self))
                .then(raft::resetElectionTimer)
                .sendAll(s.otherVoters(), new RequestVote(s.term() + 1, s.log().last(), transfer))
                .then(now -> countVotes(raft, now, self));
    }

    /**
     * Whether a candidate of a higher term may end the term of a node that leads or hears a leader. A removed node does
     * not know that it is removed, and must not disturb the others.
     */
    static boolean mayDepose(Raft raft, RaftState s, RequestVote request) {
        return request.transfer() || !raft.checkQuorum() || s.leader().isEmpty();
    }

    /** Votes once a term, for a candidate whose log is at least as new as our own. */
    static Step<RaftState, RaftMessage> onRequestVote(Raft raft, RaftState s, NodeId from, RequestVote request) {
        boolean mayVote =
                s.durable().vote().without(from).isEmpty() && s.leader().isEmpty();
        return mayVote && isUpToDate(s, request.last())
                ? raft.resetElectionTimer(s.inTerm(s.term(), NodeSet.of(from))).send(from, new VoteGranted(s.term()))
                : raft.to(s);
    }

    static Step<RaftState, RaftMessage> onVoteGranted(Raft raft, RaftState s, NodeId from) {
        return s.role() instanceof Role.Candidate(var votes) ? countVotes(raft, s, votes.with(from)) : raft.to(s);
    }

    private static Step<RaftState, RaftMessage> countVotes(Raft raft, RaftState s, NodeSet votes) {
        return raft.isMajority(s, votes) ? becomeLeader(raft, s) : raft.to(s.in(new Role.Candidate(votes)));
    }

    /** A new leader appends a no-op: once it is committed, all earlier entries are. */
    private static Step<RaftState, RaftMessage> becomeLeader(Raft raft, RaftState s) {
        long next = s.log().lastIndex() + 1;
        var peers = s.configuration().members().without(s.self()).toList().stream()
                .map(node -> Progress.unknown(node, next))
                .toList();
        var leading = new Role.Leading(next, peers, NodeSet.NONE, 0, List.of(), NodeSet.NONE);
        return raft.to(s.in(leading))
                .setTimer(Timer.ELECTION_TIMEOUT, raft.electionTimeout())
                .setTimer(Timer.HEARTBEAT, raft.heartbeatInterval())
                .elected(s.self(), s.term())
                .then(now -> Replication.appendNoOp(raft, now));
    }

    static Step<RaftState, RaftMessage> adoptTerm(Raft raft, RaftState s, long term) {
        return stepDown(raft, s.inTerm(term, NodeSet.NONE));
    }

    /** The sender leads this term. */
    static Step<RaftState, RaftMessage> follow(Raft raft, RaftState s, NodeId leader, long round) {
        ProtocolBug.unless(s.leader().without(leader).isEmpty(), "a second leader in one term, " + leader + ",", s);
        if (s.role() instanceof Role.Following f) {
            var latest = new Role.Following(leader, f.matchIndex(), Math.max(f.round(), round), f.incoming());
            return raft.resetElectionTimer(s.in(latest));
        }
        // Committed entries are in the log of every later leader.
        var following = new Role.Following(leader, s.commitIndex(), round, IncomingSnapshot.NONE);
        return raft.resetElectionTimer(s.in(following)).elected(leader, s.term());
    }

    /** Stops leading or following. Proposals stay open: another leader may still commit them. */
    static Step<RaftState, RaftMessage> stepDown(Raft raft, RaftState s) {
        var listening = s.in(new Role.Listening());
        return switch (s.role()) {
            case Role.Leading leading ->
                ReadIndex.rejectAll(raft, raft.resetElectionTimer(listening), leading.reads())
                        .cancelTimer(Timer.HEARTBEAT)
                        .lost();
            case Role.Following following -> raft.to(listening).lost();
            default -> raft.to(listening);
        };
    }

    /** A leader that hears no majority steps down. A transfer that takes longer than this is cancelled. */
    static Step<RaftState, RaftMessage> checkQuorum(Raft raft, RaftState s, Role.Leading leading) {
        var next = s.in(leading.withHeard(NodeSet.NONE).withTransferTo(NodeSet.NONE));
        return !raft.checkQuorum() || raft.isMajority(s, leading.heard().with(s.self()))
                ? raft.to(next).setTimer(Timer.ELECTION_TIMEOUT, raft.electionTimeout())
                : stepDown(raft, s);
    }

    /** Brings the next leader up to date, then lets it campaign. Rejects proposals in between. */
    static Step<RaftState, RaftMessage> transfer(Raft raft, RaftState s, NodeId to) {
        return s.role() instanceof Role.Leading leading && s.otherVoters().contains(to)
                ? completeTransfer(raft, s.in(leading.withTransferTo(NodeSet.of(to))))
                : raft.to(s);
    }

    static Step<RaftState, RaftMessage> completeTransfer(Raft raft, RaftState s) {
        if (s.role() instanceof Role.Leading leading) {
            for (Progress peer : leading.peers()) {
                if (leading.transferTo().contains(peer.node())
                        && peer.matchIndex() == s.log().lastIndex()) {
                    return raft.to(s).send(peer.node(), new TimeoutNow(s.term()));
                }
            }
        }
        return raft.to(s);
    }
}
