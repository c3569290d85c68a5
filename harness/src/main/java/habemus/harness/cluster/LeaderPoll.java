package habemus.harness.cluster;

import com.google.gson.JsonObject;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Follows which leader each node of a cluster names, by the events of its HTTP API. */
public final class LeaderPoll {

    /** The election that a node with an election algorithm holds from its start. */
    public static final String ELECTION = "leader";

    private final ControlledCluster cluster;
    private final Map<Integer, String> leaders = new HashMap<>();

    public LeaderPoll(ControlledCluster cluster) {
        this.cluster = cluster;
        cluster.nodes().forEach(this::subscribe);
    }

    /** To be called again after a restart of the node. */
    public void subscribe(int node) {
        setLeader(node, "");
        Thread.ofVirtual().start(() -> {
            try {
                cluster.httpClient(node).watch("node", (kind, data) -> onEvent(node, kind, data));
            } catch (UncheckedIOException exited) {
                // the node is down
            }
        });
    }

    private void onEvent(int node, String kind, JsonObject data) {
        if (kind.equals("leader") && data.get("name").getAsString().equals(ELECTION)) {
            var leader = data.get("leader");
            setLeader(node, leader.isJsonNull() ? "" : leader.getAsString());
        }
    }

    private synchronized void setLeader(int node, String leader) {
        leaders.put(node, leader);
        notifyAll();
    }

    /** Waits until these nodes name the same one of them as leader. Empty if they do not in time. */
    public synchronized Optional<Integer> awaitAgreement(Collection<Integer> nodes, long millis)
            throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (true) {
            for (int candidate : nodes) {
                if (nodes.stream().allMatch(node -> ("n" + candidate).equals(leaders.get(node)))) {
                    return Optional.of(candidate);
                }
            }
            long remaining = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (remaining <= 0) {
                return Optional.empty();
            }
            wait(remaining);
        }
    }
}
