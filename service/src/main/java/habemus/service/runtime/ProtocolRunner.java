package habemus.service.runtime;

import static java.util.Objects.requireNonNull;

import habemus.protocol.Effect;
import habemus.protocol.EffectExecutor;
import habemus.protocol.Event;
import habemus.protocol.FailureAware;
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
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Runs one protocol instance on a real node, one event at a time, on a thread of its own.
 *
 * <p>For each event it takes the step, saves the durable state, records the step in the trace, and then executes the
 * effects in order. So no other node learns of a step that this node may forget.
 */
public final class ProtocolRunner<S, M> {

    /** Executes the effects that leave the protocol. Called by the runner's thread. */
    public interface EffectHandler<M> {

        /** @param number larger than that of every earlier message of this runner */
        void send(NodeId to, long number, M message);

        void onGranted(long fence);

        void onElected(NodeId leader, long term);

        void onLost();

        /** A step or the disk has failed. The runner has stopped, and executes no effect of that step. */
        void onFailed(RuntimeException cause, Object state);
    }

    private final Protocol<S, M> protocol;
    private final Neighbourhood neighbourhood;
    private final EffectHandler<M> effectHandler;
    private final StepRecorder<S, M> stepRecorder;
    private final DurableStateStore<S, M> durableStateStore;
    private final ScheduledExecutorService scheduler;
    private final Clock clock = Clock.systemUTC();
    private final LinkedBlockingQueue<Runnable> inbox = new LinkedBlockingQueue<>();
    private final Map<Enum<?>, Long> timerVersions = new HashMap<>(); // how often each timer was set or cancelled
    private final TimerQueue<Enum<?>> urgentTimers = new TimerQueue<>(System::nanoTime);
    private final EffectExecutor<M> effectExecutor = new EffectExecutor<>(new Environment());
    private final Thread thread;
    private NodeSet suspected = NodeSet.NONE;
    private @Nullable S state;
    private long nextMessageNumber = 1;
    private volatile boolean stopped;

    /** @param scheduler fires the timers */
    public ProtocolRunner(
            Protocol<S, M> protocol,
            Neighbourhood neighbourhood,
            EffectHandler<M> effectHandler,
            Persistence<S, M> persistence,
            ScheduledExecutorService scheduler) {
        this.protocol = protocol;
        this.neighbourhood = neighbourhood;
        this.effectHandler = effectHandler;
        durableStateStore = persistence.durableStateStore();
        stepRecorder = persistence.stepRecorder();
        this.scheduler = scheduler;
        thread = Thread.ofVirtual().unstarted(this::run);
    }

    /** What a runner keeps on disk. */
    public record Persistence<S, M>(DurableStateStore<S, M> durableStateStore, StepRecorder<S, M> stepRecorder) {}

    /** Starts the protocol, with its durable state if there is one. */
    public void start() {
        thread.start();
    }

    /** Runs a task on the runner's thread, after all tasks submitted before. */
    public void submit(Runnable task) {
        inbox.add(task);
    }

    /** Handles an event of the application. Only on the runner's thread. */
    public void handle(Event<M> event) {
        handle(event, Arrival.NONE);
    }

    public void receive(NodeId from, M message, Arrival arrival) {
        submit(() -> handle(new Event.Received<>(from, message), arrival));
    }

    /** The failure detector suspects a peer, or no longer does. */
    public void setSuspected(NodeId peer, boolean isSuspected) {
        submit(() -> {
            if (protocol instanceof FailureAware && suspected.contains(peer) != isSuspected) {
                suspected = isSuspected ? suspected.with(peer) : suspected.without(peer);
                handle(isSuspected ? new Event.Suspect<>(peer) : new Event.Restore<>(peer), Arrival.NONE);
            }
        });
    }

    /** Records in the trace that the node is up. */
    public void recordAlive() {
        submit(() -> stepRecorder.write(new RecordedStep.Alive<>(now())));
    }

    /** Stops after all tasks submitted before; returns when the thread has ended. */
    public void stop() {
        submit(() -> {
            stepRecorder.write(new RecordedStep.Stopped<>(now()));
            stopped = true;
        });
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The current state. Only on the runner's thread. */
    public S state() {
        return requireNonNull(state);
    }

    private void run() {
        try (stepRecorder) {
            startProtocol();
            while (!stopped) {
                var task = inbox.take();
                fireUrgentTimers();
                task.run();
            }
        } catch (RuntimeException cause) {
            stopped = true;
            effectHandler.onFailed(cause, state == null ? "none yet" : state);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** After a pause of the process, urgent timers that have expired fire before the messages that have arrived. */
    private void fireUrgentTimers() {
        for (var timer = urgentTimers.pollDue(); timer.isPresent(); timer = urgentTimers.pollDue()) {
            timerVersions.merge(timer.get(), 1L, Long::sum); // so that the scheduler does not fire it once more
            fireTimer(timer.get());
        }
    }

    private void fireTimer(Enum<?> timer) {
        urgentTimers.cancel(timer);
        handle(new Event.Timeout<>(timer), Arrival.NONE);
    }

    private void startProtocol() {
        var step = durableStateStore.restart(neighbourhood).orElseGet(() -> protocol.start(neighbourhood));
        execute(
                step,
                at -> new RecordedStep.Started<>(
                        at, durableStateStore.loadedBytes(), step.state(), step.effects(), nextMessageNumber));
        drainLocalEvents();
    }

    private void handle(Event<M> event, Arrival arrival) {
        if (!stopped) {
            step(event, arrival);
            drainLocalEvents();
        }
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
        @SuppressWarnings("FutureReturnValueIgnored") // the task only fills the inbox
        public void setTimer(Effect.SetTimer<M> setTimer) {
            long version = timerVersions.merge(setTimer.timer(), 1L, Long::sum);
            long atLeast = setTimer.atLeast().toNanos();
            long nanos = ThreadLocalRandom.current()
                    .nextLong(atLeast, setTimer.atMost().toNanos() + 1);
            if (protocol instanceof Timed<S, M, ?> timed && timed.isUrgent(setTimer.timer())) {
                urgentTimers.set(setTimer.timer(), Duration.ofNanos(nanos));
            }
            Runnable fire = () -> {
                if (timerVersions.getOrDefault(setTimer.timer(), 0L) == version) {
                    fireTimer(setTimer.timer());
                }
            };
            scheduler.schedule(() -> submit(fire), nanos, TimeUnit.NANOSECONDS);
        }

        @Override
        public void cancelTimer(Enum<?> timer) {
            timerVersions.merge(timer, 1L, Long::sum);
            urgentTimers.cancel(timer);
        }

        @Override
        public int draw(int bound) {
            return ThreadLocalRandom.current().nextInt(bound);
        }

        @Override
        public void notifyApplication(Effect<M> effect) {
            switch (effect) {
                case Effect.Grant<M>(var fence) -> effectHandler.onGranted(fence);
                case Effect.Elected<M>(var leader, var term) -> effectHandler.onElected(leader, term);
                case Effect.Lost<M>() -> effectHandler.onLost();
                default -> {} // failure detectors do not run on real nodes
            }
        }
    }

    private long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
    }
}
