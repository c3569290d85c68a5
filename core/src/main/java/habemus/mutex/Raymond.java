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
 * Ask the neighbour in a tree who is nearer to the token; it comes the same way back.
 *
 * <p>Every node knows in which direction the token is, keeps a queue of the neighbours that have asked it, itself among
 * them, and asks on for all of them only once at a time. The tree is binary: above node k is node k/2, and n1, at the
 * top, has the token at the start.
 *
 * <pre>
 *   ·       ── start ───▶ Idle
 *   Idle    ── acquire ─▶ Waiting, Holding     Holding: the token is here
 *   Waiting ── Token ───▶ Holding
 *   Holding ── release ─▶ Idle
 * </pre>
 *
 * <p>An entry costs two messages for each step between the node and the token, which are at most 4 log2(n); under load
 * the token serves on its way, and it is less than 4. Survives messages in any order, each exactly once. When one is
 * lost or a node crashes some or all wait for ever, but never two get in.
 *
 * @see <a href="https://doi.org/10.1145/58564.59295">Raymond, ACM TOCS 7(1), 1989</a>
 */
public final class Raymond implements Mutex<State, Message> {

    @WireTags({Message.Request.class, Message.Token.class})
    public sealed interface Message {
        record Request() implements Message {}

        /** @param entries how often anybody got in */
        record Token(long entries) implements Message {}
    }

    @WireTags({Phase.Holding.class, Phase.Idle.class, Phase.Waiting.class})
    public sealed interface Phase {
        record Idle() implements Phase {}

        record Waiting() implements Phase {}

        record Holding() implements Phase {}
    }

    /**
     * @param towards the neighbour beyond which the token is; oneself, if it is here
     * @param queue who has asked this node, itself included, first come first served
     * @param asked whether this node has asked on, and was not answered yet
     * @param entries of the token when it was last here
     */
    public record State(NodeId self, NodeId towards, List<NodeId> queue, boolean asked, long entries, Phase phase) {
        private State in(Phase next) {
            return new State(self, towards, queue, asked, entries, next);
        }

        private State withWaiter(NodeId node) {
            var longer = Stream.concat(queue.stream(), Stream.of(node)).toList();
            return new State(self, towards, longer, asked, entries, phase);
        }

        private State withToken(long count) {
            return new State(self, self, queue, false, count, phase);
        }

        private State towardsFirst() {
            var rest = queue.subList(1, queue.size()).stream().toList();
            return new State(self, queue.getFirst(), rest, false, entries, phase);
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
            var inside = s.withToken(s.entries + 1).in(new Phase.Holding());
            return to(inside).grant(inside.entries);
        }
        return to(s).send(s.towards, new Message.Token(s.entries)).then(this::serveOrAsk);
    }

    private Step<State, Message> ask(State s) {
        return s.asked ? to(s) : to(s.asking()).send(s.towards, new Message.Request());
    }
}
