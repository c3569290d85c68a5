package habemus.service.http;

import habemus.service.http.ApiResponses.ReasonJson;
import habemus.service.server.LockServerNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether a lock server works, whether it can serve clients now, and how current its table is. */
final class NodeHealth {

    /** The leader sends heartbeats every 100 ms, and is replaced after a second without one. */
    private static final Duration CURRENT_WITHIN = Duration.ofSeconds(1);

    /** A loop that takes longer is stuck. */
    private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(2);

    private final LockServerNode node;

    NodeHealth(LockServerNode node) {
        this.node = node;
    }

    /** @throws ApiException if only a new start of the process can help */
    void requireLive() {
        if (node.failure().isDone()) {
            throw TicketErrors.nodeFailed();
        }
        if (!node.isResponsive(RESPONSE_TIMEOUT)) {
            throw new ApiException(
                    503,
                    "stuck",
                    "the event loop has not responded for " + RESPONSE_TIMEOUT.toSeconds() + " s",
                    "see the CPU load, the garbage collector and the disk of the node; start it again");
        }
    }

    /** Why this node should get no new clients now; empty if it should. */
    List<ReasonJson> reasons() {
        var reasons = new ArrayList<ReasonJson>();
        if (node.failure().isDone()) {
            reasons.add(new ReasonJson("failed", "the node has stopped after a failure"));
        }
        node.log().health().problem().ifPresent(problem -> reasons.add(new ReasonJson("engine-unreachable", problem)));
        if (node.loop().leader().isEmpty()) {
            reasons.add(new ReasonJson("no-leader", "no node is known to lead: no majority is connected"));
        }
        staleSince().ifPresent(since -> reasons.add(new ReasonJson("behind", "not certainly current since " + since)));
        QuotaUse.of(node.loop().table()).stream()
                .filter(QuotaUse::isFull)
                .forEach(use -> reasons.add(new ReasonJson(
                        "quota-full", "quota " + use.quota() + " is full: " + use.used() + " of " + use.limit())));
        return reasons;
    }

    /** The last time when the table of this node was certainly current; empty if it is. */
    Optional<String> staleSince() {
        var staleness = node.log().staleness();
        return staleness.compareTo(CURRENT_WITHIN) <= 0
                ? Optional.empty()
                : Optional.of(ApiResponses.time(System.currentTimeMillis() - staleness.toMillis()));
    }
}
