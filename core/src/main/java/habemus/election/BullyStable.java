package habemus.election;

import habemus.election.Bully.Alarm;
import habemus.election.Bully.Memory;
import habemus.election.Bully.Phase;
import habemus.election.BullyStable.Message;
import habemus.election.BullyStable.State;
import habemus.protocol.Durable;
import habemus.protocol.Election;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Place;
import habemus.protocol.Ranking;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.protocol.Watchful;
import java.time.Duration;

/**
 * The bully in which uptime is rank: who has been up for longest leads, and who comes back is the last in line.
 *
 * <p>A node has no clock that others would believe. Its age is the term in which it came up: lower is older, and of two
 * that came up in the same term the better one counts as older. Who comes back says that it is the youngest of all,
 * until the leader tells it the term. Since nobody knows how old the others are, a node asks all of them; the older
 * ones answer, and hold an election of their own unless they lead.
 *
 * <pre>
 *   ·                        ── start ──────────────▶ Newcomer
 *   ·                        ── restart ────────────▶ Asking
 *   Newcomer                 ── campaign, Election ─▶ Asking
 *   Following                ── campaign ───────────▶ Asking
 *   Following                ── suspect ────────────▶ Asking       the leader
 *   Following                ── Election ───────────▶ Asking       of the leader: it was down
 *   Newcomer, Asking, Hoping ── Coordinator ────────▶ Following
 *   Leading                  ── Coordinator ────────▶ Following    of an older one
 *   Asking                   ── Answer, Election ───▶ Hoping       Election: of an older one
 *   Asking                   ── OVERDUE ────────────▶ Leading
 *   Hoping                   ── OVERDUE ────────────▶ Asking
 * </pre>
 *
 * <p>Costs 2(n-1) messages if the oldest of those left starts, (n-1)(3n-2)/2 if the youngest does. Survives crashes,
 * restarts with memory and wrong suspicions without ever replacing a leader that lives. Assumes that every message
 * arrives within half of {@code answer}, and that crashes are noticed, later than that.
 *
 * @param ranking of those that are equally old
 * @param answer longer than two messages and the work between them
 * @param coordinator longer than the election of whoever answered
 * @see <a href="https://doi.org/10.1007/3-540-45414-4_8">Aguilera, Delporte-Gallet, Fauconnier, Toueg, DISC 2001</a>
 */
public record BullyStable(Ranking ranking, Duration answer, Duration coordinator)
        implements Election<State, Message>,
                Timed<State, Message, Alarm>,
                Watchful<State, Message>,
                Durable<State, Message, Memory> {

    /** The age of one who has just come back: younger than anybody's. */
    public static final long JUST_BACK = Long.MAX_VALUE;

    public sealed interface Message {
        record Election(long since) implements Message {}

        record Answer() implements Message {}

        record Coordinator(long term, long since) implements Message {}
    }

    /** @param since the term in which it came up */
    public record State(NodeId self, NodeSet peers, long term, long since, Phase phase) {
        private State in(Phase next) {
            return new State(self, peers, term, since, next);
        }

        private State at(long nextTerm, long nextSince) {
            return new State(self, peers, nextTerm, nextSince, phase);
        }
    }

    @Override
    public Step<State, Message> start(Place place) {
        return to(new State(place.self(), place.peers(), 0, 0, new Phase.Newcomer()));
    }

    @Override
    public Memory memory(State s) {
        return new Memory(s.term);
    }

    @Override
    public Step<State, Message> restart(Place place, Memory memory) {
        return start(place).then(s -> ask(s.at(memory.term(), JUST_BACK)));
    }

    @Override
    public Step<State, Message> campaign(State s) {
        return s.phase instanceof Phase.Newcomer || s.phase instanceof Phase.Following ? ask(s) : to(s);
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Election(var since) when s.phase instanceof Phase.Leading -> to(s).send(from, leader(s));
            case Message.Election(var since) ->
                older(from, since, s)
                        ? giveWay(s)
                        : to(s).send(from, new Message.Answer()).then(this::campaign);
            case Message.Answer() -> giveWay(s);
            case Message.Coordinator(var term, var since) // two lead, which takes a message that came too late
            when s.phase instanceof Phase.Leading && !older(from, since, s) -> to(s).sendAll(s.peers, leader(s));
            case Message.Coordinator(var term, var since) -> follow(s, from, term);
        };
    }

    @Override
    public Step<State, Message> elapsed(State s, Alarm alarm) {
        return s.phase instanceof Phase.Asking ? lead(s) : ask(s);
    }

    @Override
    public Step<State, Message> suspect(State s, NodeId peer) {
        return s.phase.equals(new Phase.Following(peer)) ? ask(s) : to(s);
    }

    @Override
    public Step<State, Message> restore(State s, NodeId peer) {
        return to(s); // it says itself that it is back
    }

    private boolean older(NodeId peer, long since, State s) {
        return since == s.since ? ranking.better(peer, s.self) : since < s.since;
    }

    private static Message leader(State s) {
        return new Message.Coordinator(s.term, s.since);
    }

    private Step<State, Message> ask(State s) {
        return to(s.in(new Phase.Asking()))
                .sendAll(s.peers, new Message.Election(s.since))
                .wake(Alarm.OVERDUE, answer);
    }

    private Step<State, Message> giveWay(State s) {
        return s.phase instanceof Phase.Asking ? to(s.in(new Phase.Hoping())).wake(Alarm.OVERDUE, coordinator) : to(s);
    }

    private Step<State, Message> lead(State s) {
        var leading = s.at(s.term + 1, Math.min(s.since, s.term)).in(new Phase.Leading());
        return to(leading).elected(s.self, leading.term).sendAll(s.peers, leader(leading));
    }

    private Step<State, Message> follow(State s, NodeId leader, long term) {
        var next = s.at(Math.max(s.term, term), s.since == JUST_BACK ? term : s.since);
        return to(next.in(new Phase.Following(leader))).calm(Alarm.OVERDUE).elected(leader, term);
    }
}
