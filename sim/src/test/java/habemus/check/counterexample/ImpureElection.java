package habemus.check.counterexample;

import habemus.check.counterexample.ImpureElection.Message;
import habemus.check.counterexample.ImpureElection.State;
import habemus.protocol.Election;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Step;

/** An election that counts its calls outside of its state, so equal events give different steps. */
final class ImpureElection implements Election<State, Message> {

    sealed interface Message {
        record Hello(int times) implements Message {}
    }

    record State(NodeSet peers) {}

    private static int calls;

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return to(new State(neighbourhood.peers()));
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
