package habemus.election;

import habemus.election.Bully.DurableState;
import habemus.election.Bully.Phase;
import habemus.election.Bully.Timer;
import habemus.election.BullyStable.Message;
import habemus.election.BullyStable.State;
import habemus.protocol.Durable;
import habemus.protocol.Election;
import habemus.protocol.FailureAware;
import habemus.protocol.MembershipAware;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Ranking;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.protocol.WireTags;
import java.time.Duration;

/**
 * The bully algorithm in which uptime is the rank: the node that has been up longest leads.
 *
 * <p>Clocks of different nodes are not comparable, so the age of a node is the term in which it started. A lower term
 * is older; of two nodes that started in the same term the better one is older. A restarted node counts as the youngest
 * until the leader sends it the term. No node knows the age of the others, so a node asks all of them. Older nodes
 * answer, and start an election of their own unless they lead.
 *
 * <pre>
 *   ·                                     ── start ──────────────▶ Newcomer
 *   ·                                     ── restart, join ──────▶ Asking
 *   Newcomer                              ── campaign, Election ─▶ Asking
 *   Following                             ── campaign ───────────▶ Asking
 *   Following                             ── suspect, left ──────▶ Asking       the leader
 *   Following                             ── Election ───────────▶ Asking       of the leader: it has restarted
 *   Newcomer, Asking, AwaitingCoordinator ── Coordinator ────────▶ Following
 *   Leading                               ── Coordinator ────────▶ Following    of an older node
 *   Asking                                ── Answer, Election ───▶ AwaitingCoordinator    Election: of an older node
 *   Asking                                ── OVERDUE ────────────▶ Leading
 *   AwaitingCoordinator                   ── OVERDUE ────────────▶ Asking
 * </pre>
 *
 * <p>Costs 2(n-1) messages if the oldest live node starts, (n-1)(3n-2)/2 if the youngest starts. Survives crashes,
 * restarts with durable state and wrong suspicions, and never replaces a live leader. Assumes that a message takes less
 * than half of {@code answer}, and that every crash is detected, but later than that.
 *
 * @param ranking of nodes with the same age
 * @param answer the timeout for answers: longer than a round trip
 * @param coordinator the timeout for the Coordinator message: longer than the election of the node that answered
 * @see <a href="https://doi.org/10.1007/3-540-45414-4_8">Aguilera, Delporte-Gallet, Fauconnier, Toueg, DISC 2001</a>
 */
