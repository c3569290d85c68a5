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
 * Ids travel down a graph whose edges point from better to worse nodes, and verdicts travel up. The last source leads.
 *
 * <p>Yo-: a source, which has no node above it, sends its id down. Each other node waits for an id from every node
 * above it, and sends the best one down. -Yo: a node sends Yes to where the best id came from, if no node below sent
 * No, and No otherwise. No flips the edge, so a beaten source is no longer a source. Nodes prune what no longer
 * matters. Of several edges with the same id they keep one. They drop a node without nodes below that received only one
 * id. In the book the smallest id wins.
 *
 * <pre>
 *   ·          ── start ──────▶ Asleep
 *   Asleep     ── campaign ───▶ Descending
 *   Asleep     ── Hello ──────▶ Descending, Ascending
 *   Descending ── Hello, Best ▶ Ascending, Pruned
 *   Ascending  ── Yes ────────▶ Descending
 *   Ascending  ── No ─────────▶ Descending, Pruned
 *   Ascending  ── Prune ──────▶ Descending, Pruned, Asleep        Asleep: no edge is left, it leads
 *   Pruned     ── Leader ─────▶ Asleep, Descending, Ascending     not Asleep: a neighbour has started the next election
 * </pre>
 *
 * <p>Costs 6m-n+1 messages with m edges if there is only one source at the start. Two rounds halve the number of
 * sources, and a round costs at most 2m. Survives delays, pauses and reordering. After a crash or a loss the election
 * may not end, but there are no two leaders. Assumes a connected graph.
 *
 * @param anyYes whether one Yes from below is enough for a Yes; then more sources remain, and two rounds may not halve
 *     them
 * @see <a href="https://doi.org/10.1002/0470072644">Santoro, Design and Analysis of Distributed Algorithms, 3.8.3</a>
 */
public record YoYo(Ranking ranking, boolean anyYes) implements Election<State, Message> {

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

        /** Waits for Hello from the {@code silent} neighbours, and for an id from each node above. */
        record Descending(NodeSet silent, YoYoEdges edges) implements Phase {}

        /** Waits for the verdicts of the {@code silent} nodes below. */
        record Ascending(NodeSet silent, YoYoEdges edges) implements Phase {}

        record Pruned() implements Phase {}
    }

    /** @param greeted the neighbours that have started the next election, in which this node does not take part yet */
    public record State(NodeId self, NodeSet neighbours, NodeSet greeted, long term, Phase phase) {
        private State in(Phase next) {
            return new State(self, neighbours, greeted, term, next);
        }

        private State withGreeted(NodeSet next) {
            return new State(self, neighbours, next, term, phase);
        }

        private State asleep(long endedTerm) {
            return new State(self, neighbours, greeted, endedTerm, new Phase.Asleep());
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
        var edges = YoYoEdges.of(ranking.betterThan(s.self, s.neighbours), ranking.worseThan(s.self, s.neighbours));
        return to(s.withGreeted(NodeSet.NONE))
                .sendAll(s.neighbours, new Message.Hello())
                .then(awake -> descend(awake, s.neighbours.without(s.greeted), edges));
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Hello() when s.phase instanceof Phase.Asleep -> campaign(s.withGreeted(NodeSet.of(from)));
            case Message.Hello()
            when s.phase instanceof Phase.Descending(var silent, var edges) && silent.contains(from) ->
                descend(s, silent.without(from), edges);
            case Message.Hello() -> to(s.withGreeted(s.greeted.with(from))); // of the next election
            case Message.Best(var id)
            when s.phase instanceof Phase.Descending(var silent, var edges) ->
                descend(s, silent, edges.withReceived(from, id));
            case Message.Best(var id)
            when s.phase instanceof Phase.Ascending(var silent, var edges) ->
                ascend(s, silent, edges.withReceived(from, id));
            case Message.Verdict verdict
            when s.phase instanceof Phase.Ascending(var silent, var edges) ->
                ascend(s, silent.without(from), applyVerdict(verdict, from, edges));
            case Message.Leader(var id, var term) when term <= s.term -> to(s);
            case Message.Leader(var id, var term) -> announce(s, id, term, s.neighbours.without(from));
            case Message.Best best -> throw new ProtocolBug(best + " from " + from, s);
            case Message.Verdict verdict -> throw new ProtocolBug(verdict + " from " + from, s);
        };
    }

    private Step<State, Message> descend(State s, NodeSet silent, YoYoEdges edges) {
        return silent.isEmpty() && edges.received().size() == edges.above().size()
                ? to(s).sendAll(edges.below(), new Message.Best(edges.best(ranking, s.self)))
                        .then(sent -> ascend(s, edges.below(), edges))
                : to(s.in(new Phase.Descending(silent, edges)));
    }

    private static YoYoEdges applyVerdict(Message.Verdict verdict, NodeId from, YoYoEdges edges) {
        return switch (verdict) {
            case Message.Yes() -> edges;
            case Message.No() -> edges.flip(from);
            case Message.Prune() -> edges.withoutBelow(from);
        };
    }

    private Step<State, Message> ascend(State s, NodeSet silent, YoYoEdges edges) {
        return !silent.isEmpty()
                ? to(s.in(new Phase.Ascending(silent, edges)))
                : edges.isEmpty() ? announce(s, s.self, s.term + 1, s.neighbours) : sendVerdicts(s, edges);
    }

    private Step<State, Message> sendVerdicts(State s, YoYoEdges edges) {
        var verdicts = edges.verdicts(edges.best(ranking, s.self), anyYes);
        var next = edges.nextRound(verdicts);
        return to(s).sendAll(verdicts.yes(), new Message.Yes())
                .sendAll(verdicts.no(), new Message.No())
                .sendAll(verdicts.prune(), new Message.Prune())
                .then(sent -> next.isEmpty() ? to(s.in(new Phase.Pruned())) : descend(s, NodeSet.NONE, next));
    }

    private Step<State, Message> announce(State s, NodeId leader, long term, NodeSet others) {
        return to(s.asleep(term))
                .elected(leader, term)
                .sendAll(others, new Message.Leader(leader, term))
                .then(asleep -> asleep.greeted.isEmpty() ? to(asleep) : campaign(asleep));
    }
}
