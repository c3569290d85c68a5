package habemus.election;

import habemus.election.Bully.DurableState;
import habemus.election.Bully.Message;
import habemus.election.Bully.State;
import habemus.election.Bully.Timer;
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
 * A node asks all better nodes whether they are up. If none answers in time, it leads.
 *
 * <p>A node that is asked answers, and starts an election of its own, unless one is running or it leads. A node that
 * restarts also starts an election, and becomes the leader if it is the best.
 *
 * <pre>
 *   ·                                              ── start ──────────────▶ Newcomer
 *   ·                                              ── restart, join ──────▶ Asking, Leading    Leading: it is the best
 *   Newcomer                                       ── campaign, Election ─▶ Asking, Leading    Leading: no better is up
 *   Following                                      ── campaign, Election ─▶ Asking
 *   Following                                      ── suspect, left ──────▶ Asking, Leading    the leader
 *   Following                                      ── Coordinator ────────▶ Asking             of a worse node
 *   Newcomer, Asking, AwaitingCoordinator, Leading ── Coordinator ────────▶ Following
 *   Asking                                         ── Answer ─────────────▶ AwaitingCoordinator
 *   Asking                                         ── OVERDUE ────────────▶ Leading
 *   AwaitingCoordinator                            ── OVERDUE ────────────▶ Asking, Leading
 *   Leading                                        ── campaign ───────────▶ Asking
 * </pre>
 *
 * <p>A node that joins starts an election, as a restarted one. A node that leaves is asked no more.
 *
 * <p>Costs n-2 messages if the best node is down and the second best, which suspects it, starts. Costs n²-n-1 if the
 * worst starts, and more if several start. Survives crashes; after restarts with durable state the nodes agree in the
 * end. Assumes that a message takes less than half of {@code answer}, and that the failure detector is perfect.
 * Detection must take longer than such a message.
 *
 * @param answer the timeout for answers: longer than a round trip
 * @param coordinator the timeout for the Coordinator message: longer than the election of the node that answered
 * @see <a href="https://doi.org/10.1109/TC.1982.1675885">Garcia-Molina, IEEE ToC C-31(1), 1982</a>
 */
