package habemus.service.runtime;

import habemus.concurrent.EventLoop;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The timers of a protocol on an event loop. A timer that is set again and again costs one scheduled task: when the
 * task runs too early, it schedules itself for the rest. Used on the loop only.
 */
public final class LoopTimers {

    private static final class Timer {
        private long dueNanos;
        private boolean isSet;
        private boolean isScheduled;
        private long scheduledNanos;
        private long version; // of the scheduled task
    }

    private final EventLoop loop;
    private final Consumer<Enum<?>> onTimeout;
    private final Map<Enum<?>, Timer> timers = new LinkedHashMap<>(); // in an order that does not change

    public LoopTimers(EventLoop loop, Consumer<Enum<?>> onTimeout) {
        this.loop = loop;
        this.onTimeout = onTimeout;
    }

    public void set(Enum<?> name, Duration delay) {
        var timer = timers.computeIfAbsent(name, any -> new Timer());
        timer.dueNanos = loop.nanoTime() + delay.toNanos();
        timer.isSet = true;
        if (!timer.isScheduled || timer.dueNanos - timer.scheduledNanos < 0) {
            schedule(name, timer);
        }
    }

    public void cancel(Enum<?> name) {
        var timer = timers.get(name);
        if (timer != null) {
            timer.isSet = false;
        }
    }

    /** Removes and returns an expired timer whose task has not run yet, the one with the earliest deadline first. */
    Optional<Enum<?>> pollExpired(Predicate<Enum<?>> filter) {
        long now = loop.nanoTime();
        var earliest = timers.entrySet().stream()
                .filter(timer -> timer.getValue().isSet && timer.getValue().dueNanos - now <= 0)
                .filter(timer -> filter.test(timer.getKey()))
                .min(Comparator.comparingLong(timer -> timer.getValue().dueNanos - now));
        earliest.ifPresent(timer -> timer.getValue().isSet = false);
        return earliest.map(Map.Entry::getKey);
    }

    private void schedule(Enum<?> name, Timer timer) {
        long version = ++timer.version;
        timer.isScheduled = true;
        timer.scheduledNanos = timer.dueNanos;
        loop.schedule(Duration.ofNanos(Math.max(0, timer.dueNanos - loop.nanoTime())), () -> run(name, timer, version));
    }

    private void run(Enum<?> name, Timer timer, long version) {
        if (version != timer.version) {
            return; // a later task fires earlier
        }
        timer.isScheduled = false;
        if (!timer.isSet) {
            return;
        }
        if (timer.dueNanos - loop.nanoTime() > 0) {
            schedule(name, timer);
        } else {
            timer.isSet = false;
            onTimeout.accept(name);
        }
    }
}
