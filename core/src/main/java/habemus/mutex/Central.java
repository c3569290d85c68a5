package habemus.mutex;

import habemus.mutex.Central.Alarm;
import habemus.mutex.Central.Message;
import habemus.mutex.Central.State;
import habemus.protocol.Mutex;
import habemus.protocol.NodeId;
import habemus.protocol.Place;
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
        implements Mutex<State, Message>, Timed<State, Message, Alarm> {

    public static final NodeId COORDINATOR = new NodeId(1);

    @WireTags({Message.Ack.class, Message.Grant.class, Message.Release.class, Message.Request.class})
    public sealed interface Message {
        record Request() implements Message {}

        record Grant(long fence) implements Message {}

        record Release(long fence) implements Message {}

        record Ack() implements Message {}
    }

    /** The first is the holder's, the second the coordinator's. */
    public enum Alarm {
        GIVE_UP,
        LEASE_ENDS
    }

    @WireTags({Phase.Holding.class, Phase.Idle.class, Phase.Waiting.class})
    public sealed interface Phase {
        record Idle() implements Phase {}

        record Waiting() implements Phase {}

        record Holding(long fence) implements Phase {}
    }

    /** @param line who asked the coordinator and was not served yet; the first has the lock */
    public record Desk(List<NodeId> line, long fence) {
        private Desk joinedBy(NodeId node) {
            return new Desk(Stream.concat(line.stream(), Stream.of(node)).toList(), fence);
        }

        private boolean isHeldWith(long shown) {
            return fence == shown && !line.isEmpty();
        }
    }

    /** @param seen the highest fence that was granted to this node: whatever is not higher is an echo */
    public record State(Phase phase, long seen, Desk desk) {
        private State in(Phase next) {
            return new State(next, seen, desk);
        }

        private State seeing(long fence) {
            return new State(phase, fence, desk);
        }

        private State at(Desk next) {
            return new State(phase, seen, next);
        }
    }

    @Override
    public Step<State, Message> start(Place place) {
        return to(new State(new Phase.Idle(), 0, new Desk(List.of(), 0)));
    }

    @Override
    public Step<State, Message> acquire(State s) {
        ProtocolBug.unless(s.phase instanceof Phase.Idle, "acquire", s);
        return to(s.in(new Phase.Waiting())).send(COORDINATOR, new Message.Request());
    }

    @Override
    public Step<State, Message> release(State s) {
        return unset(Alarm.GIVE_UP, leave(s));
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Request() when s.desk.line.isEmpty() -> serve(s.at(s.desk.joinedBy(from)));
            case Message.Request() -> to(s.at(s.desk.joinedBy(from)));
            case Message.Grant(var fence) when fence <= s.seen -> to(s);
            case Message.Grant(var fence) when s.phase instanceof Phase.Waiting -> enter(s.seeing(fence));
            case Message.Grant(var unasked) -> to(s.seeing(unasked)).send(from, new Message.Release(unasked));
            case Message.Release(var fence) -> acknowledged(s.desk.isHeldWith(fence) ? next(s) : to(s), from);
            case Message.Ack() -> to(s);
        };
    }

    @Override
    public Step<State, Message> elapsed(State s, Alarm alarm) {
        return switch (alarm) {
            case GIVE_UP -> leave(s).lost();
            case LEASE_ENDS -> next(s);
        };
    }

    private Step<State, Message> enter(State s) {
        var inside = to(s.in(new Phase.Holding(s.seen))).grant(s.seen);
        return set(Alarm.GIVE_UP, lease.dividedBy(2), inside);
    }

    private Step<State, Message> leave(State s) {
        ProtocolBug.unless(s.phase instanceof Phase.Holding, "leaving", s);
        return to(s.in(new Phase.Idle())).send(COORDINATOR, new Message.Release(s.seen));
    }

    private Step<State, Message> next(State s) {
        var rest = s.at(new Desk(s.desk.line.stream().skip(1).toList(), s.desk.fence));
        return rest.desk.line.isEmpty() ? unset(Alarm.LEASE_ENDS, to(rest)) : serve(rest);
    }

    private Step<State, Message> serve(State s) {
        var desk = new Desk(s.desk.line, s.desk.fence + 1);
        var first = desk.line.getFirst();
        return set(Alarm.LEASE_ENDS, lease, to(s.at(desk)).send(first, new Message.Grant(desk.fence)));
    }

    private Step<State, Message> set(Alarm alarm, Duration after, Step<State, Message> step) {
        return lease.isZero() ? step : step.wake(alarm, after);
    }

    private Step<State, Message> unset(Alarm alarm, Step<State, Message> step) {
        return lease.isZero() ? step : step.calm(alarm);
    }

    private Step<State, Message> acknowledged(Step<State, Message> step, NodeId to) {
        return acknowledge ? step.send(to, new Message.Ack()) : step;
    }
}
