package habemus.service.session;

import habemus.drive.Turns;
import habemus.fenced.Desk;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** When each alarm rings, on this machine's own clock. Never early. */
final class Alarms {

    private final Map<Desk.Alarm, Long> times = new EnumMap<>(Desk.Alarm.class);

    private final LongSupplier clock;

    /** @param clock that never goes back, in nanoseconds */
    Alarms(LongSupplier clock) {
        this.clock = clock;
    }

    void set(Desk.Alarm alarm, Duration after) {
        times.put(alarm, clock.getAsLong() + after.toNanos());
    }

    void unset(Desk.Alarm alarm) {
        times.remove(alarm);
    }

    /** How long until the next. */
    long nanos() {
        long now = clock.getAsLong();
        long least = Turns.LONG;
        for (long time : times.values()) {
            least = Math.min(least, time - now);
        }
        return Math.max(0, least);
    }

    /** One that is due; it is set no more. */
    Optional<Desk.Alarm> due() {
        long now = clock.getAsLong();
        for (var each : times.entrySet()) {
            if (each.getValue() - now <= 0) {
                var alarm = each.getKey();
                times.remove(alarm);
                return Optional.of(alarm);
            }
        }
        return Optional.empty();
    }
}
