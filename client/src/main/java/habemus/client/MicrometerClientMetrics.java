package habemus.client;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Metrics in the global Micrometer registry. The only tag is the kind, because there may be many lock names. */
final class MicrometerClientMetrics implements ClientMetrics {

    private final MeterRegistry registry = Metrics.globalRegistry;
    private final AtomicInteger waiting = new AtomicInteger();

    MicrometerClientMetrics() {
        Gauge.builder("habemus.queue", waiting, AtomicInteger::get)
                .description("waiting requests of this JVM")
                .register(registry);
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
