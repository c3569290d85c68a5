package habemus.client;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Into the global registry of Micrometer. Tagged by kind only: names of locks may be many. */
final class MicrometerMeters implements Meters {

    private final MeterRegistry registry = Metrics.globalRegistry;
    private final AtomicInteger waiting = new AtomicInteger();

    MicrometerMeters() {
        Gauge.builder("habemus.queue", waiting, AtomicInteger::get)
                .description("requests of this JVM that wait in line")
                .register(registry);
    }

    @Override
    public void waited(String kind, long nanos) {
        registry.timer("habemus.wait", "kind", kind).record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void held(String kind, long nanos) {
        registry.timer("habemus.held", "kind", kind).record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void lost(String kind) {
        registry.counter("habemus.losses", "kind", kind).increment();
    }

    @Override
    public void renewed(Duration left) {
        registry.timer("habemus.renewal.margin").record(left);
    }

    @Override
    public void inLine(int more) {
        waiting.addAndGet(more);
    }

    @Override
    public void elected() {
        registry.counter("habemus.terms").increment();
    }

    @Override
    public void fencedOff() {
        registry.counter("habemus.fenced.off").increment();
    }
}
