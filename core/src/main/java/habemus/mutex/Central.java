package habemus.mutex;

import habemus.mutex.Central.Message;
import habemus.mutex.Central.State;
import habemus.mutex.Central.Timer;
import habemus.protocol.Mutex;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.protocol.WireTags;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Ask the coordinator, n1, who lets in one after the other in the order of their requests.
 *
 * <pre>
 *   ·       ── start ───▶ Idle
 *   Idle    ── acquire ─▶ Waiting
 *   Waiting ── Grant ───▶ Holding
 *   Holding ── release ─▶ Idle
 *   Holding ── GIVE_UP ─▶ Idle     half of the lease is over
 * </pre>
 *
 * <p>Costs 3 messages an entry, 4 if acknowledged, and none at the coordinator. Survives messages in any order, and
 * twice; when one is lost, or the coordinator or the holder crashes, others wait for ever, but never two get in. With a
 * lease it goes on when a holder crashes; that never two get in then takes Grants that are faster than half of the
 * lease, and holders that do not stand still.
 *
 * @param lease after which the coordinator takes the lock back, whatever became of the holder; zero for never
 * @param acknowledge whether the coordinator answers a Release
 * @see <a href="https://doi.org/10.1145/74850.74870">Gray and Cheriton, SOSP 1989 (leases)</a>
 */
public record Central(Duration lease, boolean acknowledge)
        implements Mutex<State, Message>, Timed<State, Message, Timer> {

    public static final NodeId COORDINATOR = new NodeId(1);

    @WireTags({Message.Ack.class, Message.Grant.class, Message.Release.class, Message.Request.class})
    public sealed interface Message {
        record Request() implements Message {}

        record Grant(long fence) implements Message {}

        record Release(long fence) implements Message {}

        record Ack() implements Message {}
    }

    /** The first is the holder's, the second the coordinator's. */
    public enum Timer {
        HOLDER_EXPIRY,
        LEASE_EXPIRY
    }

    @WireTags({Phase.Holding.class, Phase.Idle.class, Phase.Waiting.class})
    public sealed interface Phase {
        record Idle() implements Phase {}

        record Waiting() implements Phase {}

        record Holding(long fence) implements Phase {}
    }

    /** @param queue who asked the coordinator and was not served yet; the first has the lock */
    public record Coordinator(List<NodeId> queue, long fence) {
        private Coordinator withWaiter(NodeId node) {
            return new Coordinator(
                    Stream.concat(queue.stream(), Stream.of(node)).toList(), fence);
        }

        private boolean isHeldWith(long shown) {
            return fence == shown && !queue.isEmpty();
        }
    }

    /** @param lastFence the highest fence that was granted to this node: whatever is not higher is an echo */
    public record State(Phase phase, long lastFence, Coordinator coordinator) {
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
        return cancelTimer(Timer.HOLDER_EXPIRY, leave(s));
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Request()
            when s.coordinator.queue.isEmpty() -> grantFirst(s.withCoordinator(s.coordinator.withWaiter(from)));
            case Message.Request() -> to(s.withCoordinator(s.coordinator.withWaiter(from)));
            case Message.Grant(var fence) when fence <= s.lastFence -> to(s);
            case Message.Grant(var fence) when s.phase instanceof Phase.Waiting -> enter(s.withLastFence(fence));
            case Message.Grant(var unasked) -> to(s.withLastFence(unasked)).send(from, new Message.Release(unasked));
            case Message.Release(var fence) ->
                acknowledged(s.coordinator.isHeldWith(fence) ? grantNext(s) : to(s), from);
            case Message.Ack() -> to(s);
        };
    }

    @Override
    public Step<State, Message> timeout(State s, Timer timer) {
        return switch (timer) {
            case HOLDER_EXPIRY -> leave(s).lost();
            case LEASE_EXPIRY -> grantNext(s);
        };
    }

    private Step<State, Message> enter(State s) {
        var inside = to(s.in(new Phase.Holding(s.lastFence))).grant(s.lastFence);
        return setTimer(Timer.HOLDER_EXPIRY, lease.dividedBy(2), inside);
    }

    private Step<State, Message> leave(State s) {
        ProtocolBug.unless(s.phase instanceof Phase.Holding, "leaving", s);
        return to(s.in(new Phase.Idle())).send(COORDINATOR, new Message.Release(s.lastFence));
    }

    private Step<State, Message> grantNext(State s) {
        var rest = s.withCoordinator(
                new Coordinator(s.coordinator.queue.stream().skip(1).toList(), s.coordinator.fence));
        return rest.coordinator.queue.isEmpty() ? cancelTimer(Timer.LEASE_EXPIRY, to(rest)) : grantFirst(rest);
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
