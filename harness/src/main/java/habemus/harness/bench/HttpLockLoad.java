package habemus.harness.bench;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import habemus.harness.HarnessException;
import habemus.harness.cluster.ControlledCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.DoubleConsumer;

/** One HTTP client at each node acquires and releases a lock of its own without end, and records when it was served. */
final class HttpLockLoad implements AutoCloseable {

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration SERVE_TIMEOUT = Duration.ofSeconds(60);
    private static final int WAIT_MILLIS = 800;
    private static final int LEASE_MILLIS = 2_000;
    private static final Duration PAUSE = Duration.ofMillis(5);

    /** @param startNanos when the cycle began */
    private record Cycle(int node, long startNanos) {}

    private final ControlledCluster cluster;
    private final ConcurrentSkipListMap<Long, Cycle> served = new ConcurrentSkipListMap<>(); // by its end
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean isStopped;

    HttpLockLoad(ControlledCluster cluster) {
        this.cluster = cluster;
        for (int node : cluster.nodes()) {
            threads.add(Thread.ofVirtual().start(() -> run(node)));
        }
    }

    private void run(int node) {
        try {
            for (int i = 1; !isStopped; i++) {
                long start = System.nanoTime();
                if (cycle(node, "probe-" + node + "-" + i)) {
                    served.put(System.nanoTime(), new Cycle(node, start));
                }
                Thread.sleep(PAUSE);
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /** A fresh lock each time: a cycle whose outcome is unknown delays no other. */
    private boolean cycle(int node, String lock) throws InterruptedException {
        var body = new JsonObject();
        body.addProperty("wait", WAIT_MILLIS);
        body.addProperty("lease", LEASE_MILLIS);
        try {
            var granted = cluster.httpClient(node).post("/locks/" + lock + "/acquire", body, REQUEST_TIMEOUT);
            return granted.isSuccess()
                    && cluster.httpClient(node)
                            .post("/tickets/" + granted.text("ticket") + "/release", new JsonObject(), REQUEST_TIMEOUT)
                            .isSuccess();
        } catch (IOException unreachable) {
            return false;
        }
    }

    /** Waits until every node has served its client. */
    void awaitService(Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        while (served.values().stream().map(Cycle::node).distinct().count()
                < cluster.nodes().size()) {
            await(end, "not every node served a client within " + timeout.toSeconds() + " s");
        }
    }

    int awaitLeader(Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        while (true) {
            try {
                var leader = cluster.httpClient(1)
                        .get("/status", REQUEST_TIMEOUT)
                        .json()
                        .get("leader");
                if (leader != null && !(leader instanceof JsonNull)) {
                    return Integer.parseInt(leader.getAsString().substring(1));
                }
            } catch (IOException unreachable) {
                // asked again
            }
            await(end, "no leader within " + timeout.toSeconds() + " s");
        }
    }

    /** The end of the first cycle that began after {@code start} and that another node served. */
    long servedByOthers(int faulty, long start) throws InterruptedException {
        long end = System.nanoTime() + SERVE_TIMEOUT.toNanos();
        while (true) {
            for (var cycle : served.tailMap(start).entrySet()) {
                if (cycle.getValue().node != faulty && cycle.getValue().startNanos > start) {
                    return cycle.getKey();
                }
            }
            await(end, "no service within " + SERVE_TIMEOUT.toSeconds() + " s");
        }
    }

    private static void await(long end, String failure) throws InterruptedException {
        if (System.nanoTime() - end > 0) {
            throw new HarnessException(failure, "check the load of this machine");
        }
        Thread.sleep(PAUSE);
    }

    /** Measures the longest time without a served cycle, and the cycles a second, from now on. */
    void measure(Duration time, DoubleConsumer longestGapSeconds, DoubleConsumer cyclesPerSecond)
            throws InterruptedException {
        long start = System.nanoTime();
        Thread.sleep(time);
        long end = System.nanoTime();
        var ends = new ArrayList<>(served.subMap(start, end).keySet());
        long longest = 0;
        long previous = start;
        for (long at : ends) {
            longest = Math.max(longest, at - previous);
            previous = at;
        }
        longestGapSeconds.accept(Math.max(longest, end - previous) / 1e9);
        cyclesPerSecond.accept(ends.size() / ((end - start) / 1e9));
    }

    @Override
    public void close() {
        isStopped = true;
        threads.forEach(Thread::interrupt);
    }
}
