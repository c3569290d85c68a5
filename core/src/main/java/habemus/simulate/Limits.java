package habemus.simulate;

import java.time.Duration;

/**
 * When a run ends, if it does not come to rest by itself.
 *
 * @param settled whether the end of the time is far enough from the last fault that all must have settled by then
 * @param atViolation whether the first violation ends it
 */
public record Limits(long steps, Duration time, boolean settled, boolean atViolation) {

    /** Long enough for anything that ends. */
    public static final Limits AMPLE = new Limits(100_000_000, Duration.ofDays(1), false, false);

    public Limits steps(long most) {
        return new Limits(most, time, settled, atViolation);
    }

    public Limits time(Duration most) {
        return new Limits(steps, most, settled, atViolation);
    }

    /** Nothing is wrong any more long before {@code end}: by then it must have converged. */
    public Limits settledAt(Duration end) {
        return new Limits(steps, end, true, atViolation);
    }

    public Limits stoppingAtViolation() {
        return new Limits(steps, time, settled, true);
    }
}
