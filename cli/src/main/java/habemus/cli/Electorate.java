package habemus.cli;

import com.google.gson.JsonObject;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Whom each node of a cluster names as leader, as it tells. */
final class Electorate {

    private final Cluster cluster;
    private final Map<Integer, String> named = new HashMap<>();

    Electorate(Cluster cluster) {
        this.cluster = cluster;
        cluster.nodes().forEach(this::listen);
    }

    /** Also again, after it was killed. */
    void listen(int node) {
        tell(node, "");
        Thread.ofVirtual().start(() -> {
            try {
                cluster.door(node).watch("node", (kind, data) -> hear(node, kind, data));
            } catch (UncheckedIOException ended) {
                // so has the node
            }
        });
    }

    private void hear(int node, String kind, JsonObject data) {
        if (kind.equals("leader") && data.get("name").getAsString().equals(ServeOptions.LEADER)) {
            tell(node, data.get("leader").isJsonNull() ? "" : data.get("leader").getAsString());
        }
    }

    private synchronized void tell(int node, String leader) {
        named.put(node, leader);
        notifyAll();
    }

    /** The one of them whom all of them name; nothing if there is none in time. */
    synchronized Optional<Integer> agree(Collection<Integer> nodes, long millis) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (true) {
            for (int node : nodes) {
                if (nodes.stream().allMatch(each -> ("n" + node).equals(named.get(each)))) {
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
