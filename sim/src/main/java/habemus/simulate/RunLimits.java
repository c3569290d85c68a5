package habemus.simulate;

import java.time.Duration;

/**
 * Limits of a run that does not end by itself.
 *
 * @param expectsConvergence whether {@code maxTime} is long enough after the last fault that the algorithm must have
 *     converged by then
 * @param stopsAtViolation whether the first violation ends the run
 */
public record RunLimits(long maxSteps, Duration maxTime, boolean expectsConvergence, boolean stopsAtViolation) {

    /** Enough for every run that ends by itself. */
    public static final RunLimits AMPLE = new RunLimits(100_000_000, Duration.ofDays(1), false, false);

    public RunLimits withMaxSteps(long steps) {
        return new RunLimits(steps, maxTime, expectsConvergence, stopsAtViolation);
    }

    public RunLimits withMaxTime(Duration time) {
        return new RunLimits(maxSteps, time, expectsConvergence, stopsAtViolation);
    }

    /** All faults end long before {@code end}, so the algorithm must have converged by then. */
    public RunLimits withConvergenceBy(Duration end) {
        return new RunLimits(maxSteps, end, true, stopsAtViolation);
    }

    public RunLimits withStopAtViolation() {
        return new RunLimits(maxSteps, maxTime, expectsConvergence, true);
    }
}