public record Bully(Ranking ranking, Duration answer, Duration coordinator)
        implements Election<State, Message>,
                Timed<State, Message, Timer>,
                FailureAware<State, Message>,
                MembershipAware<State, Message>,
                Durable<State, Message, DurableState> {

    @WireTags({Message.Answer.class, Message.Coordinator.class, Message.Election.class})
    public sealed interface Message {
        record Election() implements Message {}

        record Answer() implements Message {}

        record Coordinator(long term) implements Message {}
    }

    public enum Timer {
        OVERDUE
    }

    @WireTags({
        Phase.Asking.class,
        Phase.Following.class,
        Phase.AwaitingCoordinator.class,
        Phase.Leading.class,
        Phase.Newcomer.class
    })
    public sealed interface Phase {
        record Newcomer() implements Phase {}

        record Asking() implements Phase {}

        record AwaitingCoordinator() implements Phase {}

        record Following(NodeId leader) implements Phase {}

        record Leading() implements Phase {}
    }

    public record DurableState(long term) {}

    public record State(NodeId self, NodeSet better, NodeSet worse, NodeSet suspected, long term, Phase phase) {
        private State in(Phase next) {
            return new State(self, better, worse, suspected, term, next);
        }

        private State suspecting(NodeSet next) {
            return new State(self, better, worse, next, term, phase);
        }

        private State among(NodeSet nextBetter, NodeSet nextWorse) {
            return new State(self, nextBetter, nextWorse, suspected, term, phase);
        }

        private State inTerm(long next) {
            return new State(self, better, worse, suspected, next, phase);
        }
    }

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        var better = ranking.betterThan(neighbourhood.self(), neighbourhood.peers());
        var worse = ranking.worseThan(neighbourhood.self(), neighbourhood.peers());
        return to(new State(neighbourhood.self(), better, worse, NodeSet.NONE, 0, new Phase.Newcomer()));
    }

    @Override
    public DurableState durableState(State s) {
        return new DurableState(s.term);
    }

    @Override
    public Step<State, Message> restart(Neighbourhood neighbourhood, DurableState durableState) {
        return start(neighbourhood).then(s -> ask(s.inTerm(durableState.term)));
    }

    @Override
    public Step<State, Message> campaign(State s) {
        return s.phase instanceof Phase.Asking || s.phase instanceof Phase.AwaitingCoordinator ? to(s) : ask(s);
    }

    @Override
    public Step<State, Message> receive(State before, NodeId from, Message message) {
        var s = before.suspecting(before.suspected.without(from)); // the sender is up
        return switch (message) {
            case Message.Election()
            when s.phase instanceof Phase.Leading ->
                to(s).send(from, new Message.Answer()).send(from, new Message.Coordinator(s.term));
            case Message.Election() -> to(s).send(from, new Message.Answer()).then(this::campaign);
            case Message.Answer()
            when s.phase instanceof Phase.Asking ->
                to(s.in(new Phase.AwaitingCoordinator())).setTimer(Timer.OVERDUE, coordinator);
            case Message.Answer() -> to(s); // late: another answer came first, or a leader is known
            case Message.Coordinator(var term) // it may have asked while our leader was down
            when s.phase instanceof Phase.Following(var leader) && ranking.isBetter(leader, from) -> ask(s);
            case Message.Coordinator(var term) ->
                to(s.inTerm(Math.max(s.term, term)).in(new Phase.Following(from)))
                        .cancelTimer(Timer.OVERDUE)
                        .elected(from, term);
        };
    }

    @Override
    public Step<State, Message> timeout(State s, Timer timer) {
        return s.phase instanceof Phase.Asking ? lead(s) : ask(s);
    }

    @Override
    public Step<State, Message> suspect(State s, NodeId peer) {
        var updated = s.suspecting(s.suspected.with(peer));
        return s.phase instanceof Phase.Following(var leader) && leader.equals(peer) ? ask(updated) : to(updated);
    }

    @Override
    public Step<State, Message> restore(State s, NodeId peer) {
        return to(s.suspecting(s.suspected.without(peer)));
    }

    @Override
    public Step<State, Message> join(Neighbourhood neighbourhood, long view) {
        return start(neighbourhood).then(this::ask);
    }

    /** The peer sends an Election, or leads; but a node that has restarted may have missed that. */
    @Override
    public Step<State, Message> joined(State s, NodeId peer, long view) {
        if (ranking.isBetter(peer, s.self)) {
            var asking = to(s.among(s.better.with(peer), s.worse));
            return s.phase instanceof Phase.Asking ? asking.send(peer, new Message.Election()) : asking;
        }
        var known = to(s.among(s.better, s.worse.with(peer)));
        return s.phase instanceof Phase.Leading ? known.send(peer, new Message.Coordinator(s.term)) : known;
    }

    @Override
    public Step<State, Message> left(State s, NodeId peer, long view) {
        var remaining = s.among(s.better.without(peer), s.worse.without(peer));
        return s.phase.equals(new Phase.Following(peer)) ? ask(remaining) : to(remaining);
    }

    private Step<State, Message> ask(State s) {
        return s.better.without(s.suspected).isEmpty()
                ? lead(s)
                : to(s.in(new Phase.Asking()))
                        .sendAll(s.better, new Message.Election())
                        .setTimer(Timer.OVERDUE, answer);
    }

    private Step<State, Message> lead(State s) {
        var leading = s.inTerm(s.term + 1).in(new Phase.Leading());
        return to(leading).elected(s.self, leading.term).sendAll(s.worse, new Message.Coordinator(leading.term));
    }
}
