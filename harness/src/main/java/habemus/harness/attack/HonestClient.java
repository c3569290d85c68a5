package habemus.harness.attack;

import habemus.client.ClientOptions;
import habemus.client.Grant;
import habemus.client.Habemus;
import habemus.client.HabemusException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.HdrHistogram.Histogram;

/**
 * A client beside an attack. It holds one lock all the time, and acquires and releases others without end. Whatever the
 * attacker does, it must not lose the lock, see a fence that does not grow, or be refused.
 */
final class HonestClient implements AutoCloseable {

    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final Duration THINK_TIME = Duration.ofMillis(2);
    private static final long MAX_NANOS = Duration.ofMinutes(5).toNanos();
    private static final int MAX_PROBLEMS = 5;

    private final Habemus habemus;
    private final Grant held;
    private final List<String> problems = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private Histogram latencies = newHistogram();
    private volatile boolean isStopped;

    /** @throws HabemusException if the service does not grant a lock */
    HonestClient(ClientOptions options) throws InterruptedException {
        habemus = Habemus.connect(options.withName("honest").withConnectTimeout(WAIT));
        held = habemus.lock("honest-held").acquire(WAIT);
        held.onLost(reason -> problems.add("the honest client lost its lock: " + reason));
        thread = Thread.ofPlatform().daemon().name("honest-client").start(this::run);
    }

    private static Histogram newHistogram() {
        return new Histogram(MAX_NANOS, 3);
    }

    private void run() {
        long lastFence = 0;
        try {
            while (!isStopped) {
                lastFence = cycle(lastFence);
                Thread.sleep(THINK_TIME);
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private long cycle(long lastFence) throws InterruptedException {
        long start = System.nanoTime();
        try (var grant = habemus.lock("honest").acquire(WAIT)) {
            if (grant.fence() <= lastFence) {
                report("the fence " + grant.fence() + " is not larger than " + lastFence);
            }
            grant.release();
            record(System.nanoTime() - start);
            return grant.fence();
        } catch (HabemusException failed) {
            report("the honest client was not served: " + failed.getMessage());
            return lastFence;
        }
    }

    private void report(String problem) {
        if (problems.size() < MAX_PROBLEMS) {
            problems.add(problem.lines().findFirst().orElse(problem));
        }
    }

    private synchronized void record(long nanos) {
        latencies.recordValue(Math.min(nanos, MAX_NANOS));
    }

    /** The latencies since the last call. */
    synchronized Histogram takeLatencies() {
        var taken = latencies;
        latencies = newHistogram();
        return taken;
    }

    /** What went wrong since the last call. */
    List<String> takeProblems() {
        if (!held.isValid() && problems.isEmpty()) {
            problems.add("the honest client lost its lock");
        }
        var taken = List.copyOf(problems);
        problems.removeAll(taken);
        return taken;
    }

    @Override
    public void close() {
        isStopped = true;
        thread.interrupt();
        habemus.close();
    }
}
