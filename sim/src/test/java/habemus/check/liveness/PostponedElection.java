package habemus.check.liveness;

import habemus.check.liveness.PostponedElection.Message;
import habemus.check.liveness.PostponedElection.State;
import habemus.check.liveness.PostponedElection.Timer;
import habemus.protocol.Election;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import java.time.Duration;

/**
 * A candidate sets a timer, leads when it fires, and until then sends a message around the ring.
 *
 * @param resetsTimer whether each round sets the timer again
 */
record PostponedElection(boolean resetsTimer) implements Election<State, Message>, Timed<State, Message, Timer> {

    private static final Duration LONG = Duration.ofSeconds(1);

    sealed interface Message {
        record Round() implements Message {}
    }

    enum Timer {
        DECIDE
    }

    record State(NodeId self, NodeId next, boolean asked) {}

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return to(new State(neighbourhood.self(), neighbourhood.next(), false));
    }

    @Override
    public Step<State, Message> campaign(State s) {
        return to(new State(s.self, s.next, true)).setTimer(Timer.DECIDE, LONG).send(s.next, new Message.Round());
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        var on = to(s).send(s.next, message);
        return resetsTimer && s.asked ? on.setTimer(Timer.DECIDE, LONG) : on;
    }

    @Override
    public Step<State, Message> timeout(State s, Timer timer) {
        return to(s).elected(s.self, 1);
    }
}
