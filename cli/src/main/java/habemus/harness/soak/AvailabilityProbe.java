package habemus.harness.soak;

import habemus.cli.terminal.ConsoleLogging;
import habemus.client.ClientOptions;
import habemus.client.Habemus;
import habemus.client.HabemusException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * Asks the service for a lock that nobody has ever wanted, again and again, to see when it serves. It does not wait
 * long for any of them: if its session is lost while it asks, it may have been let in, and would wait for its lease.
 */
final class AvailabilityProbe implements AutoCloseable {

    private static final Duration SERVE_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration ACQUIRE_TIMEOUT = Duration.ofMillis(250);
    private static final Duration PROBE_INTERVAL = Duration.ofMillis(10);

    private final Habemus habemus;
    private final ConcurrentSkipListSet<Long> servedAtNanos = new ConcurrentSkipListSet<>();
    private final Thread thread;
    private volatile boolean stopped;

    AvailabilityProbe(String doors) {
        ConsoleLogging.silenceClient();
        habemus = Habemus.connect(ClientOptions.to(doors.split(",", -1))
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
                    // it is not added
                }
                Thread.sleep(PROBE_INTERVAL);
            }
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        }
    }

    /** When it was served after this time; waits for it. */
    OptionalLong servedAfter(long time) throws InterruptedException {
        long end = System.nanoTime() + SERVE_TIMEOUT.toNanos();
        var first = servedAtNanos.higher(time);
        while (first == null && System.nanoTime() - end < 0) {
            Thread.sleep(PROBE_INTERVAL);
            first = servedAtNanos.higher(time);
        }
        return first == null ? OptionalLong.empty() : OptionalLong.of(first);
    }

    /** When somebody was served, so far. */
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
