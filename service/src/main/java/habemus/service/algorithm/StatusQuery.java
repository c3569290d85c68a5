package habemus.service.algorithm;

import habemus.protocol.NodeId;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Collects the reports of all nodes (scatter-gather). For any number of threads. */
final class StatusQuery {

    private final Map<NodeId, NodeReport> reports = new TreeMap<>();
    private final CompletableFuture<Void> allReported = new CompletableFuture<>();
    private final int expected;

    StatusQuery(int expected) {
        this.expected = expected;
    }

    synchronized void onReport(NodeId node, NodeReport report) {
        reports.put(node, report);
        if (reports.size() == expected) {
            allReported.complete(null);
        }
    }

    private synchronized Map<NodeId, NodeReport> reports() {
        return new TreeMap<>(reports);
    }

    /** The reports that have arrived within this time, or earlier if all have. */
    CompletableFuture<Map<NodeId, NodeReport>> reportsWithin(long millis) {
        return allReported
                .completeOnTimeout(null, millis, TimeUnit.MILLISECONDS)
                .thenApply(done -> reports());
    }
}
