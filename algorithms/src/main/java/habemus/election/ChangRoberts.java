package habemus.election;

import habemus.election.ChangRoberts.Message;
import habemus.election.ChangRoberts.State;
import habemus.protocol.Election;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.Ranking;
import habemus.protocol.Step;
import habemus.protocol.WireTags;

/**
 * Ids circulate in a unidirectional ring, and a node forwards only better ids than its own. The id that returns leads.
 *
 * <pre>
 *   ·             ── start ────▶ Resting
 *   Resting       ── campaign ─▶ Participating
 *   Resting       ── Candidate ▶ Participating     forwards a better id, or sends its own instead of a worse one
 *   Participating ── Candidate ▶ Resting           its own id: it leads
 *   Participating ── Elected ──▶ Resting
 * </pre>
 *
 * <p>Costs at most 3n-1 messages for one candidate. For n candidates it costs n(n+1)/2 + n in the worst case, 3n-1 in
 * the best and n·H(n) + n on average. Survives delays and pauses, no crash. Assumes that every message arrives exactly
 * once.
 *
 * @see <a href="https://doi.org/10.1145/359104.359108">Chang and Roberts, CACM 22(5), 1979</a>
 */
public record ChangRoberts(Ranking ranking) implements Election<State, Message> {

    @WireTags({Message.Candidate.class, Message.Elected.class})
    public sealed interface Message {
        record Candidate(NodeId id) implements Message {}

        record Elected(NodeId id, long term) implements Message {}
    }

    @WireTags({Phase.Participating.class, Phase.Resting.class})
    public sealed interface Phase {
        record Resting() implements Phase {}

        /** The node has sent its own or a better id, and no node has been elected since. */
        record Participating() implements Phase {}
    }

    private static final Phase RESTING = new Phase.Resting();
    private static final Phase PARTICIPATING = new Phase.Participating();

    public record State(NodeId self, NodeId next, Phase phase, long term) {
        /** Returns the same object if nothing changes, which is the common case. */
        private State participating() {
            return phase instanceof Phase.Participating ? this : new State(self, next, PARTICIPATING, term);
        }

        private State resting(long ended) {
            return new State(self, next, RESTING, ended);
        }
    }

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return to(new State(neighbourhood.self(), neighbourhood.next(), RESTING, 0));
    }

    @Override
    public Step<State, Message> campaign(State s) {
        return s.phase instanceof Phase.Participating
                ? to(s)
                : to(s.participating()).send(s.next, new Message.Candidate(s.self));
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Candidate(var id)
            when ranking.isBetter(id, s.self) -> to(s.participating()).send(s.next, message);
            case Message.Candidate(var id) when ranking.isBetter(s.self, id) -> campaign(s);
            case Message.Candidate(var mine) -> lead(s);
            case Message.Elected(var id, var term) when id.equals(s.self) -> to(s);
            case Message.Elected(var id, var term) ->
                to(s.resting(term)).elected(id, term).send(s.next, message);
        };
    }

    private Step<State, Message> lead(State s) {
        var leading = s.resting(s.term + 1);
        return to(leading).elected(s.self, leading.term).send(s.next, new Message.Elected(s.self, leading.term));
    }
}
