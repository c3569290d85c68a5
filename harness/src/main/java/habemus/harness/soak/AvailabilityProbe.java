package habemus.harness.soak;

import habemus.client.ClientOptions;
import habemus.client.Habemus;
import habemus.client.HabemusException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * Acquires one fresh lock after the other, to record when the service serves. It waits only briefly for each. If the
 * session is lost during an acquire, the lock may be granted to that session until its lease ends.
 */
final class AvailabilityProbe implements AutoCloseable {

    private static final Duration SERVE_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration ACQUIRE_TIMEOUT = Duration.ofMillis(250);
    private static final Duration PROBE_INTERVAL = Duration.ofMillis(10);

    private final Habemus habemus;
    private final ConcurrentSkipListSet<Long> servedAtNanos = new ConcurrentSkipListSet<>();
    private final Thread thread;
    private volatile boolean stopped;

    AvailabilityProbe(String addresses) {
        habemus = Habemus.connect(ClientOptions.to(addresses.split(",", -1))
                .withName("probe")
                .withLease(SoakClient.LEASE)
                .withConnectTimeout(SERVE_TIMEOUT));
        thread = Thread.ofPlatform().daemon().start(this::run);
    }

    private void run() {
        try {
            for (int i = 1; !stopped; i++) {
                try (var grant = habemus.lock("probe-" + i).acquire(ACQUIRE_TIMEOUT)) {
                    grant.ensureValid();
                    servedAtNanos.add(System.nanoTime());
                } catch (HabemusException notServed) {
                    // not recorded
                }
                Thread.sleep(PROBE_INTERVAL);
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the first acquire that is served after this time, and returns its time. Empty on a timeout. */
    OptionalLong servedAfter(long time) throws InterruptedException {
        long end = System.nanoTime() + SERVE_TIMEOUT.toNanos();
        var first = servedAtNanos.higher(time);
        while (first == null && System.nanoTime() - end < 0) {
            Thread.sleep(PROBE_INTERVAL);
            first = servedAtNanos.higher(time);
        }
        return first == null ? OptionalLong.empty() : OptionalLong.of(first);
    }

    /** Times of all acquires that were served so far, on {@link System#nanoTime}. */
    SortedSet<Long> servedAtNanos() {
        return new TreeSet<>(servedAtNanos);
    }

    @Override
    public void close() {
        stopped = true;
        thread.interrupt();
        habemus.close();
    }
}
