package habemus.election;

import habemus.election.TermMessage.Ask;
import habemus.election.TermMessage.Encourage;
import habemus.election.TermMessage.Follow;
import habemus.election.TermMessage.HandOver;
import habemus.election.TermMessage.Lead;
import habemus.election.TermMessage.Newer;
import habemus.election.TermMessage.Probe;
import habemus.election.TermMessage.Question;
import habemus.election.TermMessage.Stand;
import habemus.election.TermMessage.Vote;
import habemus.election.TermState.Alarm;
import habemus.election.TermState.Memory;
import habemus.election.TermState.Phase;
import habemus.protocol.Durable;
import habemus.protocol.Election;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Place;
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
 * @param patience how long a leader may be silent at least, before somebody misses it
 * @see <a href="https://web.stanford.edu/~ouster/cgi-bin/papers/OngaroPhD.pdf">Ongaro, 2014, without the log</a>
 */
public record TermMajority(Weights weights, boolean preVote, boolean transfer, Duration patience, Duration beat)
        implements Election<TermState, TermMessage>,
                Timed<TermState, TermMessage, Alarm>,
                Durable<TermState, TermMessage, Memory> {

    @Override
    public Step<TermState, TermMessage> start(Place place) {
        return restart(place, new Memory(0, NodeSet.NONE));
    }

    @Override
    public Memory memory(TermState s) {
        return s.memory();
    }

    @Override
    public Step<TermState, TermMessage> restart(Place place, Memory memory) {
        return listen(TermState.back(place.self(), weights.voters(place), memory));
    }

    @Override
    public Step<TermState, TermMessage> campaign(TermState s) {
        return switch (s.phase()) {
            case Phase.Listening() -> seek(s);
            case Phase.Following(var leader) -> transfer ? to(s).send(leader, new HandOver(s.term())) : stand(s);
            default -> to(s); // an election is running, or we lead
        };
    }

    @Override
    public Step<TermState, TermMessage> receive(TermState s, NodeId from, TermMessage message) {
        if (message.term() < s.term()) {
            return message instanceof Question ? to(s).send(from, new Newer(s.term())) : to(s);
        }
        if (message.term() > s.term() && !(message instanceof Probe)) {
            return retire(s.inTerm(message.term(), NodeSet.NONE)).then(now -> receive(now, from, message));
        }
        return switch (message) {
            case Probe(var term) -> s.isContent() ? to(s) : to(s).send(from, new Encourage(term));
            case Encourage m -> s.phase() instanceof Phase.Probing(var some) ? probe(s, some.with(from)) : to(s);
            case Ask m -> s.mayVoteFor(from) ? listen(s.votingFor(from)).send(from, new Vote(s.term())) : to(s);
            case Vote m -> s.phase() instanceof Phase.Standing(var some) ? count(s, some.with(from)) : to(s);
            case Lead m -> follow(s, new Phase.Following(from)).send(from, new Follow(s.term()));
            case Follow m -> s.phase() instanceof Phase.Leading(var some) ? to(s.leading(some.with(from))) : to(s);
            case HandOver m -> s.phase() instanceof Phase.Leading ? retire(s).send(from, new Stand(s.term())) : to(s);
            case Stand m -> stand(s);
            case Newer m -> to(s); // which is ours by now
        };
    }

    @Override
    public Step<TermState, TermMessage> elapsed(TermState s, Alarm alarm) {
        return switch (alarm) {
            case BEAT -> beat(s);
            case SILENCE -> s.phase() instanceof Phase.Leading(var heard) ? lookRound(s, heard) : seek(s);
        };
    }

    /** Whoever has a leader, be it itself, has none any more. */
    private Step<TermState, TermMessage> retire(TermState s) {
        var retired = s.in(new Phase.Listening());
        return switch (s.phase()) {
            case Phase.Leading p -> listen(retired).calm(Alarm.BEAT).lost();
            case Phase.Following p -> to(retired).lost();
            default -> to(retired);
        };
    }

    private Step<TermState, TermMessage> seek(TermState s) {
        return preVote
                ? retire(s)
                        .then(this::listen)
                        .sendAll(s.peers(), new Probe(s.term()))
                        .then(now -> probe(now, NodeSet.of(s.self())))
                : stand(s);
    }

    private Step<TermState, TermMessage> probe(TermState s, NodeSet some) {
        return weights.isMajority(some, s.voters()) ? stand(s) : to(s.in(new Phase.Probing(some)));
    }

    private Step<TermState, TermMessage> stand(TermState s) {
        var self = NodeSet.of(s.self());
        return retire(s.inTerm(s.term() + 1, self))
                .then(this::listen)
                .sendAll(s.peers(), new Ask(s.term() + 1))
                .then(now -> count(now, self));
    }

    private Step<TermState, TermMessage> count(TermState s, NodeSet some) {
        return weights.isMajority(some, s.voters())
                ? to(s.leading(NodeSet.NONE))
                        .wake(Alarm.SILENCE, patience)
                        .elected(s.self(), s.term())
                        .then(this::beat)
                : to(s.in(new Phase.Standing(some)));
    }

    private Step<TermState, TermMessage> beat(TermState s) {
        return to(s).sendAll(s.peers(), new Lead(s.term())).wake(Alarm.BEAT, beat);
    }

    private Step<TermState, TermMessage> follow(TermState s, Phase.Following leader) {
        return s.phase().equals(leader)
                ? listen(s)
                : retire(s).then(now -> listen(now.in(leader))).elected(leader.leader(), s.term());
    }

    private Step<TermState, TermMessage> lookRound(TermState s, NodeSet heard) {
        return weights.isMajority(heard.with(s.self()), s.voters())
                ? to(s.leading(NodeSet.NONE)).wake(Alarm.SILENCE, patience)
                : retire(s);
    }

    private Step<TermState, TermMessage> listen(TermState s) {
        return to(s).wake(Alarm.SILENCE, patience, patience.multipliedBy(2));
    }
}
