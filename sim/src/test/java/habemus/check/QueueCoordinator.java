package habemus.check;

import habemus.check.QueueCoordinator.Message;
import habemus.check.QueueCoordinator.State;
import habemus.protocol.Mutex;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.Step;
import java.util.ArrayList;
import java.util.List;

/**
 * The coordinator n1 keeps a queue, and grants the lock to its head.
 *
 * @param broken whether n1 grants every request at once
 */
public record QueueCoordinator(boolean broken) implements Mutex<State, Message> {

    sealed interface Message {
        record Ask() implements Message {}

        record Enter() implements Message {}

        record Done() implements Message {}
    }

    record State(NodeId self, List<NodeId> queue) {}

    private static final NodeId FIRST = new NodeId(1);

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return to(new State(neighbourhood.self(), List.of()));
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
            case Message.Ask() -> {
                var longer = new ArrayList<>(s.queue);
                longer.add(from);
                var next = to(new State(s.self, List.copyOf(longer)));
                yield broken || s.queue.isEmpty() ? next.send(from, new Message.Enter()) : next;
            }
            case Message.Enter() -> to(s).grant(0);
            case Message.Done() -> {
                var shorter = new ArrayList<>(s.queue);
                shorter.remove(from);
                var next = to(new State(s.self, List.copyOf(shorter)));
                yield broken || shorter.isEmpty() ? next : next.send(shorter.getFirst(), new Message.Enter());
            }
        };
    }
}
