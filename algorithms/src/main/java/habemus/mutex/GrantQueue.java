package habemus.mutex;

import habemus.protocol.NodeId;
import habemus.protocol.NotedState;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The FIFO queue of a coordinator. The first request has the grant; each node has at most one request in it. */
public record GrantQueue(List<GrantRequest> requests) {

    /** @param number counts the requests of this node */
    public record GrantRequest(NodeId node, long number) {
        private boolean supersedes(GrantRequest other, RequestNumbers numbers) {
            return node.equals(other.node) && numbers.isNewer(number, other.number);
        }
    }

    /** The request number of a node that blocks its own queue. */
    private static final long BLOCKED = Long.MAX_VALUE;

    public static final GrantQueue EMPTY = new GrantQueue(List.of());

    /** A queue in which no request gets the grant until {@link #withoutFirst} removes this node, which sent none. */
    public static GrantQueue blockedBy(NodeId node) {
        return new GrantQueue(List.of(new GrantRequest(node, BLOCKED)));
    }

    /** The grant and the waiters, for readers. */
    public String describe() {
        var text = NotedState.describe(requests.stream().map(GrantRequest::node).toList());
        boolean isBlocked = !requests.isEmpty() && requests.getFirst().number == BLOCKED;
        return isBlocked ? text.replaceFirst("granted to [^,]*", "grants nothing yet") : text;
    }

    /** Adds a request in place of an older one of the same node. A request that is not newer changes nothing. */
    public GrantQueue with(NodeId node, long number, RequestNumbers numbers) {
        var latest = new GrantRequest(node, number);
        var others = requests.stream()
                .filter(request -> !latest.supersedes(request, numbers))
                .toList();
        boolean isOutdated = others.stream().anyMatch(request -> request.node.equals(latest.node));
        return new GrantQueue(
                isOutdated
                        ? others
                        : Stream.concat(others.stream(), Stream.of(latest)).toList());
    }

    /** Removes this request, and older ones of the same node. */
    public GrantQueue without(NodeId node, long number, RequestNumbers numbers) {
        var last = new GrantRequest(node, number);
        return new GrantQueue(requests.stream()
                .filter(request -> !last.equals(request) && !last.supersedes(request, numbers))
                .toList());
    }

    public GrantQueue withoutFirst() {
        return new GrantQueue(requests.stream().skip(1).toList());
    }

    /** The first request, if it was not the first one in {@code before}. */
    public Optional<GrantRequest> newFirst(GrantQueue before) {
        return requests.stream()
                .findFirst()
                .filter(first ->
                        before.requests.isEmpty() || !before.requests.getFirst().equals(first));
    }
}
