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
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import java.time.Duration;

/**
 * A node votes once a term; who has more than half of the weight leads that term.
 *
 * <p>Whoever hears from no leader for too long asks whether it would be elected, and if so begins a new term. A leader
 * that hears from no majority gives up. Every message carries a term: who meets a higher one joins it and forgets its
 * leader, and who asks in a lower one is told.
 *
 * <pre>
 *   ·                                                ── start ────────────▶ Listening
 *   ·                                                ── restart ──────────▶ Listening, Voted
 *   Listening                                        ── campaign ─────────▶ Probing, Standing, Leading
 *   Following                                        ── campaign, Stand ──▶ Standing
 *   Listening, Voted, Following                      ── SILENCE ──────────▶ Probing, Standing
 *   Standing                                         ── SILENCE ──────────▶ Probing
 *   Probing                                          ── Encourage ────────▶ Standing
 *   Standing                                         ── Vote ─────────────▶ Leading
 *   Listening, Probing, Standing, Following, Leading ── Ask ──────────────▶ Voted
 *   Listening, Probing, Standing, Voted, Leading     ── Lead ─────────────▶ Following
 *   Probing, Standing, Voted, Leading                ── Newer ────────────▶ Listening
 *   Leading                                          ── SILENCE, HandOver ▶ Listening    unheard, or asked to
 * </pre>
 *
 * <p>Costs 5(n-1) messages until all know, 2(n-1) fewer without {@code preVote}, and 2(n-1) a beat. One leader a term
 * survives everything but a lost disk; that one leads in the end, everything that ends, if a majority is up.
 * Assumes, for the latter, that messages take less than half of {@code patience}.
 *
 * @param preVote whether it asks before it begins a new term
 * @param transfer whether a follower that wants to lead asks its leader to make room, or just begins a new term
 * @param electionTimeout how long a leader may be silent at least, before somebody misses it
 * @see <a href="https://web.stanford.edu/~ouster/cgi-bin/papers/OngaroPhD.pdf">Ongaro, 2014, without the log</a>
 */
public record TermMajority(
        VoteWeights voteWeights,
        boolean preVote,
        boolean transfer,
        Duration electionTimeout,
        Duration heartbeatInterval)
        implements Election<TermState, TermMessage>,
                Timed<TermState, TermMessage, Timer>,
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
        return resetElectionTimer(
                TermState.recover(neighbourhood.self(), voteWeights.voters(neighbourhood), durableState));
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
        if (message.term() < s.term()) {
            return message instanceof Request ? to(s).send(from, new NewerTerm(s.term())) : to(s);
        }
        if (message.term() > s.term() && !(message instanceof PreVote)) {
            return stepDown(s.inTerm(message.term(), NodeSet.NONE)).then(now -> receive(now, from, message));
        }
        return switch (message) {
            case PreVote(var term) -> s.hasLeaderOrVoted() ? to(s) : to(s).send(from, new PreVoteGranted(term));
            case PreVoteGranted m ->
                s.phase() instanceof Phase.PreCandidate(var some) ? countPreVotes(s, some.with(from)) : to(s);
            case RequestVote m ->
                s.mayVoteFor(from)
                        ? resetElectionTimer(s.votingFor(from)).send(from, new VoteGranted(s.term()))
                        : to(s);
            case VoteGranted m ->
                s.phase() instanceof Phase.Candidate(var some) ? countVotes(s, some.with(from)) : to(s);
            case Heartbeat m -> follow(s, new Phase.Following(from)).send(from, new HeartbeatAck(s.term()));
            case HeartbeatAck m ->
                s.phase() instanceof Phase.Leading(var some) ? to(s.leading(some.with(from))) : to(s);
            case TransferLeadership m ->
                s.phase() instanceof Phase.Leading ? stepDown(s).send(from, new TimeoutNow(s.term())) : to(s);
            case TimeoutNow m -> becomeCandidate(s);
            case NewerTerm m -> to(s); // which is ours by now
        };
    }

    @Override
    public Step<TermState, TermMessage> timeout(TermState s, Timer timer) {
        return switch (timer) {
            case HEARTBEAT -> sendHeartbeats(s);
            case ELECTION_TIMEOUT ->
                s.phase() instanceof Phase.Leading(var heard) ? checkQuorum(s, heard) : startElection(s);
        };
    }

    /** Whoever has a leader, be it itself, has none any more. */
    private Step<TermState, TermMessage> stepDown(TermState s) {
        var retired = s.in(new Phase.Listening());
        return switch (s.phase()) {
            case Phase.Leading p ->
                resetElectionTimer(retired).cancelTimer(Timer.HEARTBEAT).lost();
            case Phase.Following p -> to(retired).lost();
            default -> to(retired);
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

    private Step<TermState, TermMessage> countPreVotes(TermState s, NodeSet some) {
        return voteWeights.isMajority(some, s.voters()) ? becomeCandidate(s) : to(s.in(new Phase.PreCandidate(some)));
    }

    private Step<TermState, TermMessage> becomeCandidate(TermState s) {
        var self = NodeSet.of(s.self());
        return stepDown(s.inTerm(s.term() + 1, self))
                .then(this::resetElectionTimer)
                .sendAll(s.peers(), new RequestVote(s.term() + 1))
                .then(now -> countVotes(now, self));
    }

    private Step<TermState, TermMessage> countVotes(TermState s, NodeSet some) {
        return voteWeights.isMajority(some, s.voters())
                ? to(s.leading(NodeSet.NONE))
                        .setTimer(Timer.ELECTION_TIMEOUT, electionTimeout)
                        .elected(s.self(), s.term())
                        .then(this::sendHeartbeats)
                : to(s.in(new Phase.Candidate(some)));
    }

    private Step<TermState, TermMessage> sendHeartbeats(TermState s) {
        return to(s).sendAll(s.peers(), new Heartbeat(s.term())).setTimer(Timer.HEARTBEAT, heartbeatInterval);
    }

    private Step<TermState, TermMessage> follow(TermState s, Phase.Following leader) {
        return s.phase().equals(leader)
                ? resetElectionTimer(s)
                : stepDown(s).then(now -> resetElectionTimer(now.in(leader))).elected(leader.leader(), s.term());
    }

    private Step<TermState, TermMessage> checkQuorum(TermState s, NodeSet heard) {
        return voteWeights.isMajority(heard.with(s.self()), s.voters())
                ? to(s.leading(NodeSet.NONE)).setTimer(Timer.ELECTION_TIMEOUT, electionTimeout)
                : stepDown(s);
    }

    private Step<TermState, TermMessage> resetElectionTimer(TermState s) {
        return to(s).setTimer(Timer.ELECTION_TIMEOUT, electionTimeout, electionTimeout.multipliedBy(2));
    }
}
