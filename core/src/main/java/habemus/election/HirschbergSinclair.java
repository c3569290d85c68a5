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
 * A tournament on a ring: a candidate asks one node on each side, then two, then four; whoever it asks answers unless
 * it is better. Who reaches itself has asked everybody, and leads.
 *
 * <p>A better node that is asked does not answer, and runs itself; a worse one gives up.
 *
 * <pre>
 *   ·       ── start ────▶ Resting
 *   Resting ── campaign ─▶ Active
 *   Resting ── Probe ────▶ Active, Passive     of one worse, of one better
 *   Active  ── Probe ────▶ Passive             of one better
 *   Active  ── Probe ────▶ Resting             our own: we lead
 *   Passive ── Probe ────▶ Active              of the next election, which was faster than the news of this one
 *   Passive ── Elected ──▶ Resting
 * </pre>
 *
 * <p>Costs at most 8n(⌈log2 n⌉+1) + n messages. Survives slowness, pauses and reordering, no crash. Assumes a ring with
 * links both ways, and that every message arrives exactly once.
 *
 * @see <a href="https://doi.org/10.1145/359024.359029">Hirschberg and Sinclair, CACM 23(11), 1980</a>
 */
public record HirschbergSinclair(Ranking ranking) implements Election<State, Message> {

    /** Where a message goes. Its sender does not tell: of two nodes each stands before the other and after it. */
    public enum Direction {
        FORWARD,
        BACKWARD;

        private Direction reversed() {
            return this == FORWARD ? BACKWARD : FORWARD;
        }
    }

    @WireTags({Message.Elected.class, Message.Probe.class, Message.Reply.class})
    public sealed interface Message {
        /** @param hops how far it may still go, the one that it reaches now included */
        record Probe(NodeId id, long term, int hops, Direction direction) implements Message {}

        record Reply(NodeId id, long term, Direction direction) implements Message {}

        record Elected(NodeId id, long term) implements Message {}
    }

    @WireTags({Phase.Active.class, Phase.Passive.class, Phase.Resting.class})
    public sealed interface Phase {
        record Resting() implements Phase {}

        /**
         * @param reach how many nodes are asked on each side
         * @param oneSideReplied whether one side has answered
         */
        record Active(int reach, boolean oneSideReplied) implements Phase {}

        record Passive() implements Phase {}
    }

    private static final Phase RESTING = new Phase.Resting();
    private static final Phase PASSIVE = new Phase.Passive();

    /** @param term of the election that we take part in, or of the last one if we are at rest */
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

        /** Old, or of an election that is over. */
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
        return s.phase instanceof Phase.Active(var reach, var half)
                ? half ? probe(s, 2 * reach) : to(s.in(new Phase.Active(reach, true)))
                : to(s); // a better one has asked us meanwhile
    }
}
