package habemus.world;

import java.time.Duration;

/** Virtual time in microseconds, where a {@link Duration} for each event would cost too much. */
public final class Micros {

    private Micros() {}

    public static long of(Duration duration) {
        return duration.toNanos() / 1_000;
    }

    public static Duration toDuration(long micros) {
        return Duration.ofNanos(Math.multiplyExact(micros, 1_000L));
    }
}
