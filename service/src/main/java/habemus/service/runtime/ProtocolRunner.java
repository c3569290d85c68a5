package habemus.service.runtime;

import static java.util.Objects.requireNonNull;

import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.FailureAware;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.service.trace.RecordedStep;
import habemus.service.trace.RecordedStep.Arrival;
import habemus.service.trace.StepRecorder;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Drives one machine for real: one thing at a time, on a thread of its own.
 *
 * <p>For each event: the step; what must be remembered, on disk; the line of the trace; then the effects, in order.
 */
public final class ProtocolRunner<S, M> {

    /** Whom effects reach. Called on the loop's thread. */
    public interface EffectHandler<M> {

        /** @param number larger than that of every message of this loop before */
        void send(NodeId to, long number, M message);

        void onGranted(long fence);

        void onElected(NodeId leader, long term);

        void onLost();

        /** The machine did the impossible, or its disk did: the loop has ended, and nothing of the step was said. */
        void onFailed(RuntimeException why, Object state);
    }

    /** More of them within one event are a loop of their own. */
    private static final int SELF_STEPS_MAX = 1_000;

    private final Protocol<S, M> protocol;
    private final Neighbourhood neighbourhood;
    private final EffectHandler<M> effectHandler;
    private final StepRecorder<S, M> stepRecorder;
    private final DurableStateStore<S, M> durableStateStore;
    private final ScheduledExecutorService scheduler;
    private final Clock clock = Clock.systemUTC();
    private final LinkedBlockingQueue<Runnable> inbox = new LinkedBlockingQueue<>();
    private final Map<Enum<?>, Long> timerVersions = new HashMap<>(); // of alarms: how often each was set or calmed
    private final Map<Enum<?>, Long> urgentDeadlines =
            new LinkedHashMap<>(); // those that are set: when they run out, in nanos
    private final ArrayDeque<M> selfMessages = new ArrayDeque<>();
    private final ArrayDeque<Integer> pendingRolls = new ArrayDeque<>();
    private final Thread thread;
    private NodeSet suspected = NodeSet.NONE;
    private @Nullable S state;
    private long nextMessageNumber = 1; // number of a message
    private volatile boolean stopped;

    /** @param ticker rings the alarms */
    public ProtocolRunner(
            Protocol<S, M> protocol,
            Neighbourhood neighbourhood,
            EffectHandler<M> effectHandler,
            Persistence<S, M> persistence,
            ScheduledExecutorService ticker) {
        this.protocol = protocol;
        this.neighbourhood = neighbourhood;
        this.effectHandler = effectHandler;
        durableStateStore = persistence.durableStateStore();
        stepRecorder = persistence.stepRecorder();
        this.scheduler = ticker;
        thread = Thread.ofVirtual().unstarted(this::run);
    }

    /** What is on disk of a loop. */
    public record Persistence<S, M>(DurableStateStore<S, M> durableStateStore, StepRecorder<S, M> stepRecorder) {}

    /** Comes up, with its memory if it has one. */
    public void start() {
        thread.start();
    }

    /** Does it on the loop's thread, after all that came before. */
    public void submit(Runnable task) {
        inbox.add(task);
    }

    /** The application says so. Only from the loop's own thread. */
    public void handle(Event<M> event) {
        handle(event, Arrival.NONE);
    }

    public void receive(NodeId from, M message, Arrival arrival) {
        submit(() -> handle(new Event.Received<>(from, message), arrival));
    }

    /** The detector has changed its mind about the peer. */
    public void setSuspected(NodeId peer, boolean down) {
        submit(() -> {
            if (protocol instanceof FailureAware && suspected.contains(peer) != down) {
                suspected = down ? suspected.with(peer) : suspected.without(peer);
                handle(down ? new Event.Suspect<>(peer) : new Event.Restore<>(peer), Arrival.NONE);
            }
        });
    }

    /** Writes down that it is up. */
    public void recordAlive() {
        submit(() -> stepRecorder.write(new RecordedStep.Alive<>(now())));
    }

