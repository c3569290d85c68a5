package habemus.election;

import habemus.election.Franklin.Message;
import habemus.election.Franklin.State;
import habemus.protocol.Election;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.Ranking;
import habemus.protocol.Step;
import habemus.protocol.WireTags;
import java.util.List;
import java.util.stream.Stream;

/**
 * In each round everybody still active tells both active neighbours its id, and stays active only if it is better than
 * both; so at most half of them do. Whose own id comes home is alone, and leads.
 *
 * <p>Whoever is not active any more passes everything on. Nobody stays out: the first id that reaches a node at rest
 * makes it take part.
 *
 * <pre>
 *   ·       ── start ─────▶ Resting
 *   Resting ── campaign ──▶ Active
 *   Resting ── Candidate ─▶ Active
 *   Active  ── Candidate ─▶ Passive     a better one
 *   Active  ── Candidate ─▶ Resting     our own: we lead
 *   Passive ── Candidate ─▶ Active      of the next election, which came the other way round than the news of this one
 *   Passive ── Elected ───▶ Resting
 * </pre>
 *
 * <p>Costs 2n messages a round and n for the news: at least 5n, at most 2n(⌊log2 n⌋+1) + n. Survives slowness and
 * pauses, no crash. Assumes a ring with links both ways, and that every message arrives exactly once.
 *
 * @see <a href="https://doi.org/10.1145/358506.358517">Franklin, CACM 25(5), 1982</a>
 */
public record Franklin(Ranking ranking) implements Election<State, Message> {

    /** Where a message goes. Its sender does not tell: of two nodes each stands before the other and after it. */
    public enum Direction {
        FORWARD,
        BACKWARD
    }

    @WireTags({Message.Candidate.class, Message.Elected.class})
    public sealed interface Message {
        record Candidate(NodeId id, long term, int round, Direction direction) implements Message {}

        record Elected(NodeId id, long term) implements Message {}
    }

    @WireTags({Phase.Active.class, Phase.Passive.class, Phase.Resting.class})
    public sealed interface Phase {
        record Resting() implements Phase {}

        /** @param heard the ids of this round, and those of the next one that were faster */
        record Active(int round, List<Message.Candidate> heard) implements Phase {}

        record Passive() implements Phase {}
    }

    private static final Phase RESTING = new Phase.Resting();
    private static final Phase PASSIVE = new Phase.Passive();

    /** @param term of the election that we take part in, or of the last one if we are at rest */
    public record State(NodeId self, NodeId next, NodeId previous, long term, Phase phase) {
        private State in(Phase to) {
            return new State(self, next, previous, term, to);
        }

        private State inTerm(long later) {
            return new State(self, next, previous, later, phase);
        }
    }

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return to(new State(neighbourhood.self(), neighbourhood.next(), neighbourhood.previous(), 0, RESTING));
    }

    @Override
    public Step<State, Message> campaign(State s) {
        return s.phase instanceof Phase.Resting ? startRound(s.inTerm(s.term + 1), 1) : to(s);
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Candidate theirs
            when theirs.term > s.term ->
                startRound(s.inTerm(theirs.term), 1).then(joined -> onCandidate(joined, theirs));
            case Message.Candidate theirs -> theirs.term < s.term ? to(s) : onCandidate(s, theirs);
            case Message.Elected(var id, var term)
            when term < s.term || s.phase instanceof Phase.Resting -> to(s); // old, or at home
            case Message.Elected(var id, var term) ->
                to(s.inTerm(term).in(RESTING)).elected(id, term).send(s.next, message);
        };
    }

    private Step<State, Message> startRound(State s, int round) {
        return to(s.in(new Phase.Active(round, List.of())))
                .send(s.next, new Message.Candidate(s.self, s.term, round, Direction.FORWARD))
                .send(s.previous, new Message.Candidate(s.self, s.term, round, Direction.BACKWARD));
    }

    private Step<State, Message> onCandidate(State s, Message.Candidate theirs) {
        return switch (s.phase) {
            case Phase.Resting() -> to(s); // this election is over
            case Phase.Passive() when theirs.id.equals(s.self) -> to(s);
            case Phase.Passive() -> to(s).send(theirs.direction == Direction.FORWARD ? s.next : s.previous, theirs);
            case Phase.Active(var round, var heard) when theirs.id.equals(s.self) -> lead(s);
            case Phase.Active(var round, var heard) ->
                decide(
                        s,
                        round,
                        Stream.concat(heard.stream(), Stream.of(theirs)).toList());
        };
    }

    /** A neighbour may be a round ahead of us: what it says then is kept until we know whether it is for us. */
    private Step<State, Message> decide(State s, int round, List<Message.Candidate> heard) {
        var both = heard.stream().filter(one -> one.round == round).toList();
        if (both.size() < 2) {
            return to(s.in(new Phase.Active(round, heard)));
        }
        boolean beaten = both.stream().anyMatch(one -> ranking.isBetter(one.id, s.self));
        var decided = beaten ? to(s.in(PASSIVE)) : startRound(s, round + 1);
        for (var early : heard.stream().filter(one -> one.round > round).toList()) {
            decided = decided.then(after -> onCandidate(after, early));
        }
        return decided;
    }

    private Step<State, Message> lead(State s) {
        return to(s.in(RESTING)).elected(s.self, s.term).send(s.next, new Message.Elected(s.self, s.term));
    }
}
