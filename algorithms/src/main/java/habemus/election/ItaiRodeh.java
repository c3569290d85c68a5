package habemus.election;

import habemus.election.ItaiRodeh.Message;
import habemus.election.ItaiRodeh.State;
import habemus.protocol.Election;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.Randomized;
import habemus.protocol.Step;
import habemus.protocol.WireTags;

/**
 * Nodes without ids draw random numbers, which circulate in a unidirectional ring. A node forwards only numbers that
 * are not lower than its own. If several nodes drew the highest number, they draw again.
 *
 * <p>A message counts its hops, and returns to its sender after as many hops as the ring has nodes. So the nodes must
 * know the size of the ring. A node that drew the same number marks the message as not unique. A node reports its own
 * id to its own application only. No message carries an id, so only the leader itself knows the id of the leader.
 *
 * <pre>
 *   ·                 ── start ─────▶ Resting
 *   Resting, Leading  ── campaign ──▶ Drawing     a leader steps down first
 *   Drawing           ── drawn ─────▶ Active
 *   Active            ── Candidate ─▶ Drawing     its own number, which another node drew too
 *   Active            ── Candidate ─▶ Leading     its own number, which is unique
 *   Active            ── Candidate ─▶ Passive     a higher number
 *   Resting, Leading  ── Candidate ─▶ Passive     of another candidate; a leader steps down
 *   Passive           ── Leader ────▶ Resting
 * </pre>
 *
 * <p>Costs 2n messages for one candidate. For n candidates it costs about as many as {@link ChangRoberts} on average,
 * plus n each time that the highest number is not unique. Terminates with probability one. Survives delays and pauses,
 * no crash. Assumes that every message arrives exactly once, in FIFO order: otherwise rounds would need numbers.
 *
 * @param size the number of nodes in the ring
 * @param sides the number of different random numbers
 * @see <a href="https://doi.org/10.1016/0890-5401(90)90004-2">Itai and Rodeh, Information and Computation 88(1), 1990;
 *     without round numbers by Fokkink and Pang</a>
 */
public record ItaiRodeh(int size, int sides) implements Election<State, Message>, Randomized<State, Message> {

    public ItaiRodeh {
        if (sides < 0 || (sides == 1 && size > 1)) {
            throw new IllegalArgumentException("the number of sides must be at least 2, was " + sides);
        }
    }

    @WireTags({Message.Candidate.class, Message.Leader.class})
    public sealed interface Message {
        /**
         * @param hops the number of nodes that it has reached, including its receiver
         * @param unique whether none of them drew the same number
         */
        record Candidate(int number, int hops, boolean unique) implements Message {}

        record Leader(long term, int hops) implements Message {}
    }

    @WireTags({Phase.Passive.class, Phase.Leading.class, Phase.Resting.class, Phase.Drawing.class, Phase.Active.class})
    public sealed interface Phase {
        record Resting() implements Phase {}

        record Drawing() implements Phase {}

        record Active(int number) implements Phase {}

        record Passive() implements Phase {}

        record Leading() implements Phase {}
    }

    private static final Phase RESTING = new Phase.Resting();
    private static final Phase DRAWING = new Phase.Drawing();
    private static final Phase PASSIVE = new Phase.Passive();
    private static final Phase LEADING = new Phase.Leading();

    /** @param self only for the node's own application */
    public record State(NodeId self, NodeId next, long term, Phase phase) {
        private State in(Phase to) {
            return to.equals(phase) ? this : new State(self, next, term, to);
        }

        private State inTerm(long later) {
            return new State(self, next, later, phase);
        }
    }

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        if (size < 1) {
            throw new IllegalArgumentException("the size of the ring must be at least 1, was " + size);
        }
        return to(new State(neighbourhood.self(), neighbourhood.next(), 0, RESTING));
    }

    @Override
    public Step<State, Message> campaign(State s) {
        if (s.phase instanceof Phase.Leading) {
            return to(s).lost().then(this::drawNumber);
        }
        return s.phase instanceof Phase.Resting ? drawNumber(s) : to(s);
    }

    @Override
    public Step<State, Message> drawn(State s, int value) {
        int number = value + 1;
        return to(s.in(new Phase.Active(number))).send(s.next, new Message.Candidate(number, 1, true));
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Candidate theirs
            when s.phase instanceof Phase.Active(var mine) -> onCandidate(s, mine, theirs);
            case Message.Candidate theirs when theirs.hops >= size -> to(s); // our own, and we are passive
            case Message.Candidate theirs
            when s.phase instanceof Phase.Leading -> pass(s, theirs).lost();
            case Message.Candidate theirs -> pass(s, theirs);
            case Message.Leader(var term, var hops) when hops >= size -> to(s); // back at the leader
            case Message.Leader(var term, var hops) ->
                to(s.inTerm(term).in(RESTING)).send(s.next, new Message.Leader(term, hops + 1));
        };
    }

    private Step<State, Message> drawNumber(State s) {
        return to(s.in(DRAWING)).draw(sides);
    }

    private Step<State, Message> onCandidate(State s, int mine, Message.Candidate theirs) {
        if (theirs.hops == size) {
            return theirs.unique ? lead(s) : drawNumber(s);
        }
        if (theirs.number == mine) {
            return to(s).send(s.next, new Message.Candidate(mine, theirs.hops + 1, false));
        }
        return theirs.number < mine ? to(s) : pass(s, theirs);
    }

    private Step<State, Message> lead(State s) {
        var leading = s.inTerm(s.term + 1).in(LEADING);
        return to(leading).elected(s.self, leading.term).send(s.next, new Message.Leader(leading.term, 1));
    }

    private Step<State, Message> pass(State s, Message.Candidate theirs) {
        return to(s.in(PASSIVE)).send(s.next, new Message.Candidate(theirs.number, theirs.hops + 1, theirs.unique));
    }
}
