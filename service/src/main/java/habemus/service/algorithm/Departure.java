package habemus.service.algorithm;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.util.concurrent.CompletableFuture;

/**
 * The leave of this node. It forwards messages until every live member has sent its last one. Only on the event loop.
 */
final class Departure {

    private final MembershipClient membership;
    private final MembershipClient.NodeServices node;
    private final NodeId self;
    private final CompletableFuture<Void> end;
    private NodeSet silent = NodeSet.NONE; // members that send nothing more
    private boolean isDrained;

    /** @param end completes when the node has left */
    Departure(
            NodeId self, MembershipClient membership, MembershipClient.NodeServices node, CompletableFuture<Void> end) {
        this.self = self;
        this.membership = membership;
        this.node = node;
        this.end = end;
    }

    private NodeSet others() {
        return membership.known().nodes().without(self);
    }

    /** Call it after the last messages of this node. */
    void begin() {
        others().forEach(this::announceTo);
    }

    /** Tells a member that has restarted, too. */
    void announceTo(NodeId member) {
        node.send(member, new MembershipFrame.Departing());
    }

    void onNoMore(NodeId member) {
        silent = silent.with(member);
        advance();
    }

    void onSettled() {
        end.complete(null);
    }

    /** Call it when a condition may have changed. */
    void advance() {
        if (!isDrained && others().without(silent).toList().stream().allMatch(node::isSuspected)) {
            isDrained = true;
            others().forEach(member -> node.send(member, new MembershipFrame.Drained()));
        }
        if (isDrained && node.isSuspected(membership.coordinator())) {
            end.complete(null); // the coordinator knows when it is back
        }
    }
}
