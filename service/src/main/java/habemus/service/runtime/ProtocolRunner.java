package habemus.service.runtime;

import static java.util.Objects.requireNonNull;

import habemus.concurrent.EventLoop;
import habemus.protocol.Effect;
import habemus.protocol.EffectExecutor;
import habemus.protocol.Event;
import habemus.protocol.FailureAware;
import habemus.protocol.MembershipAware;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.service.trace.RecordedStep;
import habemus.service.trace.RecordedStep.Arrival;
import habemus.service.trace.StepRecorder;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Runs one protocol instance on a real node, one event at a time. Only on the event loop.
 *
 * <p>For each event it takes the step, saves the durable state, records the step in the trace, and then executes the
 * effects in order. So no other node learns of a step that this node may forget.
 */
public final class ProtocolRunner<S, M> {

    /** Executes the effects that leave the protocol. */
    public interface EffectHandler<M> {

        /** @param number larger than that of every earlier message of this runner */
        void send(NodeId to, long number, M message);

        /** @param effect a Grant, Elected, Lost, Suspect or Restore */
        void onNotified(Effect<M> effect);

        /** A step or the disk has failed. The runner has stopped, and executes no effect of that step. */
        void onFailed(RuntimeException cause, Object state);
    }

    private final Protocol<S, M> protocol;
    private final Neighbourhood neighbourhood;
    private final EffectHandler<M> effectHandler;
    private final StepRecorder<S, M> stepRecorder;
    private final DurableStateStore<S, M> durableStateStore;
    private final Clock clock = Clock.systemUTC();
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final LoopTimers timers;
    private final EffectExecutor<M> effectExecutor = new EffectExecutor<>(new Environment());
    private NodeSet suspected = NodeSet.NONE;
    private @Nullable S state;
    private long nextMessageNumber = 1;
    private boolean hasLeft;
    private boolean isRunning;
    private boolean isStopped;

    /** @param neighbourhood of this node in the first view */
    public ProtocolRunner(
            Protocol<S, M> protocol,
            Neighbourhood neighbourhood,
            EffectHandler<M> effectHandler,
            Persistence<S, M> persistence,
            EventLoop loop) {
        this.protocol = protocol;
        this.neighbourhood = neighbourhood;
        this.effectHandler = effectHandler;
        durableStateStore = persistence.durableStateStore();
        stepRecorder = persistence.stepRecorder();
        timers = new LoopTimers(loop, timer -> run(() -> fire(timer)));
    }

    private void fire(Enum<?> timer) {
        if (!hasLeft) {
            handle(new Event.Timeout<>(timer));
        }
    }

    /** What a runner keeps on disk. */
    public record Persistence<S, M>(DurableStateStore<S, M> durableStateStore, StepRecorder<S, M> stepRecorder) {}

    /**
     * The view in which a protocol instance starts.
     *
     * @param joins whether it starts as a new member of a running system
     */
    public record StartView(Neighbourhood neighbourhood, long view, boolean joins) {}

    /** Starts the protocol in the first view, with its durable state if there is one. */
    public void start() {
        start(new StartView(neighbourhood, 0, false));
    }

    /** Starts the protocol, with its durable state if there is one. */
    public void start(StartView startView) {
        submit(() -> startProtocol(startView));
    }

    /**
     * Runs a task at once, or after the current one. After a pause of the process, urgent timers that have expired fire
     * before the messages that have arrived.
     */
    public void submit(Runnable task) {
        run(() -> {
            for (var timer = expiredUrgentTimer(); timer.isPresent(); timer = expiredUrgentTimer()) {
                handle(new Event.Timeout<>(timer.get()));
            }
            task.run();
        });
    }

    private Optional<Enum<?>> expiredUrgentTimer() {
        return protocol instanceof Timed<S, M, ?> timed && !hasLeft
                ? timers.pollExpired(timed::isUrgent)
                : Optional.empty();
    }

    private void run(Runnable task) {
        tasks.add(task);
        if (isRunning) {
            return;
        }
        isRunning = true;
        try {
            for (var next = tasks.poll(); next != null && !isStopped; next = tasks.poll()) {
                next.run();
            }
        } catch (RuntimeException cause) {
            close();
            effectHandler.onFailed(cause, state == null ? "none yet" : state);
        } finally {
            isRunning = false;
        }
    }

    /** Handles an event of the application. Only in a task. */
    public void handle(Event<M> event) {
        handle(event, Arrival.NONE);
    }

    public void receive(NodeId from, M message, Arrival arrival) {
        submit(() ->
                handle(hasLeft ? new Event.Forward<>(from, message) : new Event.Received<>(from, message), arrival));
    }

