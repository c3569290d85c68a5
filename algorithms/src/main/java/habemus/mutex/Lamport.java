package habemus.mutex;

import habemus.mutex.Lamport.Message;
import habemus.mutex.Lamport.State;
import habemus.protocol.Mutex;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Stamp;
import habemus.protocol.Step;
import habemus.protocol.WireTags;
import java.util.List;
import java.util.stream.Stream;

/**
 * Every node keeps the same queue of requests. A node enters when its request is first and no older one is in flight.
 *
 * <p>A node sends its request to all peers. Each of them queues it by its Lamport timestamp, and acknowledges it with a
 * later timestamp. The holder sends its Release to all peers.
 *
 * <pre>
 *   ·       ── start ───▶ Idle
 *   Idle    ── acquire ─▶ Waiting, Holding     Holding: there are no peers
 *   Waiting ── Ack ─────▶ Holding     the last missing one, if our request is the oldest
 *   Waiting ── Release ─▶ Holding     of the last older request, if all peers have acknowledged
 *   Holding ── release ─▶ Idle
 * </pre>
 *
 * <p>Costs 3(n-1) messages an entry. Survives delays and pauses, no crash. Assumes that every message arrives exactly
 * once, and that each link delivers in FIFO order.
 *
 * @see <a href="https://doi.org/10.1145/359545.359563">Lamport, CACM 21(7), 1978</a>
 */
public final class Lamport implements Mutex<State, Message> {

    @WireTags({Message.Ack.class, Message.Release.class, Message.Request.class})
    public sealed interface Message {
        record Request(Stamp stamp) implements Message {}

        record Ack(long clock) implements Message {}

        record Release(long clock) implements Message {}
    }

    @WireTags({Phase.Holding.class, Phase.Idle.class, Phase.Waiting.class})
    public sealed interface Phase {
        record Idle() implements Phase {}

        /** @param silent the peers that have not acknowledged our request yet */
        record Waiting(Stamp mine, NodeSet silent) implements Phase {}

        record Holding(Stamp mine) implements Phase {}
    }

    /** @param queue the requests that are not released yet, oldest first; at most one of each node */
    public record State(NodeId self, NodeSet peers, long clock, List<Stamp> queue, Phase phase) {
        /** Advances the clock beyond {@code time}. */
        private State after(long time) {
            return new State(self, peers, Math.max(clock, time) + 1, queue, phase);
        }

        private State in(Phase next) {
            return new State(self, peers, clock, queue, next);
        }

        private State with(Stamp request) {
            return withQueue(Stream.concat(queue.stream(), Stream.of(request)).sorted());
        }

        private State without(NodeId node) {
            return withQueue(queue.stream().filter(request -> !request.node().equals(node)));
        }

        private State withQueue(Stream<Stamp> next) {
            return new State(self, peers, clock, next.toList(), phase);
        }
    }

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return to(new State(neighbourhood.self(), neighbourhood.peers(), 0, List.of(), new Phase.Idle()));
    }

    @Override
    public Step<State, Message> acquire(State s) {
        ProtocolBug.unless(s.phase instanceof Phase.Idle, "acquire", s);
        var requesting = s.after(s.clock);
        var mine = new Stamp(requesting.clock, s.self);
        return enterIfFirst(requesting.with(mine).in(new Phase.Waiting(mine, s.peers)))
                .sendAll(s.peers, new Message.Request(mine));
    }

    @Override
    public Step<State, Message> release(State s) {
        ProtocolBug.unless(s.phase instanceof Phase.Holding, "release", s);
        var idle = s.after(s.clock).without(s.self).in(new Phase.Idle());
        return to(idle).sendAll(s.peers, new Message.Release(idle.clock));
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Request(var theirs) ->
                acknowledge(s.after(theirs.time()).with(theirs), from);
            case Message.Ack(var clock) -> enterIfFirst(acknowledgedBy(s.after(clock), from));
            case Message.Release(var clock) -> enterIfFirst(s.after(clock).without(from));
        };
    }

    private Step<State, Message> acknowledge(State s, NodeId from) {
        return to(s).send(from, new Message.Ack(s.clock));
    }

    private static State acknowledgedBy(State s, NodeId from) {
        if (!(s.phase instanceof Phase.Waiting(var mine, var silent) && silent.contains(from))) {
            throw new ProtocolBug("Ack from " + from, s);
        }
        return s.in(new Phase.Waiting(mine, silent.without(from)));
    }

    private Step<State, Message> enterIfFirst(State s) {
        return s.phase instanceof Phase.Waiting(var mine, var silent)
                        && silent.isEmpty()
                        && s.queue.getFirst().equals(mine)
                ? to(s.in(new Phase.Holding(mine))).grant(mine.asFence())
                : to(s);
    }
}
