package habemus.election;

import habemus.election.Bully.DurableState;
import habemus.election.Bully.Phase;
import habemus.election.Bully.Timer;
import habemus.election.BullyEfficient.Message;
import habemus.election.BullyEfficient.State;
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
 * The bully algorithm in which only the initiator asks: it collects the answers and appoints the best node that
 * answered.
 *
 * <p>A node that is asked only answers, so an election does not start others. An appointed node leads at once, unless
 * it follows a better leader: then it asks itself.
 *
 * <pre>
 *   ·                                              ── start ───────▶ Newcomer
 *   ·                                              ── restart ─────▶ Asking, Leading
 *   ·                                              ── join ────────▶ Asking, Leading
 *   Newcomer                                       ── campaign ────▶ Asking, Leading    Leading: it is the best
 *   Following                                      ── campaign ────▶ Asking
 *   Following                                      ── suspect ─────▶ Asking             the leader
 *   Following                                      ── left ────────▶ Asking, Leading    the leader
 *   Asking                                         ── left ────────▶ Leading            no better is left
 *   Following                                      ── Coordinator ─▶ Asking             of a worse node
 *   Following                                      ── Appointment ─▶ Asking
 *   Newcomer, Asking, AwaitingCoordinator          ── Appointment ─▶ Leading
 *   Newcomer, Asking, AwaitingCoordinator, Leading ── Coordinator ─▶ Following
 *   Asking                                         ── OVERDUE ─────▶ AwaitingCoordinator, Leading    Leading: no answer
 *   AwaitingCoordinator                            ── OVERDUE ─────▶ Asking, Leading
 *   Leading                                        ── campaign ────▶ Asking
 * </pre>
 *
 * <p>Costs n-1 messages if the best node is down and the second best starts; 3n-4 if the worst starts. Survives
 * crashes; after restarts with durable state the nodes agree in the end. Assumes, like {@link Bully}, that a message
 * takes less than half of {@code answer}, and that the failure detector is perfect. Detection must take longer than
 * such a message.
 *
 * @param answer the timeout for answers: longer than a round trip
 * @param coordinator the timeout for the Coordinator message: longer than a round trip
 * @see <a href="https://doi.org/10.1109/TC.1982.1675885">Garcia-Molina, IEEE ToC C-31(1), 1982, varied</a>
 */
