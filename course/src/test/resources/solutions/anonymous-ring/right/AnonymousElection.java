import habemus.protocol.Election;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.Randomized;
import habemus.protocol.Step;

public record AnonymousElection(int size)
        implements Election<AnonymousElection.State, AnonymousElection.Message>,
                Randomized<AnonymousElection.State, AnonymousElection.Message> {

    public sealed interface Message {
        /** @param unique whether no node on the way drew the same number */
        record Vote(int number, int hops, boolean unique) implements Message {}
    }

    /** @param number what the node drew, from 1 on; 0: it is passive or has not started */
    public record State(NodeId self, NodeId next, boolean started, int number) {}

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return to(new State(neighbourhood.self(), neighbourhood.next(), false, 0));
    }

    @Override
    public Step<State, Message> campaign(State s) {
        return s.started ? to(s) : to(new State(s.self, s.next, true, 0)).draw(size);
    }

    @Override
    public Step<State, Message> drawn(State s, int value) {
        return to(new State(s.self, s.next, true, value + 1)).send(s.next, new Message.Vote(value + 1, 1, true));
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        var vote = (Message.Vote) message;
        if (s.number == 0) {
            return vote.hops() == size ? to(s) : pass(s, vote);
        }
        if (vote.hops() == size) {
            return vote.unique() ? to(s).elected(s.self, 1) : to(s).draw(size);
        }
        if (vote.number() == s.number) {
            return to(s).send(s.next, new Message.Vote(vote.number(), vote.hops() + 1, false));
        }
        return vote.number() > s.number ? pass(s, vote) : to(s);
    }

    private Step<State, Message> pass(State s, Message.Vote vote) {
        return to(new State(s.self, s.next, true, 0))
                .send(s.next, new Message.Vote(vote.number(), vote.hops() + 1, vote.unique()));
    }
}
