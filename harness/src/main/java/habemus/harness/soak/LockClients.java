package habemus.harness.soak;

import com.google.gson.JsonObject;
import habemus.harness.cluster.ControlledCluster;
import habemus.harness.cluster.NodeHttpClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/** HTTP clients that acquire and release classic locks without end: one per node and lock, during all faults. */
final class LockClients {

    private static final int WAIT_MILLIS = 3_000;
    private static final int LEASE_MILLIS = 2_000;
    private static final int HTTP_TIMEOUT_MILLIS = 5_000;
    private static final int MAX_THINK_MILLIS = 1_000;
    private static final int MAX_HOLD_MILLIS = 10;

    private final ControlledCluster cluster;
    private final List<String> locks;
    private final LongAdder entries = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;

    LockClients(ControlledCluster cluster, List<String> locks) {
        this.cluster = cluster;
        this.locks = locks;
    }

    void start() {
        for (int node : cluster.nodes()) {
            for (String lock : locks) {
                threads.add(Thread.ofVirtual().start(() -> runClient(node, lock)));
            }
        }
    }

    void stop() throws InterruptedException {
        stopped = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    long entries() {
        return entries.sum();
    }

    /** How often a lock was not granted, or the node did not answer. */
    long failures() {
        return failures.sum();
    }

    private void runClient(int node, String lock) {
        try {
            while (!stopped) {
                if (acquireAndRelease(cluster.httpClient(node), lock)) {
                    entries.increment();
                } else {
                    failures.increment();
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(MAX_THINK_MILLIS));
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether the lock was granted and released. */
    static boolean acquireAndRelease(NodeHttpClient client, String lock) throws InterruptedException {
        try {
            var body = new JsonObject();
            body.addProperty("wait", WAIT_MILLIS);
            body.addProperty("lease", LEASE_MILLIS);
            var granted = client.post(
                    "/locks/" + NodeHttpClient.encode(lock) + "/acquire", body, Duration.ofMillis(HTTP_TIMEOUT_MILLIS));
            if (!granted.isSuccess()) {
                return false;
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(MAX_HOLD_MILLIS));
            var release = "/tickets/" + granted.text("ticket") + "/release";
            return client.post(release, new JsonObject(), Duration.ofMillis(HTTP_TIMEOUT_MILLIS))
                    .isSuccess();
        } catch (IOException unreachable) {
            return false;
        }
    }
}