public record BullyEfficient(Ranking ranking, Duration answer, Duration coordinator)
        implements Election<State, Message>,
                Timed<State, Message, Timer>,
                FailureAware<State, Message>,
                MembershipAware<State, Message>,
                Durable<State, Message, DurableState> {

    @WireTags({Message.Answer.class, Message.Appointment.class, Message.Coordinator.class, Message.Election.class})
    public sealed interface Message {
        record Election() implements Message {}

        record Answer() implements Message {}

        record Appointment() implements Message {}

        record Coordinator(long term) implements Message {}
    }

    /** @param bestAnswered the best node that has answered so far; at first the node itself */
    public record State(NodeId self, NodeSet peers, NodeId bestAnswered, long term, Phase phase) {
        private State in(Phase next) {
            return new State(self, peers, bestAnswered, term, next);
        }

        private State withBestAnswered(NodeId next) {
            return new State(self, peers, next, term, phase);
        }

        private State withPeers(NodeSet next) {
            return new State(self, next, bestAnswered, term, phase);
        }

        private State inTerm(long next) {
            return new State(self, peers, bestAnswered, next, phase);
        }
    }

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return to(
                new State(neighbourhood.self(), neighbourhood.peers(), neighbourhood.self(), 0, new Phase.Newcomer()));
    }

    @Override
    public DurableState durableState(State s) {
        return new DurableState(s.term);
    }

    @Override
    public Step<State, Message> restart(Neighbourhood neighbourhood, DurableState durableState) {
        return start(neighbourhood).then(s -> ask(s.inTerm(durableState.term())));
    }

    @Override
    public Step<State, Message> campaign(State s) {
        return s.phase instanceof Phase.Asking || s.phase instanceof Phase.AwaitingCoordinator ? to(s) : ask(s);
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Election() ->
                to(s).send(from, s.phase instanceof Phase.Leading ? leader(s) : new Message.Answer());
            case Message.Answer()
            when s.phase instanceof Phase.Asking ->
                to(ranking.isBetter(from, s.bestAnswered) ? s.withBestAnswered(from) : s);
            case Message.Answer() -> to(s); // late: a node leads or is appointed
            case Message.Appointment() when s.phase instanceof Phase.Leading -> to(s).send(from, leader(s));
            case Message.Appointment() -> followsBetterThan(s, s.self) ? ask(s) : lead(s);
            case Message.Coordinator(var term) -> // it may have asked while our leader was down
                followsBetterThan(s, from) ? ask(s) : follow(s, from, term);
        };
    }

    @Override
    public Step<State, Message> timeout(State s, Timer timer) {
        if (s.phase instanceof Phase.AwaitingCoordinator) {
            return ask(s); // the appointed node did not announce itself
        }
        return s.bestAnswered.equals(s.self)
                ? lead(s)
                : to(s.in(new Phase.AwaitingCoordinator()))
                        .send(s.bestAnswered, new Message.Appointment())
                        .setTimer(Timer.OVERDUE, coordinator);
    }

    @Override
    public Step<State, Message> suspect(State s, NodeId peer) {
        return s.phase.equals(new Phase.Following(peer)) ? ask(s) : to(s);
    }

    @Override
    public Step<State, Message> restore(State s, NodeId peer) {
        return to(s); // the peer itself asks, or announces that it leads
    }

    @Override
    public Step<State, Message> join(Neighbourhood neighbourhood, long view) {
        return start(neighbourhood).then(this::ask);
    }

    /** The peer asks, or leads; but a node that has restarted may have missed that. */
    @Override
    public Step<State, Message> joined(State s, NodeId peer, long view) {
        var known = to(s.withPeers(s.peers.with(peer)));
        boolean isBetter = ranking.isBetter(peer, s.self);
        return s.phase instanceof Phase.Asking && isBetter
                ? known.send(peer, new Message.Election())
                : s.phase instanceof Phase.Leading && !isBetter ? known.send(peer, leader(s)) : known;
    }

    @Override
    public Step<State, Message> left(State s, NodeId peer, long view) {
        var remaining = s.withPeers(s.peers.without(peer));
        boolean wouldAppoint = s.phase instanceof Phase.Asking && s.bestAnswered.equals(peer);
        return wouldAppoint || s.phase.equals(new Phase.Following(peer)) ? ask(remaining) : to(remaining);
    }

    private boolean followsBetterThan(State s, NodeId node) {
        return s.phase instanceof Phase.Following(var leader) && ranking.isBetter(leader, node);
    }

    private static Message leader(State s) {
        return new Message.Coordinator(s.term);
    }

    private Step<State, Message> ask(State s) {
        var better = ranking.betterThan(s.self, s.peers);
        return better.isEmpty()
                ? lead(s)
                : to(s.withBestAnswered(s.self).in(new Phase.Asking()))
                        .sendAll(better, new Message.Election())
                        .setTimer(Timer.OVERDUE, answer);
    }

    private Step<State, Message> lead(State s) {
        var leading = s.inTerm(s.term + 1).in(new Phase.Leading());
        return to(leading)
                .cancelTimer(Timer.OVERDUE)
                .elected(s.self, leading.term)
                .sendAll(ranking.worseThan(s.self, s.peers), leader(leading));
    }

    private Step<State, Message> follow(State s, NodeId leader, long term) {
        return to(s.inTerm(Math.max(s.term, term)).in(new Phase.Following(leader)))
                .cancelTimer(Timer.OVERDUE)
                .elected(leader, term);
    }
}
