package habemus.election;

import habemus.election.TermMessage.Heartbeat;
import habemus.election.TermMessage.HeartbeatAck;
import habemus.election.TermMessage.NewerTerm;
import habemus.election.TermMessage.PreVote;
import habemus.election.TermMessage.PreVoteGranted;
import habemus.election.TermMessage.Request;
import habemus.election.TermMessage.RequestVote;
import habemus.election.TermMessage.TimeoutNow;
import habemus.election.TermMessage.TransferLeadership;
import habemus.election.TermMessage.VoteGranted;
import habemus.election.TermState.DurableState;
import habemus.election.TermState.Phase;
import habemus.election.TermState.Timer;
import habemus.protocol.Durable;
import habemus.protocol.Election;
import habemus.protocol.MembershipAware;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import java.time.Duration;

/**
 * The leader election of Raft: a node votes once a term, and a candidate with a majority of the votes leads the term.
 *
 * <p>After an election timeout without a leader, a node first asks whether it would get the votes, and then starts a
 * new term. A leader that gets no replies from a majority steps down. Every message carries a term. A node that
 * receives a higher term adopts it and drops its leader; it answers a request with a lower term with NewerTerm.
 *
 * <pre>
 *   ·                              ── start, join ───────────────────────────▶ Listening
 *   ·                              ── restart ───────────────────────────────▶ Listening, Voted
 *   Listening                      ── campaign ──────────────────────────────▶ PreCandidate, Candidate, Leading
 *   Following                      ── campaign, TimeoutNow ──────────────────▶ Candidate
 *   Listening, Voted, Following    ── ELECTION_TIMEOUT ──────────────────────▶ PreCandidate, Candidate
 *   Candidate                      ── ELECTION_TIMEOUT ──────────────────────▶ PreCandidate
 *   Listening                      ── ELECTION_TIMEOUT ──────────────────────▶ Leading    the only member
 *   PreCandidate                   ── PreVoteGranted ────────────────────────▶ Candidate
 *   Candidate                      ── VoteGranted ───────────────────────────▶ Leading
 *   Listening, Following, Leading  ── RequestVote ───────────────────────────▶ Voted
 *   PreCandidate, Candidate        ── RequestVote ───────────────────────────▶ Voted
 *   Listening, Voted, Leading      ── Heartbeat ─────────────────────────────▶ Following
 *   PreCandidate, Candidate        ── Heartbeat ─────────────────────────────▶ Following
 *   Voted, Leading                 ── NewerTerm ─────────────────────────────▶ Listening
 *   PreCandidate, Candidate        ── NewerTerm ─────────────────────────────▶ Listening
 *   Leading                        ── ELECTION_TIMEOUT, TransferLeadership ──▶ Listening
 *   Voted, Following, Leading      ── joined, left ──────────────────────────▶ Listening
 *   PreCandidate, Candidate        ── joined, left ──────────────────────────▶ Listening
 * </pre>
 *
 * <p>If a node joins or leaves, a new view begins. Its terms are higher than all terms of earlier views, so every vote
 * is counted among the members of one view. The leader steps down, and the view elects its own.
 *
 * <p>Costs 5(n-1) messages until all nodes know the leader, 2(n-1) fewer without {@code preVote}, and 2(n-1) a
 * heartbeat. One leader per term survives everything but the loss of a disk. In the end one node leads if a majority is
 * up, all faults are over, and messages take less than half of {@code electionTimeout}.
 *
 * @param preVote whether a node asks for pre-votes before it starts a new term
 * @param transfer whether a follower that campaigns asks its leader to step down, instead of starting a new term at
 *     once
 * @param electionTimeout the minimum time without a leader until a node starts an election; the maximum is twice as
 *     long
 * @param heartbeatInterval the time between two heartbeats of a leader
 * @see <a href="https://web.stanford.edu/~ouster/cgi-bin/papers/OngaroPhD.pdf">Ongaro, 2014, without the log</a>
 */
