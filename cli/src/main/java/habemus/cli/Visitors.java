package habemus.cli;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/** Clients of a cluster: one at each node for each lock, that comes again and again, whatever becomes of the nodes. */
final class Visitors {

    private static final int WAIT = 3_000; // milliseconds, as all of these
    private static final int LEASE = 2_000;
    private static final int PATIENCE = 5_000;
    private static final int THINKING = 1_000; // at most
    private static final int INSIDE = 10; // at most

    private final Cluster cluster;
    private final List<String> locks;
    private final LongAdder entries = new LongAdder();
    private final LongAdder disappointments = new LongAdder();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean over;

    Visitors(Cluster cluster, List<String> locks) {
        this.cluster = cluster;
        this.locks = locks;
    }

    void begin() {
        for (int node : cluster.nodes()) {
            for (String lock : locks) {
                threads.add(Thread.ofVirtual().start(() -> comeAgain(node, lock)));
            }
        }
    }

    void end() throws InterruptedException {
        over = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    long entries() {
        return entries.sum();
    }

    /** How often somebody was not let in, or the node did not answer. */
    long disappointments() {
        return disappointments.sum();
    }

    private void comeAgain(int node, String lock) {
        try {
            while (!over) {
                if (visit(cluster.door(node), lock)) {
                    entries.increment();
                } else {
                    disappointments.increment();
                }
                Thread.sleep(ThreadLocalRandom.current().nextInt(THINKING));
            }
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether it was let in. */
    static boolean visit(Door door, String lock) throws InterruptedException {
        try {
            var body = new JsonObject();
            body.addProperty("wait", WAIT);
            body.addProperty("lease", LEASE);
            var granted = door.post("/locks/" + Door.encode(lock) + "/acquire", body, Duration.ofMillis(PATIENCE));
            if (!granted.isDone()) {
                return false;
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(INSIDE));
            var release = "/tickets/" + granted.text("ticket") + "/release";
            return door.post(release, new JsonObject(), Duration.ofMillis(PATIENCE))
                    .isDone();
        } catch (IOException unreachable) {
            return false;
        }
    }
}
