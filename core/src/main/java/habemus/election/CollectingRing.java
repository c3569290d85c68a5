package habemus.election;

import habemus.election.CollectingRing.Message;
import habemus.election.CollectingRing.State;
import habemus.protocol.Durable;
import habemus.protocol.Election;
import habemus.protocol.FailureAware;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Ranking;
import habemus.protocol.Stamp;
import habemus.protocol.Step;
import habemus.protocol.WireTags;

/**
 * A list goes round, to which everybody adds itself; when it comes home, the best on it leads, and that goes round too.
 *
 * <p>The ring is the order of the numbers, without those that are suspected. If its successor changes, what a node has
 * passed on may be lost: it passes the news on again, or sends a new list. Who comes back says so to everybody, for
 * somebody is its predecessor. Who hears of a ring without itself, or of a leader that it suspects, sends a new list.
 *
 * <pre>
 *   ·        ── start, restart ──────────────────────────▶ Newcomer
 *   Newcomer ── campaign, Election, Coordinator ─────────▶ Electing    Coordinator: of a ring without it
 *   Newcomer ── Coordinator ─────────────────────────────▶ Led
 *   Electing ── Election, Coordinator ───────────────────▶ Led         Election: its own list is home
 *   Led      ── campaign, Election, Coordinator, suspect ▶ Electing    suspect: the leader
 * </pre>
 *
 * <p>Costs 2n messages if one node starts; if all do 3n-1, or 2n² if no list is removed. Survives crashes, restarts
 * with memory, messages late, twice and in any order. Assumes that crashes and returns are noticed, and nothing else.
 *
 * @param suppress whether of two lists that are under way at once one is removed
 * @see "Tanenbaum and van Steen, Distributed Systems, section on election algorithms: a ring algorithm"
 */
public record CollectingRing(Ranking ranking, boolean lowest, boolean suppress)
        implements Election<State, Message>, FailureAware<State, Message>, Durable<State, Message, Stamp> {

    @WireTags({Message.Restarted.class, Message.Coordinator.class, Message.Election.class})
    public sealed interface Message {
        record Election(Stamp round, NodeSet list) implements Message {}

        record Coordinator(Stamp round, NodeId leader, NodeSet ring) implements Message {}

        record Restarted() implements Message {}
    }

    @WireTags({Phase.Electing.class, Phase.Led.class, Phase.Newcomer.class})
    public sealed interface Phase {
        record Newcomer() implements Phase {}

        record Electing() implements Phase {}

        record Led(Message.Coordinator news) implements Phase {}
    }

    /** @param round of the latest list that this node knows of: who sent it, and how many there were before */
    public record State(Neighbourhood neighbourhood, NodeSet suspected, Stamp round, Phase phase) {
        private NodeId next() {
            return neighbourhood.nextExcept(suspected);
        }

        private State in(Stamp nextRound, Phase next) {
            return new State(neighbourhood, suspected, nextRound, next);
        }

        private boolean isLed(Stamp other) {
            return round.equals(other) && phase instanceof Phase.Led;
        }
    }

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return to(new State(neighbourhood, NodeSet.NONE, new Stamp(0, neighbourhood.self()), new Phase.Newcomer()));
    }

    @Override
    public Stamp durableState(State s) {
        return s.round;
    }

    @Override
    public Step<State, Message> restart(Neighbourhood neighbourhood, Stamp memory) {
        return start(neighbourhood)
                .then(s -> to(s.in(memory, s.phase)).sendAll(neighbourhood.peers(), new Message.Restarted()));
    }

    @Override
    public Step<State, Message> campaign(State s) {
        return s.phase instanceof Phase.Electing ? to(s) : sendNewList(s);
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Election election -> onElection(s, election);
            case Message.Coordinator news -> onCoordinator(s, news);
            case Message.Restarted() -> s.next().equals(from) ? resend(s) : to(s);
        };
    }

    @Override
    public Step<State, Message> suspect(State s, NodeId peer) {
        var warned = new State(s.neighbourhood, s.suspected.with(peer), s.round, s.phase);
        boolean leads = s.phase instanceof Phase.Led(var news) && news.leader.equals(peer);
        return leads ? sendNewList(warned) : s.next().equals(peer) ? resend(warned) : to(warned);
    }

    @Override
    public Step<State, Message> restore(State s, NodeId peer) {
        var wider = new State(s.neighbourhood, s.suspected.without(peer), s.round, s.phase);
        return wider.next().equals(peer) ? resend(wider) : to(wider);
    }

    private Step<State, Message> sendNewList(State s) {
        var round = new Stamp(s.round.time() + 1, s.neighbourhood.self());
        return passList(s, new Message.Election(round, NodeSet.of(s.neighbourhood.self())));
    }

    private Step<State, Message> passList(State s, Message.Election election) {
        return to(s.in(election.round, new Phase.Electing())).send(s.next(), election);
    }

    private Step<State, Message> resend(State s) {
        return s.phase instanceof Phase.Led(var news)
                ? to(s).send(s.next(), news)
                : s.phase instanceof Phase.Electing ? sendNewList(s) : to(s);
    }

    private Step<State, Message> onElection(State s, Message.Election election) {
        var self = s.neighbourhood.self();
        boolean home = election.list.contains(self);
        boolean own = s.phase instanceof Phase.Electing && election.round.node().equals(self);
        var longer = new Message.Election(election.round, election.list.with(self));
        if (election.round.isBefore(s.round)) {
            return passOld(s, election.round, home ? result(s, election) : longer);
        }
        return s.isLed(election.round)
                ? to(s)
                : !home
                        ? passList(s, longer)
                        : own ? onCoordinator(s, result(s, election)) : sendNewList(s.in(election.round, s.phase));
    }

    private Message.Coordinator result(State s, Message.Election election) {
        var ring = election.list.without(s.suspected);
        return new Message.Coordinator(election.round, lowest ? ranking.worst(ring) : ranking.best(ring), ring);
    }

    private Step<State, Message> onCoordinator(State s, Message.Coordinator news) {
        if (news.round.isBefore(s.round)) {
            return news.round.node().equals(s.neighbourhood.self()) ? to(s) : passOld(s, news.round, news);
        }
        if (!news.ring.contains(s.neighbourhood.self()) || s.suspected.contains(news.leader)) {
            return sendNewList(s.in(news.round, s.phase));
        }
        var led = to(s.in(news.round, new Phase.Led(news)));
        return s.isLed(news.round)
                ? led
                : led.elected(news.leader, news.round.time()).send(s.next(), news);
    }

    /** A later list has passed. Who has come back and knows nothing else had better start anew. */
    private Step<State, Message> passOld(State s, Stamp round, Message message) {
        boolean removed = suppress || s.suspected.contains(round.node());
        return s.phase instanceof Phase.Newcomer ? sendNewList(s) : removed ? to(s) : to(s).send(s.next(), message);
    }
}
