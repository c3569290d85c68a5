package habemus.lab.timeout;

import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * The timeout with the lowest expected cost, beside other timeouts.
 *
 * @param simulated the best timeout as a lease; empty if nothing was simulated
 */
public record TimeoutReport(
        TimeoutCost timeoutCost, TimeoutCost.Evaluation best, Optional<LeaseSimulation.Result> simulated) {

    private static final int CURVE_POINTS = 200;
    private static final double SHORTEST_LEASE_MILLIS = 0.001;
    private static final List<Double> FRACTIONS = List.of(0.5, 0.9, 0.99, 0.999, 0.9999);

    /**
     * A timeout that this fraction of the replies does not exceed.
     *
     * @param isBeyondData whether there are too few measured delays to know it
     */
    public record Percentile(double fraction, TimeoutCost.Evaluation evaluation, boolean isBeyondData) {

        /** {@code p999} for 0.999. */
        public String name() {
            var digits = Double.toString(fraction).substring(2);
            return "p" + (digits.length() == 1 ? digits + "0" : digits);
        }

        /** How many measured delays it needs. */
        public long samplesNeeded() {
            return DelayDistribution.samplesFor(fraction);
        }
    }

    public static TimeoutReport of(TimeoutCost timeoutCost) {
        return new TimeoutReport(timeoutCost, timeoutCost.best(), Optional.empty());
    }

    /** Simulates the best timeout as a lease. A timeout of 0 is no lease: then nothing is simulated. */
    public TimeoutReport simulate(int runs, long seed, IntConsumer progress) {
        if (best.millis() < SHORTEST_LEASE_MILLIS) {
            return this;
        }
        var lease = new LeaseSimulation(timeoutCost.delayDistribution(), best.millis());
        return new TimeoutReport(timeoutCost, best, Optional.of(lease.run(runs, seed, progress)));
    }

    public List<Percentile> percentiles() {
        var delays = timeoutCost.delayDistribution();
        return FRACTIONS.stream()
                .map(fraction -> new Percentile(
                        fraction,
                        timeoutCost.evaluate(delays.quantile(fraction)),
                        delays instanceof DelayDistribution.Empirical samples && !samples.reaches(fraction)))
                .toList();
    }

    /** Timeouts from 0 to beyond the best one, evenly spaced. */
    public List<TimeoutCost.Evaluation> curve() {
        double end = Math.max(2 * best.millis(), timeoutCost.delayDistribution().quantile(0.99));
        return IntStream.rangeClosed(0, CURVE_POINTS)
                .mapToObj(i -> timeoutCost.evaluate(end * i / CURVE_POINTS))
                .toList();
    }
}
