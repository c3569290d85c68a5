package habemus.service.node;

import habemus.protocol.NodeId;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A question to all nodes, and the answers so far. */
final class Inquiry {

    private final Map<NodeId, Report> answers = new TreeMap<>();
    private final CompletableFuture<Void> complete = new CompletableFuture<>();
    private final int expected;

    Inquiry(int expected) {
        this.expected = expected;
    }

    synchronized void answered(NodeId node, Report report) {
        answers.put(node, report);
        if (answers.size() == expected) {
            complete.complete(null);
        }
    }

    private synchronized Map<NodeId, Report> answers() {
        return new TreeMap<>(answers);
    }

    CompletableFuture<Map<NodeId, Report>> within(long millis) {
        return complete.completeOnTimeout(null, millis, TimeUnit.MILLISECONDS).thenApply(done -> answers());
    }
}
