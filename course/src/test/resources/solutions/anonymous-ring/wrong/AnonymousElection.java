import habemus.protocol.Election;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.Randomized;
import habemus.protocol.Step;

/** An election in a ring whose nodes have no ids. They know the size of the ring, and they may draw numbers. */
public record AnonymousElection(int size)
        implements Election<AnonymousElection.State, AnonymousElection.Message>,
                Randomized<AnonymousElection.State, AnonymousElection.Message> {

    public sealed interface Message {
        record Vote(int hops) implements Message {}
    }

    /** @param self every node believes that it is n1: the check hides the ids */
    public record State(NodeId self, NodeId next, boolean voted) {}

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return to(new State(neighbourhood.self(), neighbourhood.next(), false));
    }

    @Override
    public Step<State, Message> campaign(State s) {
        return s.voted ? to(s) : to(new State(s.self, s.next, true)).send(s.next, new Message.Vote(1));
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Vote(var hops) when s.voted -> to(s).elected(s.self, 1); // it takes the vote for its own
            case Message.Vote(var hops) ->
                to(new State(s.self, s.next, true)).send(s.next, new Message.Vote(hops + 1));
        };
    }

    /** The world drew a number: to(state).draw(bound) asks for one of 0 … bound-1. */
    @Override
    public Step<State, Message> drawn(State s, int value) {
        return to(s);
    }
}
