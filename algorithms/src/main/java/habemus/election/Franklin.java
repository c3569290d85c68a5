package habemus.election;

import habemus.election.Franklin.Message;
import habemus.election.Franklin.State;
import habemus.protocol.Election;
import habemus.protocol.Labelled;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.Ranking;
import habemus.protocol.Step;
import habemus.protocol.WireTags;
import java.util.List;
import java.util.stream.Stream;

/**
 * In each round an active node sends its id in both directions, and stays active only if it is better than both active
 * neighbours. A round leaves at most half of the active nodes. A node that receives its own id leads.
 *
 * <p>A passive node forwards all messages. The first id that reaches a resting node makes it active, so all nodes take
 * part. With {@code answers} an active node answers an id p of its round: p if it is worse, −p if it is better.
 *
 * <pre>
 *   ·       ── start ─────▶ Resting
 *   Resting ── campaign ──▶ Active
 *   Resting ── Candidate ─▶ Active
 *   Active  ── Candidate ─▶ Passive     a better id
 *   Active  ── Answer ────▶ Passive     −p
 *   Active  ── Candidate ─▶ Resting     its own id: it leads
 *   Passive ── Candidate ─▶ Active      of the next election, before the result of this one
 *   Passive ── Elected ───▶ Resting
 * </pre>
 *
 * <p>Costs 2n messages a round and n for the result: at least 5n, at most 2n(⌊log2 n⌋+1) + n. Answers cost 2n more a
 * round, except in the last one. Survives delays and pauses, no crash. Assumes a bidirectional ring, and that every
 * message arrives exactly once.
 *
 * @param answers whether a node decides by the two answers to its id; in the paper by the ids of both neighbours
 * @see <a href="https://doi.org/10.1145/358506.358517">Franklin, CACM 25(5), 1982</a>
 */
public record Franklin(Ranking ranking, boolean answers) implements Election<State, Message> {

    /** The direction of a message. The sender does not imply it: in a ring of two nodes it is both neighbours. */
    public enum Direction {
        FORWARD,
        BACKWARD
    }

    @WireTags({Message.Candidate.class, Message.Elected.class, Message.Answer.class})
    public sealed interface Message {
        record Candidate(NodeId id, long term, int round, Direction direction) implements Message {}

        record Elected(NodeId id, long term) implements Message {}

        /** @param isNegative −p: the node that answers is better than p */
        record Answer(NodeId id, boolean isNegative, long term, Direction direction) implements Message, Labelled {
            @Override
            public String label() {
                return "Answer " + (isNegative ? "−" : "") + id;
            }
        }
    }

    @WireTags({Phase.Active.class, Phase.Passive.class, Phase.Resting.class})
    public sealed interface Phase {
        record Resting() implements Phase {}

        /** @param received the ids of this round, and ids of the next round that arrived early */
        record Active(int round, List<Message.Candidate> received, List<Message.Answer> answered) implements Phase {
            private Active with(Message.Candidate theirs) {
                return new Active(
                        round,
                        Stream.concat(received.stream(), Stream.of(theirs)).toList(),
                        answered);
            }

            private Active with(Message.Answer answer) {
                return new Active(
                        round,
                        received,
                        Stream.concat(answered.stream(), Stream.of(answer)).toList());
            }
        }

        record Passive() implements Phase {}
    }

    private static final Phase RESTING = new Phase.Resting();
    private static final Phase PASSIVE = new Phase.Passive();

    /** @param term of the current election, or of the last one if the node is resting */
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
            case Message.Answer answer -> answer.term < s.term ? to(s) : onAnswer(s, answer);
            case Message.Elected(var id, var term)
            when term < s.term || s.phase instanceof Phase.Resting -> to(s); // old, or back at the leader
            case Message.Elected(var id, var term) ->
                to(s.inTerm(term).in(RESTING)).elected(id, term).send(s.next, message);
        };
    }

    private Step<State, Message> startRound(State s, int round) {
        return to(s.in(new Phase.Active(round, List.of(), List.of())))
                .send(s.next, new Message.Candidate(s.self, s.term, round, Direction.FORWARD))
                .send(s.previous, new Message.Candidate(s.self, s.term, round, Direction.BACKWARD));
    }

    private Step<State, Message> onCandidate(State s, Message.Candidate theirs) {
        return switch (s.phase) {
            case Phase.Resting() -> to(s); // this election is over
            case Phase.Passive() when theirs.id.equals(s.self) -> to(s);
            case Phase.Passive() -> forward(s, theirs.direction, theirs);
            case Phase.Active active when theirs.id.equals(s.self) -> lead(s);
            case Phase.Active active
            when answers && theirs.round == active.round ->
                answer(s, theirs).then(answered -> decide(answered, active.with(theirs)));
            case Phase.Active active -> decide(s, active.with(theirs));
        };
    }

    private Step<State, Message> forward(State s, Direction direction, Message message) {
        return to(s).send(direction == Direction.FORWARD ? s.next : s.previous, message);
    }

    private Step<State, Message> answer(State s, Message.Candidate theirs) {
        var back = theirs.direction == Direction.FORWARD ? Direction.BACKWARD : Direction.FORWARD;
        return forward(s, back, new Message.Answer(theirs.id, ranking.isBetter(s.self, theirs.id), s.term, back));
    }

    private Step<State, Message> onAnswer(State s, Message.Answer answer) {
        return !answer.id.equals(s.self)
                ? forward(s, answer.direction, answer)
                : s.phase instanceof Phase.Active active ? decide(s, active.with(answer)) : to(s);
    }

    /** A neighbour may be a round ahead. Its message waits until this node knows whether it stays active. */
    private Step<State, Message> decide(State s, Phase.Active active) {
        var both = active.received.stream()
                .filter(other -> other.round == active.round)
                .toList();
        if (both.size() < 2 || answers && active.answered.size() < 2) {
            return to(s.in(active));
        }
        boolean isBeaten = answers
                ? active.answered.stream().anyMatch(Message.Answer::isNegative)
                : both.stream().anyMatch(other -> ranking.isBetter(other.id, s.self));
        var decided = isBeaten ? to(s.in(PASSIVE)) : startRound(s, active.round + 1);
        for (var other : active.received) {
            if (other.round > active.round) {
                decided = decided.then(next -> onCandidate(next, other));
            }
        }
        return decided;
    }

    private Step<State, Message> lead(State s) {
        return to(s.in(RESTING)).elected(s.self, s.term).send(s.next, new Message.Elected(s.self, s.term));
    }
}
