package habemus.election;

import habemus.election.Peterson.Message;
import habemus.election.Peterson.State;
import habemus.protocol.Election;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Ranking;
import habemus.protocol.Step;
import habemus.protocol.WireTags;

/**
 * Each phase halves the number of active nodes in a unidirectional ring. An active node stands for a temporary id.
 *
 * <p>In each phase an active node sends its temporary id, and receives that of the previous active node. It then sends
 * the better of the two, and so receives the better of the two ids before it. If the id of the previous node is the
 * best of the three, the node continues with that id. Otherwise it becomes passive and forwards messages. At most half
 * of the nodes continue. A node that receives the id that it has just sent is the last active node, and announces that
 * id as the leader. The first id that reaches a resting node makes it active, so all nodes take part.
 *
 * <pre>
 *   ·        ── start ─────▶ Resting
 *   Resting  ── campaign ──▶ Sent
 *   Resting  ── Candidate ─▶ Compared
 *   Sent     ── Candidate ─▶ Compared
 *   Sent     ── Candidate ─▶ Resting     the id that it sent itself
 *   Compared ── Candidate ─▶ Sent        the previous id is better than both of its neighbours
 *   Compared ── Candidate ─▶ Passive
 *   Passive  ── Elected ───▶ Resting
 * </pre>
 *
 * <p>Costs 2n messages a phase, n for the last one, and n for the result: at least 4n, at most 2n⌊log2 n⌋ + 2n.
 * Survives delays and pauses, no crash. Assumes that every message arrives exactly once, in FIFO order.
 *
 * @see <a href="https://doi.org/10.1145/69622.357194">Peterson, ACM TOPLAS 4(4), 1982</a>
 */
public record Peterson(Ranking ranking) implements Election<State, Message> {

    @WireTags({Message.Candidate.class, Message.Elected.class})
    public sealed interface Message {
        record Candidate(NodeId id) implements Message {}

        record Elected(NodeId id, long term) implements Message {}
    }

    @WireTags({Phase.Compared.class, Phase.Passive.class, Phase.Resting.class, Phase.Sent.class})
    public sealed interface Phase {
        record Resting() implements Phase {}

        /** @param mine the temporary id of this node */
        record Sent(NodeId mine) implements Phase {}

        /** @param before the temporary id of the previous active node */
        record Compared(NodeId mine, NodeId before) implements Phase {}

        record Passive() implements Phase {}
    }

    private static final Phase RESTING = new Phase.Resting();
    private static final Phase PASSIVE = new Phase.Passive();

    public record State(NodeId self, NodeId next, long term, Phase phase) {
        private State in(Phase to) {
            return new State(self, next, term, to);
        }

        private State resting(long ended) {
            return new State(self, next, ended, RESTING);
        }
    }

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return to(new State(neighbourhood.self(), neighbourhood.next(), 0, RESTING));
    }

    @Override
    public Step<State, Message> campaign(State s) {
        return s.phase instanceof Phase.Resting ? sendId(s, s.self) : to(s);
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Candidate(var id) when s.phase instanceof Phase.Passive -> to(s).send(s.next, message);
            case Message.Candidate(var id) -> onCandidate(s, id);
            case Message.Elected(var id, var term) when term <= s.term -> to(s); // back at its sender
            case Message.Elected(var id, var term) -> announce(s, id, term);
        };
    }

    private Step<State, Message> sendId(State s, NodeId id) {
        return to(s.in(new Phase.Sent(id))).send(s.next, new Message.Candidate(id));
    }

    private Step<State, Message> onCandidate(State s, NodeId id) {
        return switch (s.phase) {
            case Phase.Resting() -> campaign(s).then(active -> onCandidate(active, id));
            case Phase.Passive() -> throw new ProtocolBug("Candidate", s);
            case Phase.Sent(var mine) when id.equals(mine) -> announce(s, mine, s.term + 1);
            case Phase.Sent(var mine) ->
                to(s.in(new Phase.Compared(mine, id)))
                        .send(s.next, new Message.Candidate(ranking.isBetter(id, mine) ? id : mine));
            case Phase.Compared(var mine, var before)
            when id.equals(before) && ranking.isBetter(before, mine) -> sendId(s, before);
            case Phase.Compared(var mine, var before) -> to(s.in(PASSIVE));
        };
    }

    private Step<State, Message> announce(State s, NodeId leader, long term) {
        return to(s.resting(term)).elected(leader, term).send(s.next, new Message.Elected(leader, term));
    }
}
