package habemus.service.runtime;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The pending timers of a state machine, with their deadlines on this machine's monotonic clock. A timer is never due
 * early. For one thread.
 *
 * @param <T> the enum of the timers
 */
public final class TimerQueue<T> {

    private static final long MAX_NANOS = Duration.ofHours(1).toNanos();

    private final Map<T, Long> deadlines = new LinkedHashMap<>();
    private final LongSupplier nanoClock;

    /** @param nanoClock a monotonic clock in nanoseconds */
    public TimerQueue(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** Sets a timer, or sets it again. */
    public void set(T timer, Duration delay) {
        deadlines.put(timer, nanoClock.getAsLong() + delay.toNanos());
    }

    public void cancel(T timer) {
        deadlines.remove(timer);
    }

    /** Nanoseconds until the next timer is due; at least zero, at most an hour. */
    public long nanosUntilNext() {
        long now = nanoClock.getAsLong();
        long least = MAX_NANOS;
        for (long deadline : deadlines.values()) {
            least = Math.min(least, deadline - now);
        }
        return Math.max(0, least);
    }

    /** Removes and returns a timer that is due, the one with the earliest deadline first. */
    public Optional<T> pollDue() {
        long now = nanoClock.getAsLong();
        var due = deadlines.entrySet().stream()
                .filter(entry -> entry.getValue() - now <= 0)
                .min((a, b) -> Long.signum(a.getValue() - b.getValue()))
                .map(Map.Entry::getKey);
        due.ifPresent(deadlines::remove);
        return due;
    }
}
