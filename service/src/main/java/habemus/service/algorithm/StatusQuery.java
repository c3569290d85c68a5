package habemus.service.algorithm;

import habemus.protocol.NodeId;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A question to all nodes, and the answers so far. */
final class StatusQuery {

    private final Map<NodeId, NodeReport> reports = new TreeMap<>();
    private final CompletableFuture<Void> allReported = new CompletableFuture<>();
    private final int expected;

    StatusQuery(int expected) {
        this.expected = expected;
    }

    synchronized void onReport(NodeId node, NodeReport nodeReport) {
        reports.put(node, nodeReport);
        if (reports.size() == expected) {
            allReported.complete(null);
        }
    }

    private synchronized Map<NodeId, NodeReport> reports() {
        return new TreeMap<>(reports);
    }

    CompletableFuture<Map<NodeId, NodeReport>> reportsWithin(long millis) {
        return allReported
                .completeOnTimeout(null, millis, TimeUnit.MILLISECONDS)
                .thenApply(done -> reports());
    }
}
