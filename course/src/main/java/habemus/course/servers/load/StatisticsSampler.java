package habemus.course.servers.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Asks a server process for its statistics many times a second, on a thread of its own, until it is closed. */
final class StatisticsSampler implements AutoCloseable {

    private static final long INTERVAL_NANOS = 50_000_000;

    private final LockServerProcess server;
    private final long start = System.nanoTime();
    private final List<ServerSample> samples = new ArrayList<>();
    private final Thread thread;
    private volatile boolean closed;

    StatisticsSampler(LockServerProcess server) {
        this.server = server;
        thread = Thread.ofPlatform().daemon().name("sampler").start(this::run);
    }

    private void run() {
        while (!closed) {
            var statistics = server.statistics();
            samples.add(new ServerSample((System.nanoTime() - start) / 1e9, statistics));
            LockSupport.parkNanos(INTERVAL_NANOS);
        }
    }

    /** Ends the sampling and returns what was sampled. */
    List<ServerSample> samples() {
        close();
        return List.copyOf(samples);
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
