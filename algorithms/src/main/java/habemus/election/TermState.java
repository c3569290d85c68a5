package habemus.election;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.WireTags;

/**
 * The state of a node in {@link TermMajority}.
 *
 * @param voters all nodes, including this one
 */
public record TermState(NodeId self, NodeSet voters, DurableState durableState, Phase phase) {

    /**
     * The part of the state that is on disk.
     *
     * @param vote the node that has our vote in this term, or empty
     */
    public record DurableState(long term, NodeSet vote) {}

    public enum Timer {
        /** At a follower: no heartbeat for too long. At the leader: time to check that a majority follows. */
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
        /** The node knows no leader, and has voted for no other node in this term. */
        record Listening() implements Phase {}

        record PreCandidate(NodeSet preVotes) implements Phase {}

        record Candidate(NodeSet votes) implements Phase {}

        /** The node waits for the candidate that has its vote. */
        record Voted() implements Phase {}

        record Following(NodeId leader) implements Phase {}

        /** @param followers the nodes that have answered a heartbeat since the last quorum check */
        record Leading(NodeSet followers) implements Phase {}
    }

    /** The terms of a view are this number times the view, and more: no term has votes of two views. */
    private static final long TERMS_PER_VIEW = 1_000_000_000;

    public static long firstTerm(long view) {
        return view * TERMS_PER_VIEW;
    }

    public static long view(long term) {
        return term / TERMS_PER_VIEW;
    }

    /** The state after a start. A node that has voted for another node waits for that candidate. */
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

    public TermState withVoters(NodeSet next) {
        return new TermState(self, next, durableState, phase);
    }

    public TermState votingFor(NodeId candidate) {
        return inTerm(term(), NodeSet.of(candidate)).in(new Phase.Voted());
    }

    public TermState leading(NodeSet followers) {
        return in(new Phase.Leading(followers));
    }

    public long term() {
        return durableState.term;
    }

    public NodeSet peers() {
        return voters.without(self);
    }

    /** Whether the node knows a leader, or has just voted for one: then it grants no pre-vote. */
    public boolean hasLeaderOrVoted() {
        return phase instanceof Phase.Voted || phase instanceof Phase.Following || phase instanceof Phase.Leading;
    }

    /** Whether the node has not voted for another candidate in this term, and does not know the leader of the term. */
    public boolean mayVoteFor(NodeId candidate) {
        return durableState.vote.without(candidate).isEmpty() && !(phase instanceof Phase.Following);
    }
}
