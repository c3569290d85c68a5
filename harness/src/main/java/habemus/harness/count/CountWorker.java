package habemus.harness.count;

import com.google.gson.JsonObject;
import habemus.harness.HarnessException;
import habemus.harness.cluster.NodeHttpClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * One of the processes of a {@link CounterExperiment}. It prints {@code ready}, starts when it reads a line, and prints
 * how often it has incremented the counter.
 *
 * @param lock HTTP client of the node that grants the lock; empty to count without a lock
 */
public record CountWorker(SharedCounter counter, long times, Optional<NodeHttpClient> lock) {

    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final Duration LEASE = Duration.ofSeconds(60);

    /**
     * @param file that holds the counter
     * @param node HTTP address of the node that grants the lock; empty to count without a lock
     */
    public static CountWorker of(Path file, long times, Optional<String> node) {
        return new CountWorker(new SharedCounter(file), times, node.map(NodeHttpClient::new));
    }

    /**
     * @return whether the worker was started
     * @throws HarnessException if the node cannot be reached
     */
    public boolean run(InputStream input, PrintStream output) {
        output.println("ready");
        output.flush();
        try {
            if (input.read() < 0) {
                return false; // the experiment has ended
            }
            long done = 0;
            while (done < times && increment()) {
                done++;
            }
            output.println(done);
            output.flush();
            return true;
        } catch (IOException failed) {
            throw new HarnessException("cannot reach the node: " + failed, "check whether the node is up");
        }
    }

    /** Returns false if the lock was not granted in time. */
    private boolean increment() throws IOException {
        if (lock.isEmpty()) {
            counter.increment();
            return true;
        }
        var node = lock.get();
        var body = new JsonObject();
        body.addProperty("wait", WAIT.toMillis());
        body.addProperty("lease", LEASE.toMillis());
        var granted = node.post("/locks/counter/acquire", body, WAIT.multipliedBy(2));
        if (!granted.isSuccess()) {
            return false;
        }
        counter.increment();
        var release = "/tickets/" + granted.text("ticket") + "/release";
        return node.post(release, new JsonObject(), WAIT).isSuccess();
    }
}
