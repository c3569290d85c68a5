package habemus.check;

import habemus.check.Gambler.Message;
import habemus.check.Gambler.State;
import habemus.protocol.Dicing;
import habemus.protocol.Election;
import habemus.protocol.NodeId;
import habemus.protocol.Place;
import habemus.protocol.Step;

/**
 * A coin goes round; whoever gets it tosses it.
 *
 * @param fair whether the one who tosses a head leads; else the coin only goes on
 */
record Gambler(boolean fair) implements Election<State, Message>, Dicing<State, Message> {

    sealed interface Message {
        record Coin() implements Message {}
    }

    record State(NodeId self, NodeId next) {}

    @Override
    public Step<State, Message> start(Place place) {
        return to(new State(place.self(), place.next()));
    }

    @Override
    public Step<State, Message> campaign(State s) {
        return to(s).roll(2);
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return to(s).roll(2);
    }

    @Override
    public Step<State, Message> rolled(State s, int outcome) {
        return fair && outcome == 0 ? to(s).elected(s.self, 1) : to(s).send(s.next, new Message.Coin());
    }
}
