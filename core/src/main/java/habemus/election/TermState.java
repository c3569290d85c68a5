package habemus.election;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.WireTags;

/**
 * What a node knows in an election by terms.
 *
 * @param voters everybody, this node included
 */
public record TermState(NodeId self, NodeSet voters, DurableState durableState, Phase phase) {

    /**
     * What is on disk before anybody is told of it.
     *
     * @param vote nobody, or the one that has our vote of this term
     */
    public record DurableState(long term, NodeSet vote) {}

    public enum Timer {
        /** Nobody has led for too long; or, for who leads, it is time to count who follows. */
        ELECTION_TIMEOUT,
        HEARTBEAT
    }

    @WireTags({
        Phase.Following.class,
        Phase.Leading.class,
        Phase.Listening.class,
        Phase.PreCandidate.class,
        Phase.Candidate.class,
        Phase.Voted.class
    })
    public sealed interface Phase {
        /** We know of no leader, and have voted for nobody but ourselves. */
        record Listening() implements Phase {}

        record PreCandidate(NodeSet preVotes) implements Phase {}

        record Candidate(NodeSet votes) implements Phase {}

        /** We wait for the one that has our vote to lead. */
        record Voted() implements Phase {}

        record Following(NodeId leader) implements Phase {}

        /** @param heard who has answered since we last counted */
        record Leading(NodeSet heard) implements Phase {}
    }

    /** Who comes up waits for the one that has its vote, if that is another. */
    public static TermState recover(NodeId self, NodeSet voters, DurableState durableState) {
        boolean voted = !durableState.vote.without(self).isEmpty();
        return new TermState(self, voters, durableState, voted ? new Phase.Voted() : new Phase.Listening());
    }

    public TermState in(Phase next) {
        return new TermState(self, voters, durableState, next);
    }

    public TermState inTerm(long term, NodeSet vote) {
        return new TermState(self, voters, new DurableState(term, vote), phase);
    }

    public TermState votingFor(NodeId candidate) {
        return inTerm(term(), NodeSet.of(candidate)).in(new Phase.Voted());
    }

    public TermState leading(NodeSet heard) {
        return in(new Phase.Leading(heard));
    }

    public long term() {
        return durableState.term;
    }

    public NodeSet peers() {
        return voters.without(self);
    }

    /** Whether it has a leader, or has just voted for one: then it wants no other. */
    public boolean hasLeaderOrVoted() {
        return phase instanceof Phase.Voted || phase instanceof Phase.Following || phase instanceof Phase.Leading;
    }

    /** Whether it has not voted for another in this term, nor heard who won it. */
    public boolean mayVoteFor(NodeId candidate) {
        return durableState.vote.without(candidate).isEmpty() && !(phase instanceof Phase.Following);
    }
}
