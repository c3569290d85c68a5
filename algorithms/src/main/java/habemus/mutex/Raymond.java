package habemus.mutex;

import habemus.mutex.Raymond.Message;
import habemus.mutex.Raymond.State;
import habemus.protocol.Mutex;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.protocol.WireTags;
import java.util.List;
import java.util.stream.Stream;

/**
 * Nodes form a tree. A request travels along the tree to the token, and the token returns on the same path.
 *
 * <p>Every node knows which neighbour is closer to the token. It queues its own request and those of its neighbours,
 * and forwards one request at a time for all of them. The tree is binary: the parent of node k is node k/2. The root,
 * n1, has the token at the start.
 *
 * <pre>
 *   ·       ── start ───▶ Idle
 *   Idle    ── acquire ─▶ Waiting, Holding     Holding: the node has the token
 *   Waiting ── Token ───▶ Holding
 *   Holding ── release ─▶ Idle
 * </pre>
 *
 * <p>Costs two messages an entry for each edge between the node and the token, at most 4 log2(n). Under load it costs
 * less than 4, because the token serves nodes on its path. Survives reordering. Assumes that every message arrives
 * exactly once: if one is lost or a node crashes, some or all nodes wait for ever, but exclusion holds.
 *
 * @see <a href="https://doi.org/10.1145/58564.59295">Raymond, ACM TOCS 7(1), 1989</a>
 */
public final class Raymond implements Mutex<State, Message> {

    @WireTags({Message.Request.class, Message.Token.class})
    public sealed interface Message {
        record Request() implements Message {}

        /** @param entries the number of entries of all nodes so far */
        record Token(long entries) implements Message {}
    }

    @WireTags({Phase.Holding.class, Phase.Idle.class, Phase.Waiting.class})
    public sealed interface Phase {
        record Idle() implements Phase {}

        record Waiting() implements Phase {}

        record Holding() implements Phase {}
    }

    /**
     * @param towards the neighbour in the direction of the token; the node itself if it has the token
     * @param queue the neighbours that requested the token from this node, and the node itself, in FIFO order
     * @param asked whether this node has forwarded a request and still waits for the token
     * @param entries the count in the token when this node last had it
     */
    public record State(NodeId self, NodeId towards, List<NodeId> queue, boolean asked, long entries, Phase phase) {
        private State in(Phase next) {
            return new State(self, towards, queue, asked, entries, next);
        }

        private State withWaiter(NodeId node) {
            var extended = Stream.concat(queue.stream(), Stream.of(node)).toList();
            return new State(self, towards, extended, asked, entries, phase);
        }

        private State withToken(long count) {
            return new State(self, self, queue, false, count, phase);
        }

        private State towardsFirst() {
            var waiters = queue.subList(1, queue.size()).stream().toList();
            return new State(self, queue.getFirst(), waiters, false, entries, phase);
        }

        private State asking() {
            return new State(self, towards, queue, true, entries, phase);
        }

        private boolean hasToken() {
            return towards.equals(self);
        }
    }

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        int number = neighbourhood.self().number();
        var towards = number == 1 ? neighbourhood.self() : new NodeId(number / 2);
        return to(new State(neighbourhood.self(), towards, List.of(), false, 0, new Phase.Idle()));
    }

    @Override
    public Step<State, Message> acquire(State s) {
        ProtocolBug.unless(s.phase instanceof Phase.Idle, "acquire", s);
        return serveOrAsk(s.in(new Phase.Waiting()).withWaiter(s.self));
    }

    @Override
    public Step<State, Message> release(State s) {
        ProtocolBug.unless(s.phase instanceof Phase.Holding, "release", s);
        return serveOrAsk(s.in(new Phase.Idle()));
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Request() -> serveOrAsk(s.withWaiter(from));
            case Message.Token(var entries) -> serveOrAsk(s.withToken(entries));
        };
    }

    private Step<State, Message> serveOrAsk(State s) {
        if (s.queue.isEmpty() || s.phase instanceof Phase.Holding) {
            return to(s);
        }
        return s.hasToken() ? serve(s.towardsFirst()) : ask(s);
    }

    private Step<State, Message> serve(State s) {
        if (s.hasToken()) {
            var holding = s.withToken(s.entries + 1).in(new Phase.Holding());
            return to(holding).grant(holding.entries);
        }
        return to(s).send(s.towards, new Message.Token(s.entries)).then(this::serveOrAsk);
    }

    private Step<State, Message> ask(State s) {
        return s.asked ? to(s) : to(s.asking()).send(s.towards, new Message.Request());
    }
}
