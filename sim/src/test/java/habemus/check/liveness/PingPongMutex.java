package habemus.check.liveness;

import habemus.check.liveness.PingPongMutex.Message;
import habemus.check.liveness.PingPongMutex.State;
import habemus.protocol.Mutex;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.Step;

/**
 * The first two nodes send a ball to each other forever. A requesting node asks the first node for a grant.
 *
 * @param answers whether the first node grants requests
 */
record PingPongMutex(boolean answers) implements Mutex<State, Message> {

    private static final NodeId FIRST = new NodeId(1);
    private static final NodeId SECOND = new NodeId(2);

    sealed interface Message {
        record Ball() implements Message {}

        record Ask() implements Message {}

        record Go() implements Message {}
    }

    record State(NodeId self) {}

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        var start = to(new State(neighbourhood.self()));
        return neighbourhood.self().equals(FIRST) ? start.send(SECOND, new Message.Ball()) : start;
    }

    @Override
    public Step<State, Message> acquire(State s) {
        return to(s).send(FIRST, new Message.Ask());
    }

    @Override
    public Step<State, Message> release(State s) {
        return to(s);
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Ball ball -> to(s).send(from, ball);
            case Message.Ask() -> answers ? to(s).send(from, new Message.Go()) : to(s);
            case Message.Go() -> to(s).grant(1);
        };
    }
}
