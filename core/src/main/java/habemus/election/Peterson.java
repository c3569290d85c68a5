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
 * Halving the candidates on a one-way ring: who cannot ask its next neighbour plays the part of the one before.
 *
 * <p>In each phase everybody still active sends the id that it plays for, learns that of the active node before it,
 * sends the better of both, and so learns what comes before that one. If the one in the middle is the best of the
 * three, it plays for that from now on; otherwise it only passes on. At most half do the former. Whose id comes home at
 * once is alone, and tells everybody that this id leads, its owner included. Nobody stays out: the first id that
 * reaches a node at rest makes it take part.
 *
 * <pre>
 *   ·        ── start ─────▶ Resting
 *   Resting  ── campaign ──▶ Sent
 *   Resting  ── Candidate ─▶ Compared
 *   Sent     ── Candidate ─▶ Compared
 *   Sent     ── Candidate ─▶ Resting     the id that we sent ourselves
 *   Compared ── Candidate ─▶ Sent        the one before us is better than both of its neighbours
 *   Compared ── Candidate ─▶ Passive
 *   Passive  ── Elected ───▶ Resting
 * </pre>
 *
 * <p>Costs 2n messages a phase, n for the last one, and n for the news: at least 4n, at most 2n⌊log2 n⌋ + 2n. Survives
 * slowness and pauses, no crash. Assumes that every message arrives exactly once, in the order sent.
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

        /** @param mine the id that we play for */
        record Sent(NodeId mine) implements Phase {}

        /** @param before the id that the active node before us plays for */
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
            case Message.Elected(var id, var term) when term <= s.term -> to(s); // at home
            case Message.Elected(var id, var term) -> announce(s, id, term);
        };
    }

    private Step<State, Message> sendId(State s, NodeId id) {
        return to(s.in(new Phase.Sent(id))).send(s.next, new Message.Candidate(id));
    }

    private Step<State, Message> onCandidate(State s, NodeId id) {
        return switch (s.phase) {
            case Phase.Resting() -> campaign(s).then(playing -> onCandidate(playing, id));
            case Phase.Passive() -> throw new ProtocolBug("to play", s);
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
