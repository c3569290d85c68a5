package habemus.service.metrics;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.concurrent.TimeUnit;

/**
 * What a node measures while it works. Recording takes a fraction of a microsecond and never waits. For any number of
 * threads.
 */
public final class NodeMetrics {

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final double MILLIS_PER_SECOND = TimeUnit.SECONDS.toMillis(1);

    /** From 50 µs to 13 s, each bound twice the one before. */
    private static final double FIRST_SHORT_BOUND = 50e-6;

    /** From 1 ms to a day, each bound four times the one before. */
    private static final double FIRST_LONG_BOUND = 1e-3;

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final Histogram syncs = shortTimes("habemus_log_sync_seconds", "time of an fsync of the log");
    private final Histogram commits =
            shortTimes("habemus_commit_seconds", "time from a proposal of this node until it is committed and applied");
    private final Histogram grants = Histogram.builder()
            .name("habemus_grant_seconds")
            .help("time from an acquire request at this node until it is granted, its wait in the queue included")
            .labelNames("kind")
            .classicOnly()
            .classicExponentialUpperBounds(FIRST_LONG_BOUND / 4, 2, 20)
            .register(registry);
    private final Histogram holds = Histogram.builder()
            .name("habemus_hold_seconds")
            .help("time from a grant until its end, recorded by the leader")
            .labelNames("kind", "end")
            .classicOnly()
            .classicExponentialUpperBounds(FIRST_LONG_BOUND, 4, 14)
            .register(registry);
    private final Counter rejections = Counter.builder()
            .name("habemus_rejected_requests")
            .help("client requests that this node rejected")
            .labelNames("reason")
            .register(registry);

    private Histogram shortTimes(String name, String help) {
        return Histogram.builder()
                .name(name)
                .help(help)
                .classicOnly()
                .classicExponentialUpperBounds(FIRST_SHORT_BOUND, 2, 19)
                .register(registry);
    }

    /** The registry of this node, to which its other metrics are added. */
    public PrometheusRegistry registry() {
        return registry;
    }

    public void recordSync(long nanos) {
        syncs.observe(nanos / NANOS_PER_SECOND);
    }

    public void recordCommit(long nanos) {
        commits.observe(nanos / NANOS_PER_SECOND);
    }

    /** @param kind of the resource, in lower case */
    public void recordGrant(String kind, long nanos) {
        grants.labelValues(kind).observe(nanos / NANOS_PER_SECOND);
    }

    /** @param end why the hold ended */
    public void recordHold(String kind, String end, long millis) {
        holds.labelValues(kind, end).observe(Math.max(0, millis) / MILLIS_PER_SECOND);
    }

    /** @param reason a code, such as limit-exceeded */
    public void countRejection(String reason) {
        rejections.labelValues(reason).inc();
    }
}
