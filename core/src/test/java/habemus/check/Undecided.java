package habemus.check;

import habemus.check.Undecided.Alarm;
import habemus.check.Undecided.Message;
import habemus.check.Undecided.State;
import habemus.protocol.Election;
import habemus.protocol.NodeId;
import habemus.protocol.Place;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import java.time.Duration;

/**
 * Who wants an election sets an alarm, leads when it rings, and sends a letter round meanwhile.
 *
 * @param patient whether each round sets the alarm again
 */
record Undecided(boolean patient) implements Election<State, Message>, Timed<State, Message, Alarm> {

    private static final Duration LONG = Duration.ofSeconds(1);

    sealed interface Message {
        record Round() implements Message {}
    }

    enum Alarm {
        DECIDE
    }

    record State(NodeId self, NodeId next, boolean asked) {}

    @Override
    public Step<State, Message> start(Place place) {
        return to(new State(place.self(), place.next(), false));
    }

    @Override
    public Step<State, Message> campaign(State s) {
        return to(new State(s.self, s.next, true)).wake(Alarm.DECIDE, LONG).send(s.next, new Message.Round());
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        var on = to(s).send(s.next, message);
        return patient && s.asked ? on.wake(Alarm.DECIDE, LONG) : on;
    }

    @Override
    public Step<State, Message> elapsed(State s, Alarm alarm) {
        return to(s).elected(s.self, 1);
    }
}