public record BullyStable(Ranking ranking, Duration answer, Duration coordinator)
        implements Election<State, Message>,
                Timed<State, Message, Timer>,
                FailureAware<State, Message>,
                MembershipAware<State, Message>,
                Durable<State, Message, DurableState> {

    /** How long a node has been up. */
    @WireTags({Uptime.JustRestarted.class, Uptime.Since.class})
    public sealed interface Uptime {
        record Since(long term) implements Uptime {}

        /** The node is younger than all others, and does not know the term. */
        record JustRestarted() implements Uptime {}
    }

    @WireTags({Message.Answer.class, Message.Coordinator.class, Message.Election.class})
    public sealed interface Message {
        record Election(Uptime uptime) implements Message {}

        record Answer() implements Message {}

        record Coordinator(long term, Uptime uptime) implements Message {}
    }

    public record State(NodeId self, NodeSet peers, long term, Uptime uptime, Phase phase) {
        private State in(Phase next) {
            return new State(self, peers, term, uptime, next);
        }

        private State withPeers(NodeSet next) {
            return new State(self, next, term, uptime, phase);
        }

        private State inTerm(long next) {
            return new State(self, peers, next, uptime, phase);
        }

        /** Sets the age of a node that has just restarted; the age of other nodes does not change. */
        private State upSince(long knownTerm) {
            return uptime instanceof Uptime.JustRestarted
                    ? new State(self, peers, term, new Uptime.Since(knownTerm), phase)
                    : this;
        }
    }

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return to(new State(neighbourhood.self(), neighbourhood.peers(), 0, new Uptime.Since(0), new Phase.Newcomer()));
    }

    @Override
    public DurableState durableState(State s) {
        return new DurableState(s.term);
    }

    @Override
    public Step<State, Message> restart(Neighbourhood neighbourhood, DurableState durableState) {
        return ask(new State(
                neighbourhood.self(),
                neighbourhood.peers(),
                durableState.term(),
                new Uptime.JustRestarted(),
                new Phase.Newcomer()));
    }

    @Override
    public Step<State, Message> campaign(State s) {
        return s.phase instanceof Phase.Newcomer || s.phase instanceof Phase.Following ? ask(s) : to(s);
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Election(var uptime) when s.phase instanceof Phase.Leading -> to(s).send(from, leader(s));
            case Message.Election(var uptime) ->
                isOlder(from, uptime, s)
                        ? awaitCoordinator(s)
                        : to(s).send(from, new Message.Answer()).then(this::campaign);
            case Message.Answer() -> awaitCoordinator(s);
            case Message.Coordinator(var term, var uptime) // two leaders, after a message that took too long
            when s.phase instanceof Phase.Leading && !isOlder(from, uptime, s) -> to(s).sendAll(s.peers, leader(s));
            case Message.Coordinator(var term, var uptime) -> follow(s, from, term);
        };
    }

    @Override
    public Step<State, Message> timeout(State s, Timer timer) {
        return s.phase instanceof Phase.Asking ? lead(s) : ask(s);
    }

    @Override
    public Step<State, Message> suspect(State s, NodeId peer) {
        return s.phase.equals(new Phase.Following(peer)) ? ask(s) : to(s);
    }

    @Override
    public Step<State, Message> restore(State s, NodeId peer) {
        return to(s); // the peer itself sends an Election
    }

    /** A node that joins is the youngest, as a restarted one. */
    @Override
    public Step<State, Message> join(Neighbourhood neighbourhood, long view) {
        return restart(neighbourhood, new DurableState(0));
    }

    /** The peer sends an Election; but a node that has restarted may have missed that. */
    @Override
    public Step<State, Message> joined(State s, NodeId peer, long view) {
        var known = to(s.withPeers(s.peers.with(peer)));
        return s.phase instanceof Phase.Asking
                ? known.send(peer, new Message.Election(s.uptime))
                : s.phase instanceof Phase.Leading ? known.send(peer, leader(s)) : known;
    }

    @Override
    public Step<State, Message> left(State s, NodeId peer, long view) {
        return suspect(s.withPeers(s.peers.without(peer)), peer);
    }

    private boolean isOlder(NodeId peer, Uptime uptime, State s) {
        return uptime.equals(s.uptime)
                ? ranking.isBetter(peer, s.self)
                : uptime instanceof Uptime.Since(var term)
                        && !(s.uptime instanceof Uptime.Since(var own) && own < term);
    }

    private static Message leader(State s) {
        return new Message.Coordinator(s.term, s.uptime);
    }

    private Step<State, Message> ask(State s) {
        return to(s.in(new Phase.Asking()))
                .sendAll(s.peers, new Message.Election(s.uptime))
                .setTimer(Timer.OVERDUE, answer);
    }

    private Step<State, Message> awaitCoordinator(State s) {
        return s.phase instanceof Phase.Asking
                ? to(s.in(new Phase.AwaitingCoordinator())).setTimer(Timer.OVERDUE, coordinator)
                : to(s);
    }

    private Step<State, Message> lead(State s) {
        var leading = s.upSince(s.term).inTerm(s.term + 1).in(new Phase.Leading());
        return to(leading).elected(s.self, leading.term).sendAll(s.peers, leader(leading));
    }

    private Step<State, Message> follow(State s, NodeId leader, long term) {
        var next = s.upSince(term).inTerm(Math.max(s.term, term));
        return to(next.in(new Phase.Following(leader)))
                .cancelTimer(Timer.OVERDUE)
                .elected(leader, term);
    }
}
