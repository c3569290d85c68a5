package habemus.check;

import habemus.check.Impatient.Message;
import habemus.check.Impatient.State;
import habemus.protocol.Election;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Place;
import habemus.protocol.Step;

/** An algorithm that counts its calls outside of its state. */
final class Impatient implements Election<State, Message> {

    sealed interface Message {
        record Hello(int times) implements Message {}
    }

    record State(NodeSet peers) {}

    private static int calls;

    @Override
    public Step<State, Message> start(Place place) {
        return to(new State(place.peers()));
    }

    @Override
    public Step<State, Message> campaign(State s) {
        return to(s).sendAll(s.peers, new Message.Hello(1));
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return to(s).send(from, new Message.Hello(++calls));
    }
}
