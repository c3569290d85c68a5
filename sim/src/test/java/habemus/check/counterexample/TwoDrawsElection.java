package habemus.check.counterexample;

import habemus.check.counterexample.TwoDrawsElection.Message;
import habemus.check.counterexample.TwoDrawsElection.State;
import habemus.protocol.Election;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.Randomized;
import habemus.protocol.Step;

/** A candidate draws one of three terms, then one of two outcomes: to lead or not. */
final class TwoDrawsElection implements Election<State, Message>, Randomized<State, Message> {

    sealed interface Message {
        record None() implements Message {}
    }

    record State(NodeId self, int rolled, int term) {}

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return to(new State(neighbourhood.self(), 0, 0));
    }

    @Override
    public Step<State, Message> campaign(State s) {
        return to(s).draw(3);
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return to(s);
    }

    @Override
    public Step<State, Message> drawn(State s, int outcome) {
        if (s.rolled == 0) {
            return to(new State(s.self, 1, outcome)).draw(2);
        }
        var done = to(new State(s.self, 2, s.term));
        return outcome == 0 ? done : done.elected(s.self, s.term);
    }
}