public record TermMajority(
        VoteWeights weights, boolean preVote, boolean transfer, Duration electionTimeout, Duration heartbeatInterval)
        implements Election<TermState, TermMessage>,
                Timed<TermState, TermMessage, Timer>,
                MembershipAware<TermState, TermMessage>,
                Durable<TermState, TermMessage, DurableState> {

    @Override
    public Step<TermState, TermMessage> start(Neighbourhood neighbourhood) {
        return restart(neighbourhood, new DurableState(0, NodeSet.NONE));
    }

    @Override
    public DurableState durableState(TermState s) {
        return s.durableState();
    }

    @Override
    public Step<TermState, TermMessage> restart(Neighbourhood neighbourhood, DurableState durableState) {
        return resetElectionTimer(TermState.recover(neighbourhood.self(), weights.voters(neighbourhood), durableState));
    }

    @Override
    public Step<TermState, TermMessage> campaign(TermState s) {
        return switch (s.phase()) {
            case Phase.Listening() -> startElection(s);
            case Phase.Following(var leader) ->
                transfer ? to(s).send(leader, new TransferLeadership(s.term())) : becomeCandidate(s);
            default -> to(s); // an election is running, or we lead
        };
    }

    @Override
    public Step<TermState, TermMessage> receive(TermState s, NodeId from, TermMessage message) {
        if (TermState.view(message.term()) > TermState.view(s.term())) {
            return to(s); // of a view that this node does not know yet; the sender asks again
        }
        if (message.term() < s.term()) {
            return message instanceof Request ? to(s).send(from, new NewerTerm(s.term())) : to(s);
        }
        if (message.term() > s.term() && !(message instanceof PreVote)) {
            return stepDown(s.inTerm(message.term(), NodeSet.NONE)).then(now -> receive(now, from, message));
        }
        return switch (message) {
            case PreVote(var term) -> s.hasLeaderOrVoted() ? to(s) : to(s).send(from, new PreVoteGranted(term));
            case PreVoteGranted m ->
                s.phase() instanceof Phase.PreCandidate(var votes) ? countPreVotes(s, votes.with(from)) : to(s);
            case RequestVote m -> s.mayVoteFor(from) ? voteFor(s, from) : to(s);
            case VoteGranted m ->
                s.phase() instanceof Phase.Candidate(var votes) ? countVotes(s, votes.with(from)) : to(s);
            case Heartbeat m -> follow(s, new Phase.Following(from)).send(from, new HeartbeatAck(s.term()));
            case HeartbeatAck m ->
                s.phase() instanceof Phase.Leading(var followers) ? to(s.leading(followers.with(from))) : to(s);
            case TransferLeadership m ->
                s.phase() instanceof Phase.Leading ? stepDown(s).send(from, new TimeoutNow(s.term())) : to(s);
            case TimeoutNow m -> becomeCandidate(s);
            case NewerTerm m -> to(s); // we have adopted the term above
        };
    }

    @Override
    public Step<TermState, TermMessage> timeout(TermState s, Timer timer) {
        return switch (timer) {
            case HEARTBEAT -> sendHeartbeats(s);
            case ELECTION_TIMEOUT ->
                s.phase() instanceof Phase.Leading(var followers) ? checkQuorum(s, followers) : startElection(s);
        };
    }

    @Override
    public Step<TermState, TermMessage> join(Neighbourhood neighbourhood, long view) {
        return restart(neighbourhood, new DurableState(TermState.firstTerm(view), NodeSet.NONE));
    }

    @Override
    public Step<TermState, TermMessage> joined(TermState s, NodeId peer, long view) {
        return enterView(s, s.voters().with(peer), view);
    }

    @Override
    public Step<TermState, TermMessage> left(TermState s, NodeId peer, long view) {
        return enterView(s, s.voters().without(peer), view);
    }

    /** A vote counts in one view only: majorities of different views need not share a node. */
    private Step<TermState, TermMessage> enterView(TermState s, NodeSet voters, long view) {
        return stepDown(s.inTerm(TermState.firstTerm(view), NodeSet.NONE))
                .then(now -> resetElectionTimer(now.withVoters(voters)));
    }

    /** Stops leading or following. */
    private Step<TermState, TermMessage> stepDown(TermState s) {
        var listening = s.in(new Phase.Listening());
        return switch (s.phase()) {
            case Phase.Leading p ->
                resetElectionTimer(listening).cancelTimer(Timer.HEARTBEAT).lost();
            case Phase.Following p -> to(listening).lost();
            default -> to(listening);
        };
    }

    private Step<TermState, TermMessage> startElection(TermState s) {
        return preVote
                ? stepDown(s)
                        .then(this::resetElectionTimer)
                        .sendAll(s.peers(), new PreVote(s.term()))
                        .then(now -> countPreVotes(now, NodeSet.of(s.self())))
                : becomeCandidate(s);
    }

    private Step<TermState, TermMessage> voteFor(TermState s, NodeId candidate) {
        return resetElectionTimer(s.votingFor(candidate)).send(candidate, new VoteGranted(s.term()));
    }

    private Step<TermState, TermMessage> countPreVotes(TermState s, NodeSet votes) {
        return weights.isMajority(votes, s.voters()) ? becomeCandidate(s) : to(s.in(new Phase.PreCandidate(votes)));
    }

    private Step<TermState, TermMessage> becomeCandidate(TermState s) {
        var self = NodeSet.of(s.self());
        return stepDown(s.inTerm(s.term() + 1, self))
                .then(this::resetElectionTimer)
                .sendAll(s.peers(), new RequestVote(s.term() + 1))
                .then(now -> countVotes(now, self));
    }

    private Step<TermState, TermMessage> countVotes(TermState s, NodeSet votes) {
        return weights.isMajority(votes, s.voters())
                ? to(s.leading(NodeSet.NONE))
                        .setTimer(Timer.ELECTION_TIMEOUT, electionTimeout)
                        .elected(s.self(), s.term())
                        .then(this::sendHeartbeats)
                : to(s.in(new Phase.Candidate(votes)));
    }

    private Step<TermState, TermMessage> sendHeartbeats(TermState s) {
        return to(s).sendAll(s.peers(), new Heartbeat(s.term())).setTimer(Timer.HEARTBEAT, heartbeatInterval);
    }

    private Step<TermState, TermMessage> follow(TermState s, Phase.Following leader) {
        return s.phase().equals(leader)
                ? resetElectionTimer(s)
                : stepDown(s).then(now -> resetElectionTimer(now.in(leader))).elected(leader.leader(), s.term());
    }

    private Step<TermState, TermMessage> checkQuorum(TermState s, NodeSet followers) {
        return weights.isMajority(followers.with(s.self()), s.voters())
                ? to(s.leading(NodeSet.NONE)).setTimer(Timer.ELECTION_TIMEOUT, electionTimeout)
                : stepDown(s);
    }

    private Step<TermState, TermMessage> resetElectionTimer(TermState s) {
        return to(s).setTimer(Timer.ELECTION_TIMEOUT, electionTimeout, electionTimeout.multipliedBy(2));
    }
}
