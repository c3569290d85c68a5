import habemus.protocol.Election;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.Ranking;
import habemus.protocol.Step;

/** Chang–Roberts without its second half: the best node knows that it leads, the others do not. */
public record LearnLeader(Ranking ranking) implements Election<LearnLeader.State, LearnLeader.Message> {

    public sealed interface Message {
        record Candidate(NodeId id) implements Message {}
    }

    public record State(NodeId self, NodeId next, boolean participating) {}

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return to(new State(neighbourhood.self(), neighbourhood.next(), false));
    }

    @Override
    public Step<State, Message> campaign(State s) {
        return s.participating
                ? to(s)
                : to(new State(s.self, s.next, true)).send(s.next, new Message.Candidate(s.self));
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Candidate(var id) when ranking.isBetter(id, s.self) ->
                to(new State(s.self, s.next, true)).send(s.next, message);
            case Message.Candidate(var id) when ranking.isBetter(s.self, id) -> campaign(s);
            case Message.Candidate(var id) -> to(s).elected(s.self, 1); // its own id is back: it leads
        };
    }
}
