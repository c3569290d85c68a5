package habemus.mutex;

import habemus.mutex.Central.Message;
import habemus.mutex.Central.State;
import habemus.mutex.Central.Timer;
import habemus.protocol.MembershipAware;
import habemus.protocol.Mutex;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NotedState;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.protocol.WireTags;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * A coordinator, n1, grants the lock in the order of the requests.
 *
 * <pre>
 *   ·       ── start, join ───▶ Idle
 *   Idle    ── acquire ───────▶ Waiting
 *   Waiting ── Grant ─────────▶ Holding
 *   Holding ── release ───────▶ Idle
 *   Holding ── HOLDER_EXPIRY ─▶ Idle     half of the lease is over
 * </pre>
 *
 * <p>If a node leaves, the coordinator frees the lock that it holds, and its place in the queue. The coordinator itself
 * cannot leave.
 *
 * <p>Costs 3 messages an entry, 4 with acknowledgements; entries of the coordinator itself are free. Survives
 * reordering and duplication. If a message is lost, or the coordinator or the holder crashes, the other nodes wait for
 * ever, but exclusion holds. With a lease the lock becomes free again after a crash of the holder. Exclusion then
 * assumes that a Grant takes less than half of the lease, and that holders are not paused.
 *
 * @param lease after this time the coordinator revokes the lock, even from a live holder; zero for never
 * @param acknowledge whether the coordinator answers a Release with an Ack
 * @see <a href="https://doi.org/10.1145/74850.74870">Gray and Cheriton, SOSP 1989 (leases)</a>
 */
public record Central(Duration lease, boolean acknowledge)
        implements Mutex<State, Message>, Timed<State, Message, Timer>, MembershipAware<State, Message> {

    public static final NodeId COORDINATOR = new NodeId(1);

    @WireTags({Message.Ack.class, Message.Grant.class, Message.Release.class, Message.Request.class})
    public sealed interface Message {
        record Request() implements Message {}

        record Grant(long fence) implements Message {}

        record Release(long fence) implements Message {}

        record Ack() implements Message {}
    }

    public enum Timer {
        /** At the holder: it gives the lock back before the coordinator revokes it. */
        HOLDER_EXPIRY,
        /** At the coordinator: it revokes the lock. */
        LEASE_EXPIRY
    }

    @WireTags({Phase.Holding.class, Phase.Idle.class, Phase.Waiting.class})
    public sealed interface Phase {
        record Idle() implements Phase {}

        record Waiting() implements Phase {}

        record Holding(long fence) implements Phase {}
    }

    /**
     * What the coordinator knows; unused at the other nodes.
     *
     * @param queue the holder, and after it the waiting nodes
     * @param fence of the latest grant
     */
    public record Coordinator(List<NodeId> queue, long fence) {
        private Coordinator withWaiter(NodeId node) {
            return new Coordinator(
                    Stream.concat(queue.stream(), Stream.of(node)).toList(), fence);
        }

        private Coordinator without(NodeId node) {
            return new Coordinator(
                    queue.stream().filter(other -> !other.equals(node)).toList(), fence);
        }

        private boolean isHeldBy(NodeId node) {
            return !queue.isEmpty() && queue.getFirst().equals(node);
        }

        private boolean isHeldWith(long holderFence) {
            return fence == holderFence && !queue.isEmpty();
        }
    }

    /** @param lastFence the highest fence that was granted to this node: a Grant that is not higher is a duplicate */
    public record State(Phase phase, long lastFence, Coordinator coordinator) implements NotedState {
        @Override
        public String note(NodeId self) {
            return self.equals(COORDINATOR) ? NotedState.describe(coordinator.queue) : "";
        }

        private State in(Phase next) {
            return new State(next, lastFence, coordinator);
        }

        private State withLastFence(long fence) {
            return new State(phase, fence, coordinator);
        }

        private State withCoordinator(Coordinator next) {
            return new State(phase, lastFence, next);
        }
    }

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return to(new State(new Phase.Idle(), 0, new Coordinator(List.of(), 0)));
    }

    @Override
    public Step<State, Message> acquire(State s) {
        ProtocolBug.unless(s.phase instanceof Phase.Idle, "acquire", s);
        return to(s.in(new Phase.Waiting())).send(COORDINATOR, new Message.Request());
    }

    @Override
    public Step<State, Message> release(State s) {
        return cancelTimer(Timer.HOLDER_EXPIRY, exit(s));
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Request()
            when s.coordinator.queue.isEmpty() -> grantFirst(s.withCoordinator(s.coordinator.withWaiter(from)));
            case Message.Request() -> to(s.withCoordinator(s.coordinator.withWaiter(from)));
            case Message.Grant(var fence) when fence <= s.lastFence -> to(s);
            case Message.Grant(var fence) when s.phase instanceof Phase.Waiting -> enter(s.withLastFence(fence));
            case Message.Grant(var unused) -> to(s.withLastFence(unused)).send(from, new Message.Release(unused));
            case Message.Release(var fence) ->
                acknowledged(s.coordinator.isHeldWith(fence) ? grantNext(s) : to(s), from);
            case Message.Ack() -> to(s);
        };
    }

    @Override
    public Step<State, Message> timeout(State s, Timer timer) {
        return switch (timer) {
            case HOLDER_EXPIRY -> exit(s).lost();
            case LEASE_EXPIRY -> grantNext(s);
        };
    }

    @Override
    public boolean mayLeave(NodeId node) {
        return !node.equals(COORDINATOR);
    }

    @Override
    public Step<State, Message> joined(State s, NodeId peer, long view) {
        return to(s);
    }

    @Override
    public Step<State, Message> left(State s, NodeId peer, long view) {
        var others = s.withCoordinator(s.coordinator.without(peer));
        return s.coordinator.isHeldBy(peer) ? grantFirstOf(others) : to(others);
    }

    private Step<State, Message> enter(State s) {
        var holding = to(s.in(new Phase.Holding(s.lastFence))).grant(s.lastFence);
        return setTimer(Timer.HOLDER_EXPIRY, lease.dividedBy(2), holding);
    }

    private Step<State, Message> exit(State s) {
        ProtocolBug.unless(s.phase instanceof Phase.Holding, "release", s);
        return to(s.in(new Phase.Idle())).send(COORDINATOR, new Message.Release(s.lastFence));
    }

    private Step<State, Message> grantNext(State s) {
        var waiters = s.coordinator.queue.stream().skip(1).toList();
        return grantFirstOf(s.withCoordinator(new Coordinator(waiters, s.coordinator.fence)));
    }

    private Step<State, Message> grantFirstOf(State s) {
        return s.coordinator.queue.isEmpty() ? cancelTimer(Timer.LEASE_EXPIRY, to(s)) : grantFirst(s);
    }

    private Step<State, Message> grantFirst(State s) {
        var coordinator = new Coordinator(s.coordinator.queue, s.coordinator.fence + 1);
        var first = coordinator.queue.getFirst();
        return setTimer(
                Timer.LEASE_EXPIRY,
                lease,
                to(s.withCoordinator(coordinator)).send(first, new Message.Grant(coordinator.fence)));
    }

    private Step<State, Message> setTimer(Timer timer, Duration after, Step<State, Message> step) {
        return lease.isZero() ? step : step.setTimer(timer, after);
    }

    private Step<State, Message> cancelTimer(Timer timer, Step<State, Message> step) {
        return lease.isZero() ? step : step.cancelTimer(timer);
    }

    private Step<State, Message> acknowledged(Step<State, Message> step, NodeId to) {
        return acknowledge ? step.send(to, new Message.Ack()) : step;
    }
}
