package habemus.election;

import habemus.election.Ring.Message;
import habemus.election.Ring.State;
import habemus.protocol.Durable;
import habemus.protocol.Election;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Place;
import habemus.protocol.Ranking;
import habemus.protocol.Stamp;
import habemus.protocol.Step;
import habemus.protocol.Watchful;
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
public record Ring(Ranking ranking, boolean lowest, boolean suppress)
        implements Election<State, Message>, Watchful<State, Message>, Durable<State, Message, Stamp> {

    @WireTags({Message.Back.class, Message.Coordinator.class, Message.Election.class})
    public sealed interface Message {
        record Election(Stamp round, NodeSet list) implements Message {}

        record Coordinator(Stamp round, NodeId leader, NodeSet ring) implements Message {}

        record Back() implements Message {}
    }

    @WireTags({Phase.Electing.class, Phase.Led.class, Phase.Newcomer.class})
    public sealed interface Phase {
        record Newcomer() implements Phase {}

        record Electing() implements Phase {}

        record Led(Message.Coordinator news) implements Phase {}
    }

    /** @param round of the latest list that this node knows of: who sent it, and how many there were before */
    public record State(Place place, NodeSet suspected, Stamp round, Phase phase) {
        private NodeId next() {
            return place.nextBut(suspected);
        }

        private State in(Stamp nextRound, Phase next) {
            return new State(place, suspected, nextRound, next);
        }

        private boolean isLed(Stamp other) {
            return round.equals(other) && phase instanceof Phase.Led;
        }
    }

    @Override
    public Step<State, Message> start(Place place) {
        return to(new State(place, NodeSet.NONE, new Stamp(0, place.self()), new Phase.Newcomer()));
    }

    @Override
    public Stamp memory(State s) {
        return s.round;
    }

    @Override
    public Step<State, Message> restart(Place place, Stamp memory) {
        return start(place).then(s -> to(s.in(memory, s.phase)).sendAll(place.peers(), new Message.Back()));
    }

    @Override
    public Step<State, Message> campaign(State s) {
        return s.phase instanceof Phase.Electing ? to(s) : begin(s);
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Election election -> add(s, election);
            case Message.Coordinator news -> learn(s, news);
            case Message.Back() -> s.next().equals(from) ? passAgain(s) : to(s);
        };
    }

    @Override
    public Step<State, Message> suspect(State s, NodeId peer) {
        var warned = new State(s.place, s.suspected.with(peer), s.round, s.phase);
        boolean leads = s.phase instanceof Phase.Led(var news) && news.leader.equals(peer);
        return leads ? begin(warned) : s.next().equals(peer) ? passAgain(warned) : to(warned);
    }

    @Override
    public Step<State, Message> restore(State s, NodeId peer) {
        var wider = new State(s.place, s.suspected.without(peer), s.round, s.phase);
        return wider.next().equals(peer) ? passAgain(wider) : to(wider);
    }

    private Step<State, Message> begin(State s) {
        var round = new Stamp(s.round.time() + 1, s.place.self());
        return pass(s, new Message.Election(round, NodeSet.of(s.place.self())));
    }

    private Step<State, Message> pass(State s, Message.Election election) {
        return to(s.in(election.round, new Phase.Electing())).send(s.next(), election);
    }

    private Step<State, Message> passAgain(State s) {
        return s.phase instanceof Phase.Led(var news)
                ? to(s).send(s.next(), news)
                : s.phase instanceof Phase.Electing ? begin(s) : to(s);
    }

    private Step<State, Message> add(State s, Message.Election election) {
        var self = s.place.self();
        boolean home = election.list.contains(self);
        boolean own = s.phase instanceof Phase.Electing && election.round.node().equals(self);
        var longer = new Message.Election(election.round, election.list.with(self));
        if (election.round.before(s.round)) {
            return passOld(s, election.round, home ? result(s, election) : longer);
        }
        return s.isLed(election.round)
                ? to(s)
                : !home ? pass(s, longer) : own ? learn(s, result(s, election)) : begin(s.in(election.round, s.phase));
    }

    private Message.Coordinator result(State s, Message.Election election) {
        var ring = election.list.without(s.suspected);
        return new Message.Coordinator(election.round, lowest ? ranking.worst(ring) : ranking.best(ring), ring);
    }

    private Step<State, Message> learn(State s, Message.Coordinator news) {
        if (news.round.before(s.round)) {
            return news.round.node().equals(s.place.self()) ? to(s) : passOld(s, news.round, news);
        }
        if (!news.ring.contains(s.place.self()) || s.suspected.contains(news.leader)) {
            return begin(s.in(news.round, s.phase));
        }
        var led = to(s.in(news.round, new Phase.Led(news)));
        return s.isLed(news.round)
                ? led
                : led.elected(news.leader, news.round.time()).send(s.next(), news);
    }

    /** A later list has passed. Who has come back and knows nothing else had better start anew. */
    private Step<State, Message> passOld(State s, Stamp round, Message message) {
        boolean removed = suppress || s.suspected.contains(round.node());
        return s.phase instanceof Phase.Newcomer ? begin(s) : removed ? to(s) : to(s).send(s.next(), message);
    }
}
