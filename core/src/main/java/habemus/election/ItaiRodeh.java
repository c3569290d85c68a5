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
 * Nodes without names roll dice for numbers, which go round a one-way ring; each lets only numbers pass that are no
 * lower than its own. If the highest was rolled twice, those who rolled it roll again.
 *
 * <p>A number knows that it is home by counting its hops, for which the size of the ring must be known. On its way it
 * is marked if it meets an equal one. A node's own id is told to its own application only: no message carries one, none
 * is compared, and so nobody but the leader can name it.
 *
 * <pre>
 *   ·                 ── start ─────▶ Resting
 *   Resting, Leading  ── campaign ──▶ Rolling     who leads steps down first
 *   Rolling           ── rolled ────▶ Standing
 *   Standing          ── Candidate ─▶ Rolling     our own number, but somebody else had rolled it too
 *   Standing          ── Candidate ─▶ Leading     our own number, and nobody else's
 *   Standing          ── Candidate ─▶ Beaten      a higher one
 *   Resting, Leading  ── Candidate ─▶ Beaten      who has not started stays out, and who leads steps down
 *   Beaten            ── Leader ────▶ Resting
 * </pre>
 *
 * <p>Costs 2n messages for one candidate; for n about as many as {@link ChangRoberts} on average, plus n for each time
 * that the highest number is shared. Ends with probability one. Survives slowness and pauses, no crash. Assumes that
 * every message arrives exactly once, in the order sent: otherwise rounds would have to be numbered.
 *
 * @param size of the ring
 * @param sides of the dice
 * @see <a href="https://doi.org/10.1016/0890-5401(90)90004-2">Itai and Rodeh, Information and Computation 88(1), 1990;
 *     without round numbers by Fokkink and Pang</a>
 */
public record ItaiRodeh(int size, int sides) implements Election<State, Message>, Randomized<State, Message> {

    public ItaiRodeh {
        if (sides < 0 || (sides == 1 && size > 1)) {
            throw new IllegalArgumentException("a die has two sides at least, or nobody ever rolls the highest alone");
        }
    }

    @WireTags({Message.Candidate.class, Message.Leader.class})
    public sealed interface Message {
        /**
         * @param hops how many nodes it has reached
         * @param unique whether it has met no equal number
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

    /** @param self for the node's own application, and for nobody else */
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
            throw new IllegalArgumentException("the size of the ring must be known");
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
    public Step<State, Message> drawn(State s, int outcome) {
        int number = outcome + 1; // as on a die
        return to(s.in(new Phase.Active(number))).send(s.next, new Message.Candidate(number, 1, true));
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Candidate theirs
            when s.phase instanceof Phase.Active(var mine) -> onCandidate(s, mine, theirs);
            case Message.Candidate theirs when theirs.hops >= size -> to(s); // whoever rolled it has given up
            case Message.Candidate theirs
            when s.phase instanceof Phase.Leading -> pass(s, theirs).lost();
            case Message.Candidate theirs -> pass(s, theirs);
            case Message.Leader(var term, var hops) when hops >= size -> to(s); // at home
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
