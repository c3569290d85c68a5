package habemus.cli;

import habemus.client.Habemus;
import habemus.client.HabemusException;
import habemus.client.Options;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * Asks the service for a lock that nobody has ever wanted, again and again, to see when it serves. It does not wait
 * long for any of them: if its session is lost while it asks, it may have been let in, and would wait for its lease.
 */
final class SoakProbe implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration EACH = Duration.ofMillis(250);
    private static final Duration BETWEEN = Duration.ofMillis(10);

    private final Habemus habemus;
    private final ConcurrentSkipListSet<Long> served = new ConcurrentSkipListSet<>();
    private final Thread thread;
    private volatile boolean over;

    SoakProbe(String doors) {
        Logs.keepQuietAboutClients();
        habemus = Habemus.connect(Options.to(doors.split(",", -1))
                .name("probe")
                .lease(SoakClient.LEASE)
                .connectTimeout(PATIENCE));
        thread = Thread.ofPlatform().daemon().start(this::run);
    }

    private void run() {
        try {
            for (int i = 1; !over; i++) {
                try (var grant = habemus.lock("probe-" + i).acquire(EACH)) {
                    grant.ensureValid();
                    served.add(System.nanoTime());
                } catch (HabemusException notServed) {
                    // it is not added
                }
                Thread.sleep(BETWEEN);
            }
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        }
    }

    /** When it was served after this time; waits for it. */
    OptionalLong servedAfter(long time) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        var first = served.higher(time);
        while (first == null && System.nanoTime() - end < 0) {
            Thread.sleep(BETWEEN);
            first = served.higher(time);
        }
        return first == null ? OptionalLong.empty() : OptionalLong.of(first);
    }

    /** When somebody was served, so far. */
    SortedSet<Long> served() {
        return new TreeSet<>(served);
    }

    @Override
    public void close() {
        over = true;
        thread.interrupt();
        habemus.close();
    }
}
