package habemus.election;

import habemus.election.HirschbergSinclair.Message;
import habemus.election.HirschbergSinclair.State;
import habemus.protocol.Election;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.Ranking;
import habemus.protocol.Step;
import habemus.protocol.WireTags;

/**
 * A candidate probes one node on each side of the ring, then two, then four. A candidate whose probe returns to itself
 * has reached all nodes, and leads.
 *
 * <p>A better node does not reply to a probe, and becomes a candidate itself. A worse node replies and becomes passive.
 *
 * <pre>
 *   ·       ── start ────▶ Resting
 *   Resting ── campaign ─▶ Active
 *   Resting ── Probe ────▶ Active, Passive     of a worse node, of a better node
 *   Active  ── Probe ────▶ Passive             of a better node
 *   Active  ── Probe ────▶ Resting             its own: it leads
 *   Passive ── Probe ────▶ Active              of the next election, before the result of this one
 *   Passive ── Elected ──▶ Resting
 * </pre>
 *
 * <p>Costs at most 8n(⌈log2 n⌉+1) + n messages. Survives delays, pauses and reordering, no crash. Assumes a
 * bidirectional ring, and that every message arrives exactly once.
 *
 * @see <a href="https://doi.org/10.1145/359024.359029">Hirschberg and Sinclair, CACM 23(11), 1980</a>
 */
public record HirschbergSinclair(Ranking ranking) implements Election<State, Message> {

    /** The direction of a message. The sender does not imply it: in a ring of two nodes it is both neighbours. */
    public enum Direction {
        FORWARD,
        BACKWARD;

        private Direction reversed() {
            return this == FORWARD ? BACKWARD : FORWARD;
        }
    }

    @WireTags({Message.Elected.class, Message.Probe.class, Message.Reply.class})
    public sealed interface Message {
        /** @param hops the number of nodes that it still reaches, including its receiver */
        record Probe(NodeId id, long term, int hops, Direction direction) implements Message {}

        record Reply(NodeId id, long term, Direction direction) implements Message {}

        record Elected(NodeId id, long term) implements Message {}
    }

    @WireTags({Phase.Active.class, Phase.Passive.class, Phase.Resting.class})
    public sealed interface Phase {
        record Resting() implements Phase {}

        /**
         * @param reach the number of nodes that the probes reach on each side
         * @param oneSideReplied whether one of the two probes is answered
         */
        record Active(int reach, boolean oneSideReplied) implements Phase {}

        record Passive() implements Phase {}
    }

    private static final Phase RESTING = new Phase.Resting();
    private static final Phase PASSIVE = new Phase.Passive();

    /** @param term of the current election, or of the last one if the node is resting */
    public record State(NodeId self, NodeId next, NodeId previous, long term, Phase phase) {
        private State in(Phase to) {
            return to.equals(phase) ? this : new State(self, next, previous, term, to);
        }

        private State inTerm(long other) {
            return other == term ? this : new State(self, next, previous, other, phase);
        }

        private NodeId neighbour(Direction direction) {
            return direction == Direction.FORWARD ? next : previous;
        }

        /** Whether the term is of an election that is over. */
        private boolean isPast(long other) {
            return other < term || other == term && phase instanceof Phase.Resting;
        }
    }

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return to(new State(neighbourhood.self(), neighbourhood.next(), neighbourhood.previous(), 0, RESTING));
    }

    @Override
    public Step<State, Message> campaign(State s) {
        return s.phase instanceof Phase.Resting ? probe(s.inTerm(s.term + 1), 1) : to(s);
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Probe probe -> s.isPast(probe.term) ? to(s) : onProbe(s, probe);
            case Message.Reply reply -> s.isPast(reply.term) ? to(s) : onReply(s, reply);
            case Message.Elected(var id, var term) when s.isPast(term) -> to(s);
            case Message.Elected(var id, var term) ->
                to(s.inTerm(term).in(RESTING)).elected(id, term).send(s.next, message);
        };
    }

    private Step<State, Message> probe(State s, int reach) {
        return to(s.in(new Phase.Active(reach, false)))
                .send(s.next, new Message.Probe(s.self, s.term, reach, Direction.FORWARD))
                .send(s.previous, new Message.Probe(s.self, s.term, reach, Direction.BACKWARD));
    }

    private Step<State, Message> onProbe(State s, Message.Probe probe) {
        if (probe.id.equals(s.self)) {
            return to(s.in(RESTING)).elected(s.self, s.term).send(s.next, new Message.Elected(s.self, s.term));
        }
        if (ranking.isBetter(s.self, probe.id)) {
            return probe.term > s.term ? probe(s.inTerm(probe.term), 1) : to(s);
        }
        var beaten = to(s.inTerm(probe.term).in(PASSIVE));
        return probe.hops > 1
                ? beaten.send(
                        s.neighbour(probe.direction),
                        new Message.Probe(probe.id, probe.term, probe.hops - 1, probe.direction))
                : reply(beaten, s, probe);
    }

    private static Step<State, Message> reply(Step<State, Message> beaten, State s, Message.Probe probe) {
        var back = probe.direction.reversed();
        return beaten.send(s.neighbour(back), new Message.Reply(probe.id, probe.term, back));
    }

    private Step<State, Message> onReply(State s, Message.Reply reply) {
        if (!reply.id.equals(s.self)) {
            return to(s).send(s.neighbour(reply.direction), reply);
        }
        return s.phase instanceof Phase.Active(var reach, var oneSideReplied)
                ? oneSideReplied ? probe(s, 2 * reach) : to(s.in(new Phase.Active(reach, true)))
                : to(s); // a probe of a better node came first
    }
}
