package habemus.harness.cluster;

import com.google.gson.JsonObject;
import habemus.cli.serve.ServeOptions;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Whom each node of a cluster names as leader, as it tells. */
public final class LeaderPoll {

    private final ControlledCluster controlledCluster;
    private final Map<Integer, String> leaders = new HashMap<>();

    public LeaderPoll(ControlledCluster controlledCluster) {
        this.controlledCluster = controlledCluster;
        controlledCluster.nodes().forEach(this::subscribe);
    }

    /** Also again, after it was killed. */
    public void subscribe(int node) {
        setLeader(node, "");
        Thread.ofVirtual().start(() -> {
            try {
                controlledCluster.httpClient(node).watch("node", (kind, data) -> onEvent(node, kind, data));
            } catch (UncheckedIOException ended) {
                // so has the node
            }
        });
    }

    private void onEvent(int node, String kind, JsonObject data) {
        if (kind.equals("leader") && data.get("name").getAsString().equals(ServeOptions.DEFAULT_ELECTION)) {
            setLeader(
                    node,
                    data.get("leader").isJsonNull() ? "" : data.get("leader").getAsString());
        }
    }

    private synchronized void setLeader(int node, String leader) {
        leaders.put(node, leader);
        notifyAll();
    }

    /** The one of them whom all of them name; nothing if there is none in time. */
    public synchronized Optional<Integer> awaitAgreement(Collection<Integer> nodes, long millis)
            throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (true) {
            for (int node : nodes) {
                if (nodes.stream().allMatch(each -> ("n" + node).equals(leaders.get(each)))) {
                    return Optional.of(node);
                }
            }
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                return Optional.empty();
            }
            wait(left);
        }
    }
}
