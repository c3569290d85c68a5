package habemus.simulate;

import java.time.Duration;

/**
 * When a run ends, if it does not come to rest by itself.
 *
 * @param expectsConvergence whether the end of the time is far enough from the last fault that all must have settled by then
 * @param stopsAtViolation whether the first violation ends it
 */
public record RunLimits(long maxSteps, Duration maxTime, boolean expectsConvergence, boolean stopsAtViolation) {

    /** Long enough for anything that ends. */
    public static final RunLimits AMPLE = new RunLimits(100_000_000, Duration.ofDays(1), false, false);

    public RunLimits withMaxSteps(long most) {
        return new RunLimits(most, maxTime, expectsConvergence, stopsAtViolation);
    }

    public RunLimits withMaxTime(Duration most) {
        return new RunLimits(maxSteps, most, expectsConvergence, stopsAtViolation);
    }

    /** Nothing is wrong any more long before {@code end}: by then it must have converged. */
    public RunLimits withConvergenceBy(Duration end) {
        return new RunLimits(maxSteps, end, true, stopsAtViolation);
    }

    public RunLimits withStopAtViolation() {
        return new RunLimits(maxSteps, maxTime, expectsConvergence, true);
    }
}
