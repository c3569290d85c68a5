package habemus.check.reduction;

import habemus.check.reduction.UnsafeIfDelayed.Message;
import habemus.check.reduction.UnsafeIfDelayed.State;
import habemus.protocol.Mutex;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.Step;

/**
 * Safe only if messages arrive at once. Every node but n1 enters on request, and sends n1 a note that keeps n1 out from
 * then on. If the note is late, n1 enters too.
 *
 * @param waits whether n1 waits for a Go of n3, which never enters itself; else n1 enters on request
 */
record UnsafeIfDelayed(boolean waits) implements Mutex<State, Message> {

    sealed interface Message {
        record Note() implements Message {}

        record Go() implements Message {}
    }

    record State(NodeId self, boolean waiting, boolean noted) {}

    private static final NodeId FIRST = new NodeId(1);
    private static final NodeId THIRD = new NodeId(3);

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return to(new State(neighbourhood.self(), false, false));
    }

    @Override
    public Step<State, Message> acquire(State s) {
        if (s.self.equals(FIRST)) {
            return s.noted || waits ? to(new State(s.self, true, s.noted)) : to(s).grant(1);
        }
        return waits && s.self.equals(THIRD)
                ? to(s).send(FIRST, new Message.Go())
                : to(s).send(FIRST, new Message.Note()).grant(1);
    }

    @Override
    public Step<State, Message> release(State s) {
        return to(s);
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Note() -> to(new State(s.self, s.waiting, true));
            case Message.Go() ->
                s.waiting && !s.noted ? to(new State(s.self, false, false)).grant(1) : to(s);
        };
    }
}
