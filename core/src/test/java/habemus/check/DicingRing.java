package habemus.check;

import habemus.check.DicingRing.Message;
import habemus.check.DicingRing.State;
import habemus.protocol.Dicing;
import habemus.protocol.Election;
import habemus.protocol.NodeId;
import habemus.protocol.Place;
import habemus.protocol.Step;

/** Whoever asks rolls a die of three sides for its term, and then one of two for whether it leads. */
final class DicingRing implements Election<State, Message>, Dicing<State, Message> {

    sealed interface Message {
        record None() implements Message {}
    }

    record State(NodeId self, int rolled, int term) {}

    @Override
    public Step<State, Message> start(Place place) {
        return to(new State(place.self(), 0, 0));
    }

    @Override
    public Step<State, Message> campaign(State s) {
        return to(s).roll(3);
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return to(s);
    }

    @Override
    public Step<State, Message> rolled(State s, int outcome) {
        if (s.rolled == 0) {
            return to(new State(s.self, 1, outcome)).roll(2);
        }
        var done = to(new State(s.self, 2, s.term));
        return outcome == 0 ? done : done.elected(s.self, s.term);
    }
}
