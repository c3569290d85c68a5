package habemus.election;

import habemus.election.Bully.DurableState;
import habemus.election.Bully.Message;
import habemus.election.Bully.State;
import habemus.election.Bully.Timer;
import habemus.protocol.Durable;
import habemus.protocol.Election;
import habemus.protocol.FailureAware;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Ranking;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.protocol.WireTags;
import java.time.Duration;

/**
 * Ask all better nodes whether they live; if none answers in time, lead.
 *
 * <p>Who is asked answers, and holds an election of its own unless one is running or it leads already. Who comes back
 * after a crash holds one too, and takes over if it is the best.
 *
 * <pre>
 *   ·                                 ── start ──────────────▶ Newcomer
 *   ·                                 ── restart ────────────▶ Asking, Leading    Leading: nobody is better
 *   Newcomer                          ── campaign, Election ─▶ Asking, Leading    Leading: all better are suspected
 *   Following                         ── campaign, Election ─▶ Asking
 *   Following                         ── suspect ────────────▶ Asking, Leading    the leader
 *   Following                         ── Coordinator ────────▶ Asking             of one worse than the leader
 *   Newcomer, Asking, Hoping, Leading ── Coordinator ────────▶ Following
 *   Asking                            ── Answer ─────────────▶ Hoping
 *   Asking                            ── OVERDUE ────────────▶ Leading
 *   Hoping                            ── OVERDUE ────────────▶ Asking, Leading
 *   Leading                           ── campaign ───────────▶ Asking
 * </pre>
 *
 * <p>Costs n-2 messages if the best is down and the second best, who knows, starts; n²-n-1 if the lowest starts, and
 * more if several do whose leader is gone. Survives crashes, and in the end restarts with memory.
 * Assumes that every message arrives within half of {@code answer}, and that crashes and returns, and nothing else, are
 * noticed by everybody, later than that.
 *
 * @param answer longer than two messages and the work between them
 * @param coordinator longer than the election of whoever answered
 * @see <a href="https://doi.org/10.1109/TC.1982.1675885">Garcia-Molina, IEEE ToC C-31(1), 1982</a>
 */
public record Bully(Ranking ranking, Duration answer, Duration coordinator)
        implements Election<State, Message>,
                Timed<State, Message, Timer>,
                FailureAware<State, Message>,
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
        var s = before.suspecting(before.suspected.without(from)); // whoever speaks is back
        return switch (message) {
            case Message.Election()
            when s.phase instanceof Phase.Leading ->
                to(s).send(from, new Message.Answer()).send(from, new Message.Coordinator(s.term));
            case Message.Election() -> to(s).send(from, new Message.Answer()).then(this::campaign);
            case Message.Answer()
            when s.phase instanceof Phase.Asking ->
                to(s.in(new Phase.AwaitingCoordinator())).setTimer(Timer.OVERDUE, coordinator);
            case Message.Answer() -> to(s); // late: somebody leads already, or another was faster to answer
            case Message.Coordinator(var term) // who may have asked while our leader was away for a moment
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
        var warned = s.suspecting(s.suspected.with(peer));
        return s.phase instanceof Phase.Following(var leader) && leader.equals(peer) ? ask(warned) : to(warned);
    }

    @Override
    public Step<State, Message> restore(State s, NodeId peer) {
        return to(s.suspecting(s.suspected.without(peer)));
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