    /** A peer has joined or left. The protocol must be {@link habemus.protocol.MembershipAware}. */
    public void changeView(Event<M> joinedOrLeft) {
        submit(() -> {
            if (joinedOrLeft instanceof Event.Left<M>(var peer, var view)) {
                suspected = suspected.without(peer);
            }
            handle(joinedOrLeft);
        });
    }

    /** This node leaves. From now on it only forwards. */
    public void leave() {
        submit(() -> {
            if (!hasLeft) {
                handle(new Event.Leave<>());
                hasLeft = true;
            }
        });
    }

    /** The failure detector suspects a peer, or no longer does. */
    public void setSuspected(NodeId peer, boolean isSuspected) {
        submit(() -> {
            if (protocol instanceof FailureAware && !hasLeft && suspected.contains(peer) != isSuspected) {
                suspected = isSuspected ? suspected.with(peer) : suspected.without(peer);
                handle(isSuspected ? new Event.Suspect<>(peer) : new Event.Restore<>(peer), Arrival.NONE);
            }
        });
    }

    /** Records in the trace that the node is up. */
    public void recordAlive() {
        submit(() -> stepRecorder.write(new RecordedStep.Alive<>(now())));
    }

    /** Stops. Later tasks and timers have no effect. */
    public void stop() {
        submit(() -> {
            stepRecorder.write(new RecordedStep.Stopped<>(now()));
            close();
        });
    }

    private void close() {
        isStopped = true;
        tasks.clear();
        stepRecorder.close();
    }

    /** The current state. */
    public S state() {
        return requireNonNull(state);
    }

    private void startProtocol(StartView startView) {
        var step = durableStateStore.restart(startView.neighbourhood).orElseGet(() -> firstStep(startView));
        execute(step, at -> started(startView, at, step));
        drainLocalEvents();
    }

    private Step<S, M> firstStep(StartView startView) {
        return startView.joins && protocol instanceof MembershipAware<S, M> aware
                ? aware.join(startView.neighbourhood, startView.view)
                : protocol.start(startView.neighbourhood);
    }

    private RecordedStep<S, M> started(StartView startView, long at, Step<S, M> step) {
        var loaded = durableStateStore.loadedBytes();
        return startView.neighbourhood.equals(neighbourhood) && !startView.joins
                ? new RecordedStep.Started<>(at, loaded, step.state(), step.effects(), nextMessageNumber)
                : new RecordedStep.StartedInView<>(
                        at,
                        startView.neighbourhood.peers(),
                        startView.view,
                        startView.joins && loaded.size() == 0,
                        loaded,
                        step.state(),
                        step.effects(),
                        nextMessageNumber);
    }

    private void handle(Event<M> event, Arrival arrival) {
        step(event, arrival);
        drainLocalEvents();
    }

    private void step(Event<M> event, Arrival arrival) {
        var step = tryStep(event, arrival);
        execute(
                step,
                at -> new RecordedStep.Stepped<>(at, event, arrival, step.state(), step.effects(), nextMessageNumber));
    }

    private Step<S, M> tryStep(Event<M> event, Arrival arrival) {
        try {
            return protocol.step(state(), event);
        } catch (RuntimeException bug) {
            stepRecorder.write(new RecordedStep.StepFailed<>(now(), event, arrival, String.valueOf(bug.getMessage())));
            throw bug;
        }
    }

    private void drainLocalEvents() {
        for (var event = nextLocalEvent(); event != null; event = nextLocalEvent()) {
            step(event, Arrival.NONE);
        }
    }

    private @Nullable Event<M> nextLocalEvent() {
        return effectExecutor.nextLocalEvent(neighbourhood.self(), state());
    }

    private void execute(Step<S, M> step, LongFunction<RecordedStep<S, M>> recordedStep) {
        durableStateStore.save(step.state());
        state = step.state();
        stepRecorder.write(recordedStep.apply(now()));
        effectExecutor.execute(neighbourhood.self(), step.effects());
    }

    private final class Environment implements EffectExecutor.Environment<M> {
        @Override
        public void send(int to, M message) {
            effectHandler.send(new NodeId(to), nextMessageNumber++, message);
        }

        @Override
        public void setTimer(Effect.SetTimer<M> setTimer) {
            long nanos = ThreadLocalRandom.current()
                    .nextLong(setTimer.atLeast().toNanos(), setTimer.atMost().toNanos() + 1);
            timers.set(setTimer.timer(), Duration.ofNanos(nanos));
        }

        @Override
        public void cancelTimer(Enum<?> timer) {
            timers.cancel(timer);
        }

        @Override
        public int draw(int bound) {
            return ThreadLocalRandom.current().nextInt(bound);
        }

        @Override
        public void notifyApplication(Effect<M> effect) {
            effectHandler.onNotified(effect);
        }
    }

    private long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
    }
}
