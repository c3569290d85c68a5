package habemus.election;

import habemus.election.YoYo.Message;
import habemus.election.YoYo.State;
import habemus.protocol.Election;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Ranking;
import habemus.protocol.Step;
import habemus.protocol.WireTags;

/**
 * Ids run down a graph whose edges point from better to worse, verdicts run up again; the last source has won.
 *
 * <p>Yo-: a source (nobody is above it) sends its id down; the others wait for an id from each above and pass the best
 * on. -Yo: Yes to where the best came from, if nobody below said No; else No, which turns the edge round, so that a
 * beaten source is none any more. Pruned is what decides nothing more: all edges but one that brought the same id, and
 * who has nothing below and got one id only. The book lets the smallest id win: the mirror image.
 *
 * <pre>
 *   ·          ── start ──────▶ Asleep
 *   Asleep     ── campaign ───▶ Descending
 *   Asleep     ── Hello ──────▶ Descending, Ascending
 *   Descending ── Hello, Best ▶ Ascending, Pruned
 *   Ascending  ── Yes ────────▶ Descending
 *   Ascending  ── No ─────────▶ Descending, Pruned
 *   Ascending  ── Prune ──────▶ Descending, Pruned, Asleep        Asleep: nothing is left, we lead
 *   Pruned     ── Leader ─────▶ Asleep, Descending, Ascending     not Asleep: somebody has begun again
 * </pre>
 *
 * <p>Costs 6m-n+1 messages with m edges if only one node is better than all its neighbours. Of k such nodes two rounds
 * leave at most half, and a round takes at most 2m. Survives slowness, pauses and messages that overtake each other;
 * after a crash or a loss nobody else leads. Assumes a connected graph.
 *
 * @see <a href="https://doi.org/10.1002/0470072644">Santoro, Design and Analysis of Distributed Algorithms, 3.8.3</a>
 */
public record YoYo(Ranking ranking) implements Election<State, Message> {

    @WireTags({Message.Best.class, Message.Hello.class, Message.Leader.class, Message.Verdict.class})
    public sealed interface Message {
        @WireTags({Message.No.class, Message.Prune.class, Message.Yes.class})
        sealed interface Verdict extends Message {}

        record Hello() implements Message {}

        record Best(NodeId id) implements Message {}

        record Yes() implements Verdict {}

        record No() implements Verdict {}

        record Prune() implements Verdict {}

        record Leader(NodeId id, long term) implements Message {}
    }

    @WireTags({Phase.Ascending.class, Phase.Asleep.class, Phase.Descending.class, Phase.Pruned.class})
    public sealed interface Phase {
        record Asleep() implements Phase {}

        /** Waits for Hello from the silent, and for an id from each above. */
        record Descending(NodeSet silent, YoYoEdges yoYoEdges) implements Phase {}

        /** Waits for the verdict of the silent. */
        record Ascending(NodeSet silent, YoYoEdges yoYoEdges) implements Phase {}

        record Pruned() implements Phase {}
    }

    /** @param greeted by those who have begun an election that this node takes no part in yet */
    public record State(NodeId self, NodeSet neighbours, NodeSet greeted, long term, Phase phase) {
        private State in(Phase next) {
            return new State(self, neighbours, greeted, term, next);
        }

        private State withGreeted(NodeSet next) {
            return new State(self, neighbours, next, term, phase);
        }

        private State asleep(long ended) {
            return new State(self, neighbours, greeted, ended, new Phase.Asleep());
        }
    }

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        var neighbours = neighbourhood.peers().without(neighbourhood.self());
        return to(new State(neighbourhood.self(), neighbours, NodeSet.NONE, 0, new Phase.Asleep()));
    }

    @Override
    public Step<State, Message> campaign(State s) {
        if (!(s.phase instanceof Phase.Asleep)) {
            return to(s);
        }
        var yoYoEdges = YoYoEdges.of(ranking.betterThan(s.self, s.neighbours), ranking.worseThan(s.self, s.neighbours));
        return to(s.withGreeted(NodeSet.NONE))
                .sendAll(s.neighbours, new Message.Hello())
                .then(awake -> descend(awake, s.neighbours.without(s.greeted), yoYoEdges));
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Hello() when s.phase instanceof Phase.Asleep -> campaign(s.withGreeted(NodeSet.of(from)));
            case Message.Hello()
            when s.phase instanceof Phase.Descending(var silent, var yoYoEdges) && silent.contains(from) ->
                descend(s, silent.without(from), yoYoEdges);
            case Message.Hello() ->
                to(s.withGreeted(s.greeted.with(from))); // it knows the end of this election already
            case Message.Best(var id)
            when s.phase instanceof Phase.Descending(var silent, var yoYoEdges) ->
                descend(s, silent, yoYoEdges.withReceived(from, id));
            case Message.Best(var id)
            when s.phase instanceof Phase.Ascending(var silent, var yoYoEdges) ->
                ascend(s, silent, yoYoEdges.withReceived(from, id));
            case Message.Verdict verdict
            when s.phase instanceof Phase.Ascending(var silent, var yoYoEdges) ->
                ascend(s, silent.without(from), applyVerdict(verdict, from, yoYoEdges));
            case Message.Leader(var id, var term) when term <= s.term -> to(s);
            case Message.Leader(var id, var term) -> announce(s, id, term, s.neighbours.without(from));
            case Message.Best best -> throw new ProtocolBug(best + " from " + from, s);
            case Message.Verdict verdict -> throw new ProtocolBug(verdict + " from " + from, s);
        };
    }

    private Step<State, Message> descend(State s, NodeSet silent, YoYoEdges yoYoEdges) {
        return silent.isEmpty()
                        && yoYoEdges.received().size() == yoYoEdges.above().size()
                ? to(s).sendAll(yoYoEdges.below(), new Message.Best(yoYoEdges.best(ranking, s.self)))
                        .then(sent -> ascend(s, yoYoEdges.below(), yoYoEdges))
                : to(s.in(new Phase.Descending(silent, yoYoEdges)));
    }

    private static YoYoEdges applyVerdict(Message.Verdict verdict, NodeId from, YoYoEdges yoYoEdges) {
        return switch (verdict) {
            case Message.Yes() -> yoYoEdges;
            case Message.No() -> yoYoEdges.flip(from);
            case Message.Prune() -> yoYoEdges.withoutBelow(from);
        };
    }

    private Step<State, Message> ascend(State s, NodeSet silent, YoYoEdges yoYoEdges) {
        return !silent.isEmpty()
                ? to(s.in(new Phase.Ascending(silent, yoYoEdges)))
                : yoYoEdges.isEmpty() ? announce(s, s.self, s.term + 1, s.neighbours) : sendVerdicts(s, yoYoEdges);
    }

    private Step<State, Message> sendVerdicts(State s, YoYoEdges yoYoEdges) {
        var verdicts = yoYoEdges.verdicts(yoYoEdges.best(ranking, s.self));
        var next = yoYoEdges.nextRound(verdicts);
        return to(s).sendAll(verdicts.yes(), new Message.Yes())
                .sendAll(verdicts.no(), new Message.No())
                .sendAll(verdicts.prune(), new Message.Prune())
                .then(said -> next.isEmpty() ? to(s.in(new Phase.Pruned())) : descend(s, NodeSet.NONE, next));
    }

    private Step<State, Message> announce(State s, NodeId leader, long term, NodeSet others) {
        return to(s.asleep(term))
                .elected(leader, term)
                .sendAll(others, new Message.Leader(leader, term))
                .then(asleep -> asleep.greeted.isEmpty() ? to(asleep) : campaign(asleep));
    }
}
