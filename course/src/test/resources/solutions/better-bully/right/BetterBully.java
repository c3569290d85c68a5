import habemus.protocol.Election;
import habemus.protocol.FailureAware;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Ranking;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import java.time.Duration;

/** The bully algorithm: ask all better nodes; if none answers in time, lead. Nodes crash, and do not come back. */
public record BetterBully(Ranking ranking)
        implements Election<BetterBully.State, BetterBully.Message>,
                Timed<BetterBully.State, BetterBully.Message, BetterBully.Timer>,
                FailureAware<BetterBully.State, BetterBully.Message> {

    /** Longer than a round trip. */
    private static final Duration ANSWER = Duration.ofMillis(100);
    /** Longer than the election of the node that answered. */
    private static final Duration COORDINATOR = Duration.ofMillis(500);

    public sealed interface Message {
        record Election() implements Message {}

        record Answer() implements Message {}

        record Appointment() implements Message {}

        record Coordinator(long term) implements Message {}
    }

    public enum Timer {
        OVERDUE
    }

    public enum Phase {
        NEWCOMER,
        ASKING,
        AWAITING,
        FOLLOWING,
        LEADING
    }

    /** @param leader while FOLLOWING; while ASKING the best node that answered; else the node itself */
    public record State(NodeId self, NodeSet peers, NodeSet suspected, long term, Phase phase, NodeId leader) {
        State in(Phase next) {
            return new State(self, peers, suspected, term, next, self);
        }

        State following(NodeId next, long nextTerm) {
            return new State(self, peers, suspected, Math.max(term, nextTerm), Phase.FOLLOWING, next);
        }

        State answeredBy(NodeId best) {
            return new State(self, peers, suspected, term, phase, best);
        }

        State suspecting(NodeSet next) {
            return new State(self, peers, next, term, phase, leader);
        }

        State inTerm(long next) {
            return new State(self, peers, suspected, next, phase, leader);
        }
    }

    @Override
    public Step<State, Message> start(Neighbourhood around) {
        return to(new State(around.self(), around.peers(), NodeSet.NONE, 0, Phase.NEWCOMER, around.self()));
    }

    @Override
    public Step<State, Message> campaign(State s) {
        return s.phase == Phase.ASKING || s.phase == Phase.AWAITING ? to(s) : ask(s);
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Election() ->
                to(s).send(from, s.phase == Phase.LEADING ? new Message.Coordinator(s.term) : new Message.Answer());
            case Message.Answer() when s.phase == Phase.ASKING ->
                to(ranking.isBetter(from, s.leader) ? s.answeredBy(from) : s);
            case Message.Answer() -> to(s); // late
            case Message.Appointment() when s.phase == Phase.LEADING ->
                to(s).send(from, new Message.Coordinator(s.term));
            case Message.Appointment() -> followsBetterThan(s, s.self) ? ask(s) : lead(s);
            case Message.Coordinator(var term) when followsBetterThan(s, from) -> ask(s);
            case Message.Coordinator(var term) ->
                to(s.following(from, term)).cancelTimer(Timer.OVERDUE).elected(from, term);
        };
    }

    @Override
    public Step<State, Message> timeout(State s, Timer timer) {
        if (s.phase != Phase.ASKING) {
            return ask(s); // the appointed node crashed
        }
        return s.leader.equals(s.self)
                ? lead(s)
                : to(s.in(Phase.AWAITING))
                        .send(s.leader, new Message.Appointment())
                        .setTimer(Timer.OVERDUE, COORDINATOR);
    }

    private boolean followsBetterThan(State s, NodeId node) {
        return s.phase == Phase.FOLLOWING && ranking.isBetter(s.leader, node);
    }

    @Override
    public Step<State, Message> suspect(State s, NodeId peer) {
        var updated = s.suspecting(s.suspected.with(peer));
        return s.phase == Phase.FOLLOWING && s.leader.equals(peer) ? ask(updated) : to(updated);
    }

    @Override
    public Step<State, Message> restore(State s, NodeId peer) {
        return to(s.suspecting(s.suspected.without(peer)));
    }

    private Step<State, Message> ask(State s) {
        var better = ranking.betterThan(s.self, s.peers);
        return better.isEmpty()
                ? lead(s)
                : to(s.in(Phase.ASKING)).sendAll(better, new Message.Election()).setTimer(Timer.OVERDUE, ANSWER);
    }

    private Step<State, Message> lead(State s) {
        var leading = s.in(Phase.LEADING).inTerm(s.term + 1);
        return to(leading)
                .cancelTimer(Timer.OVERDUE)
                .elected(s.self, leading.term)
                .sendAll(ranking.worseThan(s.self, s.peers), new Message.Coordinator(leading.term));
    }
}
