package habemus.client;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Metrics in the global Micrometer registry. Locks have their kind as the only tag, because there may be many names.
 * Elections are few: they have their name.
 */
final class MicrometerClientMetrics implements ClientMetrics {

    private final MeterRegistry registry = Metrics.globalRegistry;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong smallestMarginNanos = new AtomicLong(Long.MAX_VALUE);
    private final Map<String, AtomicInteger> leading = new ConcurrentHashMap<>(); // candidates by election

    MicrometerClientMetrics() {
        Gauge.builder("habemus.queue", waiting, AtomicInteger::get)
                .description("waiting requests of this JVM")
                .register(registry);
    }

    /** Registered with the first renewal: before it there is no margin. */
    private void registerSmallestMargin() {
        TimeGauge.builder("habemus.renewal.margin.smallest", smallestMarginNanos, TimeUnit.NANOSECONDS, AtomicLong::get)
                .description("smallest rest of a lease when its renewal was acknowledged, since the start of this JVM")
                .register(registry);
    }

    private AtomicInteger registerLeading(String election) {
        var candidates = new AtomicInteger();
        Gauge.builder("habemus.leader", candidates, AtomicInteger::get)
                .description("1 if this JVM leads the election, else 0")
                .tag("election", election)
                .register(registry);
        return candidates;
    }

    @Override
    public void setLeading(String election, boolean isLeading) {
        leading.computeIfAbsent(election, this::registerLeading).addAndGet(isLeading ? 1 : -1);
    }

    @Override
    public void recordWait(String kind, long nanos) {
        registry.timer("habemus.wait", "kind", kind).record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void recordHold(String kind, long nanos) {
        registry.timer("habemus.held", "kind", kind).record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void countLoss(String kind) {
        registry.counter("habemus.losses", "kind", kind).increment();
    }

    @Override
    public void recordRenewalMargin(Duration remaining) {
        registry.timer("habemus.renewal.margin").record(remaining);
        long nanos = remaining.toNanos();
        if (smallestMarginNanos.getAndAccumulate(nanos, Math::min) == Long.MAX_VALUE) {
            registerSmallestMargin();
        }
    }

    @Override
    public void addWaiting(int change) {
        waiting.addAndGet(change);
    }

    @Override
    public void countElection() {
        registry.counter("habemus.terms").increment();
    }

    @Override
    public void countStaleFence() {
        registry.counter("habemus.fenced.off").increment();
    }
}
