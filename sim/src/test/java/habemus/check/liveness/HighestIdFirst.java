package habemus.check.liveness;

import habemus.check.liveness.HighestIdFirst.Message;
import habemus.check.liveness.HighestIdFirst.State;
import habemus.protocol.Mutex;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Step;

/** The first node grants the lock to the waiting node with the highest number. */
final class HighestIdFirst implements Mutex<State, Message> {

    private static final NodeId FIRST = new NodeId(1);

    sealed interface Message {
        record Ask() implements Message {}

        record Go() implements Message {}

        record Done() implements Message {}
    }

    /** Only the first node uses its state. */
    record State(NodeSet waiting, boolean held) {}

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return to(new State(NodeSet.NONE, false));
    }

    @Override
    public Step<State, Message> acquire(State s) {
        return to(s).send(FIRST, new Message.Ask());
    }

    @Override
    public Step<State, Message> release(State s) {
        return to(s).send(FIRST, new Message.Done());
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Ask() -> next(new State(s.waiting.with(from), s.held));
            case Message.Done() -> next(new State(s.waiting, false));
            case Message.Go() -> to(s).grant(1);
        };
    }

    private Step<State, Message> next(State s) {
        if (s.held || s.waiting.isEmpty()) {
            return to(s);
        }
        var best = s.waiting.toList().getLast();
        return to(new State(s.waiting.without(best), true)).send(best, new Message.Go());
    }
}
