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
 * Tell everybody that you want the token; the token knows whose wishes were served, and so who still waits.
 *
 * <p>Requests of a node are numbered, and everybody keeps the highest number it has heard from each. Whoever leaves
 * appends to the token's queue those whose latest request is one more than the token has served, and sends it to the
 * first of them; if there is none it keeps the token. n1 has it at the start.
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
 * <p>Costs n messages an entry, and none if the token is here. Survives messages in any order, and requests that arrive
 * twice; the token must not. When it is lost nobody gets in any more, but never two.
 *
 * @see <a href="https://doi.org/10.1145/6110.214406">Suzuki and Kasami, ACM TOCS 3(4), 1985</a>
 */
public final class SuzukiKasami implements Mutex<State, Message> {

    @WireTags({Message.Request.class, Message.Token.class})
    public sealed interface Message {
        record Request(long number) implements Message {}

        /**
         * @param served the number of the last request of each node, in their order, that was granted
         * @param queue who gets it next
         */
        record Token(List<Long> served, List<NodeId> queue) implements Message {
            private Message.Token serving(NodeId node) {
                return new Token(replaced(served, node, served(node) + 1), queue);
            }

            private Message.Token queueing(List<NodeId> next) {
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

    /** @param asked the number of the latest request of each node that this one has heard of */
    public record State(NodeId self, NodeSet peers, List<Long> asked, Phase phase) {
        private State in(Phase next) {
            return new State(self, peers, asked, next);
        }

        private State hearing(NodeId node, long number) {
            return number <= asked(node) ? this : new State(self, peers, replaced(asked, node, number), phase);
        }

        private long asked(NodeId node) {
            return asked.get(node.number() - 1);
        }

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
        var none = List.copyOf(Collections.nCopies(neighbourhood.neighbours().size() + 1, 0L));
        var first = new Message.Token(none, List.of());
        var phase = neighbourhood.self().number() == 1 ? new Phase.Resting(first) : new Phase.Idle();
        return to(new State(neighbourhood.self(), neighbourhood.peers(), none, phase));
    }

    @Override
    public Step<State, Message> acquire(State s) {
        var asking = s.hearing(s.self, s.asked(s.self) + 1);
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
        return passToken(s, token.queueing(queue));
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Request(var number) -> answer(s.hearing(from, number), from);
            case Message.Token token when s.phase instanceof Phase.Waiting -> enter(s, token);
            case Message.Token second -> throw new ProtocolBug("a second token", s);
        };
    }

    private Step<State, Message> answer(State s, NodeId from) {
        return s.phase instanceof Phase.Resting(var token) && s.isOpen(from, token)
                ? passToken(s, token.queueing(List.of(from)))
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
                : to(s.in(new Phase.Idle())).send(queue.getFirst(), token.queueing(queue.subList(1, queue.size())));
    }
}
