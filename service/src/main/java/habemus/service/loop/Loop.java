package habemus.service.loop;

import static java.util.Objects.requireNonNull;

import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Place;
import habemus.protocol.Protocol;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.protocol.Watchful;
import habemus.service.record.Line;
import habemus.service.record.Line.Arrival;
import habemus.service.record.Recorder;
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
public final class Loop<S, M> {

    /** Whom effects reach. Called on the loop's thread. */
    public interface Outside<M> {

        /** @param number larger than that of every message of this loop before */
        void send(NodeId to, long number, M message);

        void granted(long fence);

        void elected(NodeId leader, long term);

        void lost();

        /** The machine did the impossible, or its disk did: the loop has ended, and nothing of the step was said. */
        void failed(RuntimeException why, Object state);
    }

    /** More of them within one event are a loop of their own. */
    private static final int SELF_STEPS_MAX = 1_000;

    private final Protocol<S, M> protocol;
    private final Place place;
    private final Outside<M> outside;
    private final Recorder<S, M> recorder;
    private final Keeper<S, M> keeper;
    private final ScheduledExecutorService ticker;
    private final Clock clock = Clock.systemUTC();
    private final LinkedBlockingQueue<Runnable> inbox = new LinkedBlockingQueue<>();
    private final Map<Enum<?>, Long> settings = new HashMap<>(); // of alarms: how often each was set or calmed
    private final Map<Enum<?>, Long> urgent = new LinkedHashMap<>(); // those that are set: when they run out, in nanos
    private final ArrayDeque<M> toSelf = new ArrayDeque<>();
    private final ArrayDeque<Integer> dice = new ArrayDeque<>();
    private final Thread thread;
    private NodeSet suspected = NodeSet.NONE;
    private @Nullable S state;
    private long next = 1; // number of a message
    private volatile boolean over;

    /** @param ticker rings the alarms */
    public Loop(
            Protocol<S, M> protocol,
            Place place,
            Outside<M> outside,
            Keeping<S, M> keeping,
            ScheduledExecutorService ticker) {
        this.protocol = protocol;
        this.place = place;
        this.outside = outside;
        keeper = keeping.keeper();
        recorder = keeping.recorder();
        this.ticker = ticker;
        thread = Thread.ofVirtual().unstarted(this::run);
    }

    /** What is on disk of a loop. */
    public record Keeping<S, M>(Keeper<S, M> keeper, Recorder<S, M> recorder) {}

    /** Comes up, with its memory if it has one. */
    public void start() {
        thread.start();
    }

    /** Does it on the loop's thread, after all that came before. */
    public void run(Runnable task) {
        inbox.add(task);
    }

    /** The application says so. Only from the loop's own thread. */
    public void tell(Event<M> event) {
        take(event, Arrival.NONE);
    }

    public void receive(NodeId from, M message, Arrival arrival) {
        run(() -> take(new Event.Received<>(from, message), arrival));
    }

    /** The detector has changed its mind about the peer. */
    public void suspect(NodeId peer, boolean down) {
        run(() -> {
            if (protocol instanceof Watchful && suspected.contains(peer) != down) {
                suspected = down ? suspected.with(peer) : suspected.without(peer);
                take(down ? new Event.Suspect<>(peer) : new Event.Restore<>(peer), Arrival.NONE);
            }
        });
    }

    /** Writes down that it is up. */
    public void mark() {
        run(() -> recorder.write(new Line.Alive<>(now())));
    }

