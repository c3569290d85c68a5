package habemus.check.liveness;

import habemus.check.liveness.CoinElection.Message;
import habemus.check.liveness.CoinElection.State;
import habemus.protocol.Election;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.Randomized;
import habemus.protocol.Step;

/**
 * A coin goes around a ring, and its receiver tosses it.
 *
 * @param decides whether a node that tosses heads leads; else it always passes the coin on
 */
record CoinElection(boolean decides) implements Election<State, Message>, Randomized<State, Message> {

    sealed interface Message {
        record Coin() implements Message {}
    }

    record State(NodeId self, NodeId next) {}

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return to(new State(neighbourhood.self(), neighbourhood.next()));
    }

    @Override
    public Step<State, Message> campaign(State s) {
        return to(s).draw(2);
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return to(s).draw(2);
    }

    @Override
    public Step<State, Message> drawn(State s, int outcome) {
        return decides && outcome == 0 ? to(s).elected(s.self, 1) : to(s).send(s.next, new Message.Coin());
    }
}
