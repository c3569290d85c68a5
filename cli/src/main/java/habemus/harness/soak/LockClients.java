package habemus.harness.soak;

import com.google.gson.JsonObject;
import habemus.cli.admin.ServiceClient;
import habemus.harness.cluster.ControlledCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/** Clients of a cluster: one at each node for each lock, that comes again and again, whatever becomes of the nodes. */
final class LockClients {

    private static final int WAIT_MILLIS = 3_000; // milliseconds, as all of these
    private static final int LEASE_MILLIS = 2_000;
    private static final int HTTP_TIMEOUT_MILLIS = 5_000;
    private static final int MAX_THINK_MILLIS = 1_000; // at most
    private static final int MAX_HOLD_MILLIS = 10; // at most

    private final ControlledCluster controlledCluster;
    private final List<String> locks;
    private final LongAdder entries = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;

    LockClients(ControlledCluster controlledCluster, List<String> locks) {
        this.controlledCluster = controlledCluster;
        this.locks = locks;
    }

    void start() {
        for (int node : controlledCluster.nodes()) {
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

    /** How often somebody was not let in, or the node did not answer. */
    long failures() {
        return failures.sum();
    }

    private void runClient(int node, String lock) {
        try {
            while (!stopped) {
                if (acquireAndRelease(controlledCluster.httpClient(node), lock)) {
                    entries.increment();
                } else {
                    failures.increment();
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(MAX_THINK_MILLIS));
            }
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether it was let in. */
    static boolean acquireAndRelease(ServiceClient serviceClient, String lock) throws InterruptedException {
        try {
            var body = new JsonObject();
            body.addProperty("wait", WAIT_MILLIS);
            body.addProperty("lease", LEASE_MILLIS);
            var granted = serviceClient.post(
                    "/locks/" + ServiceClient.encode(lock) + "/acquire", body, Duration.ofMillis(HTTP_TIMEOUT_MILLIS));
            if (!granted.isSuccess()) {
                return false;
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(MAX_HOLD_MILLIS));
            var release = "/tickets/" + granted.text("ticket") + "/release";
            return serviceClient
                    .post(release, new JsonObject(), Duration.ofMillis(HTTP_TIMEOUT_MILLIS))
                    .isSuccess();
        } catch (IOException unreachable) {
            return false;
        }
    }
}