    /** Ends it in good order: what is in the inbox is done before. */
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

    /** As it is now; only from the loop's own thread. */
    public S state() {
        return requireNonNull(state);
    }

    private void run() {
        try (stepRecorder) {
            startProtocol();
            while (!stopped) {
                var next = inbox.take();
                fireUrgentTimers();
                next.run();
            }
        } catch (RuntimeException why) {
            stopped = true;
            effectHandler.onFailed(why, state == null ? "none yet" : state);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** After a pause, what has run out meanwhile is looked at before what has come meanwhile. */
    private void fireUrgentTimers() {
        long now = System.nanoTime();
        for (var alarm : List.copyOf(urgentDeadlines.keySet())) {
            var due = urgentDeadlines.get(alarm);
            if (due != null && due - now <= 0) {
                timerVersions.merge(alarm, 1L, Long::sum); // so that the ticker's own ring comes to nothing
                fireTimer(alarm);
            }
        }
    }

    private void fireTimer(Enum<?> alarm) {
        urgentDeadlines.remove(alarm);
        handle(new Event.Timeout<>(alarm), Arrival.NONE);
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

    /** What the node said to itself, and the dice it rolled, come before anything else. */
    private void drainLocalEvents() {
        for (int steps = 0; !selfMessages.isEmpty() || !pendingRolls.isEmpty(); steps++) {
            ProtocolBug.unless(steps < SELF_STEPS_MAX, "talking to oneself for ever", state());
            step(
                    pendingRolls.isEmpty()
                            ? new Event.Received<>(neighbourhood.self(), selfMessages.remove())
                            : new Event.Drawn<>(pendingRolls.remove()),
                    Arrival.NONE);
        }
    }

    private void execute(Step<S, M> step, LongFunction<RecordedStep<S, M>> recordedStep) {
        durableStateStore.save(step.state());
        state = step.state();
        stepRecorder.write(recordedStep.apply(now()));
        step.effects().forEach(this::execute);
    }

    private void execute(Effect<M> effect) {
        switch (effect) {
            case Effect.Send<M>(var to, var message) -> send(to, message);
            case Effect.SendAll<M>(var to, var message) -> to.forEach(each -> send(each, message));
            case Effect.SetTimer<M> setTimer -> setTimer(setTimer);
            case Effect.CancelTimer<M>(var alarm) -> {
                timerVersions.merge(alarm, 1L, Long::sum);
                urgentDeadlines.remove(alarm);
            }
            case Effect.Draw<M>(var sides) ->
                pendingRolls.add(ThreadLocalRandom.current().nextInt(sides));
            case Effect.Grant<M>(var fence) -> effectHandler.onGranted(fence);
            case Effect.Elected<M>(var leader, var term) -> effectHandler.onElected(leader, term);
            case Effect.Lost<M>() -> effectHandler.onLost();
            case Effect.Suspect<M> suspect -> {} // nobody listens: detectors are not run for real
            case Effect.Restore<M> restore -> {}
        }
    }

    private void send(NodeId to, M message) {
        if (to.equals(neighbourhood.self())) {
            selfMessages.add(message);
        } else {
            effectHandler.send(to, nextMessageNumber++, message);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it only puts something into the inbox
    private void setTimer(Effect.SetTimer<M> setTimer) {
        long setting = timerVersions.merge(setTimer.timer(), 1L, Long::sum);
        long atLeast = setTimer.atLeast().toNanos();
        long nanos =
                ThreadLocalRandom.current().nextLong(atLeast, setTimer.atMost().toNanos() + 1);
        if (protocol instanceof Timed<S, M, ?> timed && timed.isUrgent(setTimer.timer())) {
            urgentDeadlines.put(setTimer.timer(), System.nanoTime() + nanos);
        }
        Runnable ring = () -> {
            if (timerVersions.getOrDefault(setTimer.timer(), 0L) == setting) {
                fireTimer(setTimer.timer());
            }
        };
        scheduler.schedule(() -> submit(ring), nanos, TimeUnit.NANOSECONDS);
    }

    private long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
    }
}
