package habemus.mutex;

import habemus.mutex.Quorum.DurableState;
import habemus.mutex.Quorum.Message;
import habemus.mutex.Quorum.State;
import habemus.mutex.Quorum.Timer;
import habemus.protocol.Durable;
import habemus.protocol.Mutex;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.NotedState;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.protocol.WireTags;
import java.time.Duration;

/**
 * Request grants from all coordinators; enter with the grants of a majority.
 *
 * <p>A coordinator grants one request at a time and queues the others. If a node has too few grants after
 * {@code retryTimeout}, it returns them and waits for a random time. Then it sends a new request with a higher number.
 * Every message carries the highest fence that its sender knows. Two majorities share a coordinator, so fences grow.
 *
 * <pre>
 *   ·          ── start ───▶ Idle
 *   Idle       ── acquire ─▶ Asking
 *   Asking     ── Grant ───▶ Holding     the grant that completes the majority
 *   Asking     ── RETRY ───▶ BackingOff
 *   BackingOff ── RETRY ───▶ Asking
 *   Holding    ── release ─▶ Idle
 * </pre>
 *
 * <p>Costs 3 messages an entry and coordinator, without contention. Exclusion survives loss, delay, duplication and
 * crashes. If a coordinator restarts and has forgotten its grant, two nodes may enter, unless {@code durable} is on.
 * Progress assumes that no message is lost, no node crashes, and replies arrive within {@code retryTimeout}.
 *
 * @param numbers of the requests; with a limit, an endless run has finitely many states
 * @param durable whether a coordinator writes a grant to disk before it sends the grant
 * @param retryTimeout the timeout of an attempt
 * @param delayedRestart how long a coordinator that restarted without its grants grants nothing
 * @see <a href="https://doi.org/10.1007/978-3-540-30183-7_2">Lin, Lian, Chen and Zhang, IPTPS 2004</a>
 */
public record Quorum(
        MajorityQuorum majority,
        RequestNumbers numbers,
        boolean durable,
        Duration retryTimeout,
        Duration delayedRestart)
        implements Mutex<State, Message>, Timed<State, Message, Timer>, Durable<State, Message, DurableState> {

    @WireTags({Message.Grant.class, Message.Release.class, Message.Request.class})
    public sealed interface Message {
        record Request(long number, long fence) implements Message {}

        record Grant(long number, long fence) implements Message {}

        record Release(long number, long fence) implements Message {}
    }

    public enum Timer {
        /** Ends an attempt, and then the back-off. */
        RETRY,
        /** Ends the delay of a restarted coordinator. */
        RESUME_GRANTING
    }

    @WireTags({Phase.Asking.class, Phase.BackingOff.class, Phase.Holding.class, Phase.Idle.class})
    public sealed interface Phase {
        record Idle() implements Phase {}

        record Asking(NodeSet granted) implements Phase {}

        record BackingOff() implements Phase {}

        record Holding() implements Phase {}
    }

    /**
     * @param number of our last request
     * @param fence the highest fence that we know
     * @param queue the requests for our own grant
     */
    public record DurableState(long number, long fence, GrantQueue queue) {}

    public record State(NodeSet coordinators, Phase phase, DurableState stored) implements NotedState {
        @Override
        public String note(NodeId self) {
            return coordinators.contains(self) ? stored.queue.describe() : "";
        }

        private State in(Phase next) {
            return new State(coordinators, next, stored);
        }

        private State with(long number, long fence, GrantQueue queue) {
            return new State(coordinators, phase, new DurableState(number, Math.max(stored.fence, fence), queue));
        }
    }

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return to(new State(
                majority.coordinators(neighbourhood), new Phase.Idle(), new DurableState(0, 0, GrantQueue.EMPTY)));
    }

    @Override
    public DurableState durableState(State s) {
        return durable ? s.stored : new DurableState(s.stored.number, 0, GrantQueue.EMPTY);
    }

    /**
     * Our own request ends with the crash. We send our grant to its owner again: the owner may have returned the grant
     * while we were down, and then returns it once more.
     */
    @Override
    public Step<State, Message> restart(Neighbourhood neighbourhood, DurableState durableState) {
        var restarted = start(neighbourhood).state().with(durableState.number, durableState.fence, GrantQueue.EMPTY);
        return durable || delayedRestart.isZero()
                ? returnGrants(restarted).then(s -> serve(s, durableState.queue, durableState.fence))
                : returnGrants(restarted.with(durableState.number, 0, GrantQueue.blockedBy(neighbourhood.self())))
                        .setTimer(Timer.RESUME_GRANTING, delayedRestart);
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
        var queue = s.stored.queue;
        return switch (message) {
            case Message.Request(var number, var fence) -> serve(s, queue.with(from, number, numbers), fence);
            case Message.Release(var number, var fence) -> serve(s, queue.without(from, number, numbers), fence);
            case Message.Grant(var number, var fence) -> count(s.with(s.stored.number, fence, queue), from, number);
        };
    }

    @Override
    public Step<State, Message> timeout(State s, Timer timer) {
        return switch (timer) {
            case RESUME_GRANTING -> serve(s, s.stored.queue.withoutFirst(), 0);
            case RETRY -> s.phase instanceof Phase.Asking ? backOff(s) : ask(s);
        };
    }

    private Step<State, Message> ask(State s) {
        long number = numbers.next(s.stored.number);
        return to(s.with(number, 0, s.stored.queue).in(new Phase.Asking(NodeSet.NONE)))
                .setTimer(Timer.RETRY, retryTimeout)
                .sendAll(s.coordinators, new Message.Request(number, s.stored.fence));
    }

    private Step<State, Message> returnGrants(State s) {
        return to(s).sendAll(s.coordinators, new Message.Release(s.stored.number, s.stored.fence));
    }

    /** Grants to the first in the queue, unless it was the first before. */
    private Step<State, Message> serve(State s, GrantQueue queue, long fence) {
        var next = s.with(s.stored.number, fence, queue);
        return queue.newFirst(s.stored.queue)
                .map(first -> to(next).send(first.node(), new Message.Grant(first.number(), next.stored.fence)))
                .orElse(to(next));
    }

    private Step<State, Message> count(State s, NodeId from, long number) {
        if (number != s.stored.number || !(s.phase instanceof Phase.Asking(var granted))) {
            boolean isExtra = number == s.stored.number && s.phase instanceof Phase.Holding; // returned by our release
            return isExtra ? to(s) : to(s).send(from, new Message.Release(number, s.stored.fence));
        }
        long fence = s.stored.fence + 1;
        return majority.isReached(granted.with(from), s.coordinators)
                ? to(s.with(number, fence, s.stored.queue).in(new Phase.Holding()))
                        .cancelTimer(Timer.RETRY)
                        .grant(fence)
                : to(s.in(new Phase.Asking(granted.with(from))));
    }

    private Step<State, Message> backOff(State s) {
        return returnGrants(s.in(new Phase.BackingOff()))
                .setTimer(Timer.RETRY, Duration.ZERO, retryTimeout.multipliedBy(4));
    }
}
