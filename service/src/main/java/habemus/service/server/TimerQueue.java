package habemus.service.server;

import habemus.concurrent.CombiningQueue;
import habemus.lockservice.protocol.LockServer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** When each alarm rings, on this machine's own clock. Never early. */
final class TimerQueue {

    private final Map<LockServer.Timer, Long> times = new EnumMap<>(LockServer.Timer.class);

    private final LongSupplier clock;

    /** @param clock that never goes back, in nanoseconds */
    TimerQueue(LongSupplier clock) {
        this.clock = clock;
    }

    void set(LockServer.Timer timer, Duration after) {
        times.put(timer, clock.getAsLong() + after.toNanos());
    }

    void cancel(LockServer.Timer timer) {
        times.remove(timer);
    }

    /** How long until the next. */
    long nanosUntilNext() {
        long now = clock.getAsLong();
        long least = CombiningQueue.IDLE_NANOS;
        for (long time : times.values()) {
            least = Math.min(least, time - now);
        }
        return Math.max(0, least);
    }

    /** One that is due; it is set no more. */
    Optional<LockServer.Timer> pollDue() {
        long now = clock.getAsLong();
        for (var each : times.entrySet()) {
            if (each.getValue() - now <= 0) {
                var timer = each.getKey();
                times.remove(timer);
                return Optional.of(timer);
            }
        }
        return Optional.empty();
    }
}
