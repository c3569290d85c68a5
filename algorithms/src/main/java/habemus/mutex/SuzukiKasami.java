package habemus.mutex;

import habemus.mutex.SuzukiKasami.Message;
import habemus.mutex.SuzukiKasami.State;
import habemus.protocol.Mutex;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.protocol.WireTags;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A node broadcasts its request for the token. The token records which requests are served, and so which nodes wait.
 *
 * <p>Requests are numbered, and every node keeps the highest number that it has received from each other node. At
 * release, the holder appends to the token's queue the nodes whose latest request is one more than the token has
 * served. It sends the token to the first in the queue, or keeps it if the queue is empty. n1 has the token at the
 * start.
 *
 * <pre>
 *   ·       ── start ───▶ Idle, Resting     Resting: with the token
 *   Idle    ── acquire ─▶ Waiting
 *   Waiting ── Token ───▶ Holding
 *   Holding ── release ─▶ Idle, Resting
 *   Resting ── acquire ─▶ Holding
 *   Resting ── Request ─▶ Idle
 * </pre>
 *
 * <p>Costs n messages an entry, and none if the node has the token. Survives reordering, and duplicated requests.
 * Assumes that the token arrives exactly once: if it is lost, no node enters any more, but exclusion holds.
 *
 * @see <a href="https://doi.org/10.1145/6110.214406">Suzuki and Kasami, ACM TOCS 3(4), 1985</a>
 */
public final class SuzukiKasami implements Mutex<State, Message> {

    @WireTags({Message.Request.class, Message.Token.class})
    public sealed interface Message {
        record Request(long number) implements Message {}

        /**
         * @param served the number of the last granted request of n1, n2 …
         * @param queue the nodes that get the token next
         */
        record Token(List<Long> served, List<NodeId> queue) implements Message {
            private Message.Token serving(NodeId node) {
                return new Token(replaced(served, node, served(node) + 1), queue);
            }

            private Message.Token withQueue(List<NodeId> next) {
                return new Token(served, List.copyOf(next));
            }

            private long served(NodeId node) {
                return served.get(node.number() - 1);
            }

            private long entries() {
                return served.stream().mapToLong(Long::longValue).sum();
            }
        }
    }

    @WireTags({Phase.Holding.class, Phase.Idle.class, Phase.Resting.class, Phase.Waiting.class})
    public sealed interface Phase {
        record Idle() implements Phase {}

        record Waiting() implements Phase {}

        record Holding(Message.Token token) implements Phase {}

        record Resting(Message.Token token) implements Phase {}
    }

    /** @param asked the number of the latest request of n1, n2 … that this node has received */
    public record State(NodeId self, NodeSet peers, List<Long> asked, Phase phase) {
        private State in(Phase next) {
            return new State(self, peers, asked, next);
        }

        private State withRequest(NodeId node, long number) {
            return number <= asked(node) ? this : new State(self, peers, replaced(asked, node, number), phase);
        }

        private long asked(NodeId node) {
            return asked.get(node.number() - 1);
        }

        /** Whether the latest request of this node is not served yet. */
        private boolean isOpen(NodeId node, Message.Token token) {
            return asked(node) == token.served(node) + 1;
        }
    }

    private static List<Long> replaced(List<Long> numbers, NodeId node, long number) {
        var next = new ArrayList<>(numbers);
        next.set(node.number() - 1, number);
        return List.copyOf(next);
    }

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        var zeros = List.copyOf(Collections.nCopies(neighbourhood.neighbours().size() + 1, 0L));
        var token = new Message.Token(zeros, List.of());
        var phase = neighbourhood.self().number() == 1 ? new Phase.Resting(token) : new Phase.Idle();
        return to(new State(neighbourhood.self(), neighbourhood.peers(), zeros, phase));
    }

    @Override
    public Step<State, Message> acquire(State s) {
        var asking = s.withRequest(s.self, s.asked(s.self) + 1);
        return switch (s.phase) {
            case Phase.Resting(var token) -> enter(asking, token);
            case Phase.Idle() ->
                to(asking.in(new Phase.Waiting())).sendAll(s.peers, new Message.Request(asking.asked(s.self)));
            case Phase busy -> throw new ProtocolBug("acquire", s);
        };
    }

    @Override
    public Step<State, Message> release(State s) {
        if (!(s.phase instanceof Phase.Holding(var token))) {
            throw new ProtocolBug("release", s);
        }
        var queue = new ArrayList<>(token.queue());
        s.peers.toList().stream()
                .filter(node -> s.isOpen(node, token) && !queue.contains(node))
                .forEach(queue::add);
        return passToken(s, token.withQueue(queue));
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Request(var number) -> answer(s.withRequest(from, number), from);
            case Message.Token token when s.phase instanceof Phase.Waiting -> enter(s, token);
            case Message.Token second -> throw new ProtocolBug("a second token", s);
        };
    }

    private Step<State, Message> answer(State s, NodeId from) {
        return s.phase instanceof Phase.Resting(var token) && s.isOpen(from, token)
                ? passToken(s, token.withQueue(List.of(from)))
                : to(s);
    }

    private Step<State, Message> enter(State s, Message.Token token) {
        var mine = token.serving(s.self);
        return to(s.in(new Phase.Holding(mine))).grant(mine.entries());
    }

    private Step<State, Message> passToken(State s, Message.Token token) {
        var queue = token.queue();
        return queue.isEmpty()
                ? to(s.in(new Phase.Resting(token)))
                : to(s.in(new Phase.Idle())).send(queue.getFirst(), token.withQueue(queue.subList(1, queue.size())));
    }
}