    /** Ends it in good order: what is in the inbox is done before. */
    public void stop() {
        run(() -> {
            recorder.write(new Line.Stopped<>(now()));
            over = true;
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
        try (recorder) {
            begin();
            while (!over) {
                var next = inbox.take();
                ringUrgent();
                next.run();
            }
        } catch (RuntimeException why) {
            over = true;
            outside.failed(why, state == null ? "none yet" : state);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** After a pause, what has run out meanwhile is looked at before what has come meanwhile. */
    private void ringUrgent() {
        long now = System.nanoTime();
        for (var alarm : List.copyOf(urgent.keySet())) {
            var due = urgent.get(alarm);
            if (due != null && due - now <= 0) {
                settings.merge(alarm, 1L, Long::sum); // so that the ticker's own ring comes to nothing
                ring(alarm);
            }
        }
    }

    private void ring(Enum<?> alarm) {
        urgent.remove(alarm);
        take(new Event.Elapsed<>(alarm), Arrival.NONE);
    }

    private void begin() {
        var step = keeper.restart(place).orElseGet(() -> protocol.start(place));
        carryOut(step, at -> new Line.Started<>(at, keeper.recalled(), step.state(), step.effects(), next));
        settle();
    }

    private void take(Event<M> event, Arrival arrival) {
        if (!over) {
            step(event, arrival);
            settle();
        }
    }

    private void step(Event<M> event, Arrival arrival) {
        var step = attempt(event, arrival);
        carryOut(step, at -> new Line.Stepped<>(at, event, arrival, step.state(), step.effects(), next));
    }

    private Step<S, M> attempt(Event<M> event, Arrival arrival) {
        try {
            return protocol.step(state(), event);
        } catch (RuntimeException bug) {
            recorder.write(new Line.Stumbled<>(now(), event, arrival, String.valueOf(bug.getMessage())));
            throw bug;
        }
    }

    /** What the node said to itself, and the dice it rolled, come before anything else. */
    private void settle() {
        for (int steps = 0; !toSelf.isEmpty() || !dice.isEmpty(); steps++) {
            ProtocolBug.unless(steps < SELF_STEPS_MAX, "talking to oneself for ever", state());
            step(
                    dice.isEmpty()
                            ? new Event.Received<>(place.self(), toSelf.remove())
                            : new Event.Rolled<>(dice.remove()),
                    Arrival.NONE);
        }
    }

    private void carryOut(Step<S, M> step, LongFunction<Line<S, M>> line) {
        keeper.keep(step.state());
        state = step.state();
        recorder.write(line.apply(now()));
        step.effects().forEach(this::carryOut);
    }

    private void carryOut(Effect<M> effect) {
        switch (effect) {
            case Effect.Send<M>(var to, var message) -> send(to, message);
            case Effect.SendAll<M>(var to, var message) -> to.forEach(each -> send(each, message));
            case Effect.Wake<M> wake -> wake(wake);
            case Effect.Calm<M>(var alarm) -> {
                settings.merge(alarm, 1L, Long::sum);
                urgent.remove(alarm);
            }
            case Effect.Roll<M>(var sides) ->
                dice.add(ThreadLocalRandom.current().nextInt(sides));
            case Effect.Grant<M>(var fence) -> outside.granted(fence);
            case Effect.Elected<M>(var leader, var term) -> outside.elected(leader, term);
            case Effect.Lost<M>() -> outside.lost();
            case Effect.Suspect<M> suspect -> {} // nobody listens: detectors are not run for real
            case Effect.Restore<M> restore -> {}
        }
    }

    private void send(NodeId to, M message) {
        if (to.equals(place.self())) {
            toSelf.add(message);
        } else {
            outside.send(to, next++, message);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it only puts something into the inbox
    private void wake(Effect.Wake<M> wake) {
        long setting = settings.merge(wake.alarm(), 1L, Long::sum);
        long atLeast = wake.atLeast().toNanos();
        long nanos = ThreadLocalRandom.current().nextLong(atLeast, wake.atMost().toNanos() + 1);
        if (protocol instanceof Timed<S, M, ?> timed && timed.isUrgent(wake.alarm())) {
            urgent.put(wake.alarm(), System.nanoTime() + nanos);
        }
        Runnable ring = () -> {
            if (settings.getOrDefault(wake.alarm(), 0L) == setting) {
                ring(wake.alarm());
            }
        };
        ticker.schedule(() -> run(ring), nanos, TimeUnit.NANOSECONDS);
    }

    private long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
    }
}
