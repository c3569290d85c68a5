package habemus.course.servers.load;

import org.HdrHistogram.Histogram;

/**
 * What a load generator saw.
 *
 * @param seconds from the first request until the last one was answered or timed out
 * @param served requests with a reply
 * @param refused requests with the reply that the server has no room
 * @param dropped requests whose connection failed, was closed without a reply, or would have been one too many
 * @param timedOut requests without a reply within the timeout
 * @param latency in microseconds, of the served requests and of those that timed out, with the timeout as their latency
 * @param lateness in microseconds, how much later than intended a request was sent
 * @param meanInFlight the mean number of requests that were sent and not finished
 */
public record LoadOutcome(
        double seconds,
        long served,
        long refused,
        long dropped,
        long timedOut,
        Histogram latency,
        Histogram lateness,
        double meanInFlight) {

    private static final double LATE_MILLIS = 50;

    public long sent() {
        return served + refused + dropped + timedOut;
    }

    public double servedPerSecond() {
        return served / seconds;
    }

    /** Whether the generator sent nearly all requests when it should have. */
    public boolean isOnSchedule() {
        return latenessMillis(99) <= LATE_MILLIS;
    }

    public double latencyMillis(double percentile) {
        return latency.getValueAtPercentile(percentile) / 1e3;
    }

    public double latenessMillis(double percentile) {
        return lateness.getValueAtPercentile(percentile) / 1e3;
    }

    public double meanLatencyMillis() {
        return latency.getMean() / 1e3;
    }

    static Histogram newHistogram() {
        return new Histogram(1, 3_600_000_000L, 3);
    }
}
