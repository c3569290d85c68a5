package habemus.mutex;

import habemus.protocol.NodeId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Who asked for a grant, first come first served; the first one has it. Nobody is in it twice. */
public record GrantQueue(List<GrantRequest> requests) {

    /** @param number which request of that node it is; later ones have higher numbers */
    public record GrantRequest(NodeId node, long number) {
        private boolean supersedes(GrantRequest other) {
            return node.equals(other.node) && number > other.number;
        }
    }

    public static final GrantQueue EMPTY = new GrantQueue(List.of());

    /** Nobody gets anything before this node, which has asked for nothing, is taken out again. */
    public static GrantQueue blockedBy(NodeId node) {
        return new GrantQueue(List.of(new GrantRequest(node, Long.MAX_VALUE)));
    }

    /** Who asks anew has given up what it asked for before; what it asked before that comes too late. */
    public GrantQueue with(GrantRequest latest) {
        var others = requests.stream()
                .filter(grantRequest -> !latest.supersedes(grantRequest))
                .toList();
        boolean known = others.stream().anyMatch(grantRequest -> grantRequest.node.equals(latest.node));
        return new GrantQueue(
                known
                        ? others
                        : Stream.concat(others.stream(), Stream.of(latest)).toList());
    }

    /** Without this one, and all that it outdates. */
    public GrantQueue without(GrantRequest last) {
        return new GrantQueue(requests.stream()
                .filter(grantRequest -> !last.equals(grantRequest) && !last.supersedes(grantRequest))
                .toList());
    }

    public GrantQueue withoutFirst() {
        return new GrantQueue(requests.stream().skip(1).toList());
    }

    /** Who is first now and was not before. */
    public Optional<GrantRequest> newFirst(GrantQueue before) {
        return requests.stream()
                .findFirst()
                .filter(first ->
                        before.requests.isEmpty() || !before.requests.getFirst().equals(first));
    }
}
