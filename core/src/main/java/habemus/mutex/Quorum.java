package habemus.mutex;

import habemus.mutex.GrantQueue.GrantRequest;
import habemus.mutex.Quorum.DurableState;
import habemus.mutex.Quorum.Message;
import habemus.mutex.Quorum.State;
import habemus.mutex.Quorum.Timer;
import habemus.protocol.Durable;
import habemus.protocol.Mutex;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.protocol.WireTags;
import java.time.Duration;

/**
 * Ask all coordinators; enter with the grants of more than half.
 *
 * <p>A coordinator grants one request at a time and lets the others stand in line. Who has too few grants for too long
 * gives them back, waits for a random time, and asks again under a new number. Every message tells the highest fence
 * that its sender has heard of; two majorities share a coordinator, so fences grow.
 *
 * <pre>
 *   ·          ── start ───▶ Idle
 *   Idle       ── acquire ─▶ Asking
 *   Asking     ── Grant ───▶ Holding     the last one that it takes
 *   Asking     ── RETRY ───▶ BackingOff
 *   BackingOff ── RETRY ───▶ Asking
 *   Holding    ── release ─▶ Idle
 * </pre>
 *
 * <p>Costs 3 messages a coordinator, if nobody else asks. Stays exclusive whatever is lost, late or doubled, and if
 * nodes crash; but a coordinator that comes back has forgotten its grant and lets two in, unless it is {@code durable}.
 * Assumes, for anybody to get in, that nothing is lost, nobody crashes, and answers come within {@code patience}.
 *
 * @param durable whether a grant is on disk before it is sent
 * @param patience how long an attempt lasts
 * @param silence how long a coordinator that came back without its grants gives none
 * @see <a href="https://doi.org/10.1007/978-3-540-30183-7_2">Lin, Lian, Chen and Zhang, IPTPS 2004</a>
 */
public record Quorum(MajorityQuorum majorityQuorum, boolean durable, Duration patience, Duration silence)
        implements Mutex<State, Message>, Timed<State, Message, Timer>, Durable<State, Message, DurableState> {

    @WireTags({Message.Grant.class, Message.Release.class, Message.Request.class})
    public sealed interface Message {
        record Request(long number, long fence) implements Message {}

        record Grant(long number, long fence) implements Message {}

        record Release(long number, long fence) implements Message {}
    }

    public enum Timer {
        RETRY,
        RESUME_GRANTING
    }

    @WireTags({Phase.Asking.class, Phase.BackingOff.class, Phase.Holding.class, Phase.Idle.class})
    public sealed interface Phase {
        record Idle() implements Phase {}

        record Asking(NodeSet granted) implements Phase {}

        record BackingOff() implements Phase {}

        record Holding() implements Phase {}
    }

    /** The number of our last request, the highest fence that we have heard of, and who asked for our grant. */
    public record DurableState(long number, long fence, GrantQueue queue) {}

    public record State(NodeSet coordinators, Phase phase, DurableState durableState) {
        private State in(Phase next) {
            return new State(coordinators, next, durableState);
        }

        private State with(long number, long fence, GrantQueue line) {
            return new State(coordinators, phase, new DurableState(number, Math.max(durableState.fence, fence), line));
        }
    }

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return to(new State(
                majorityQuorum.coordinators(neighbourhood),
                new Phase.Idle(),
                new DurableState(0, 0, GrantQueue.EMPTY)));
    }

    @Override
    public DurableState durableState(State s) {
        return durable ? s.durableState : new DurableState(s.durableState.number, 0, GrantQueue.EMPTY);
    }

    /** What we asked for is over. Who had our grant is told again: it may have returned it while we were down. */
    @Override
    public Step<State, Message> restart(Neighbourhood neighbourhood, DurableState durableState) {
        var back = start(neighbourhood).state().with(durableState.number, durableState.fence, GrantQueue.EMPTY);
        return durable || silence.isZero()
                ? returnGrants(back).then(s -> serve(s, durableState.queue, durableState.fence))
                : returnGrants(back.with(durableState.number, 0, GrantQueue.blockedBy(neighbourhood.self())))
                        .setTimer(Timer.RESUME_GRANTING, silence);
    }

    @Override
    public Step<State, Message> acquire(State s) {
        ProtocolBug.unless(s.phase instanceof Phase.Idle, "acquire", s);
        return ask(s);
    }

    @Override
    public Step<State, Message> release(State s) {
        ProtocolBug.unless(s.phase instanceof Phase.Holding, "release", s);
        return returnGrants(s.in(new Phase.Idle()));
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        var line = s.durableState.queue;
        return switch (message) {
            case Message.Request(var number, var fence) -> serve(s, line.with(new GrantRequest(from, number)), fence);
            case Message.Release(var number, var fence) ->
                serve(s, line.without(new GrantRequest(from, number)), fence);
            case Message.Grant(var number, var fence) ->
                count(s.with(s.durableState.number, fence, line), from, number);
        };
    }

    @Override
    public Step<State, Message> timeout(State s, Timer timer) {
        return switch (timer) {
            case RESUME_GRANTING -> serve(s, s.durableState.queue.withoutFirst(), 0);
            case RETRY -> s.phase instanceof Phase.Asking ? backOff(s) : ask(s);
        };
    }

    private Step<State, Message> ask(State s) {
        long number = s.durableState.number + 1;
        return to(s.with(number, 0, s.durableState.queue).in(new Phase.Asking(NodeSet.NONE)))
                .setTimer(Timer.RETRY, patience)
                .sendAll(s.coordinators, new Message.Request(number, s.durableState.fence));
    }

    private Step<State, Message> returnGrants(State s) {
        return to(s).sendAll(s.coordinators, new Message.Release(s.durableState.number, s.durableState.fence));
    }

    private Step<State, Message> serve(State s, GrantQueue line, long fence) {
        var next = s.with(s.durableState.number, fence, line);
        return line.newFirst(s.durableState.queue)
                .map(first -> to(next).send(first.node(), new Message.Grant(first.number(), next.durableState.fence)))
                .orElse(to(next));
    }

    private Step<State, Message> count(State s, NodeId from, long number) {
        if (number != s.durableState.number || !(s.phase instanceof Phase.Asking(var granted))) {
            boolean inside =
                    number == s.durableState.number && s.phase instanceof Phase.Holding; // one more than it takes
            return inside ? to(s) : to(s).send(from, new Message.Release(number, s.durableState.fence));
        }
        long fence = s.durableState.fence + 1;
        return majorityQuorum.isReached(granted.with(from), s.coordinators)
                ? to(s.with(number, fence, s.durableState.queue).in(new Phase.Holding()))
                        .cancelTimer(Timer.RETRY)
                        .grant(fence)
                : to(s.in(new Phase.Asking(granted.with(from))));
    }

    private Step<State, Message> backOff(State s) {
        return returnGrants(s.in(new Phase.BackingOff()))
                .setTimer(Timer.RETRY, Duration.ZERO, patience.multipliedBy(4));
    }
}
