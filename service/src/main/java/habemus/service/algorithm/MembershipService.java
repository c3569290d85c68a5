package habemus.service.algorithm;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.service.algorithm.ViewHistory.Change;
import habemus.service.algorithm.ViewHistory.MemberAddress;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The membership service, at the first node of the start. It numbers the views and makes one change at a time. A change
 * is over when all live members know it, and no message of or to the node that left is in flight. Only on the event
 * loop.
 */
final class MembershipService {

    /** A change that was asked for. */
    private sealed interface Request {

        NodeId node();

        record Join(MemberAddress member, JoinReply reply) implements Request {
            @Override
            public NodeId node() {
                return member.node();
            }
        }

        record Leave(NodeId node, LeaveReply reply) implements Request {}
    }

    /** How a request to join ends. */
    interface JoinReply {

        void welcome(ViewHistory history, NodeSet liveMembers);

        void refuse(Refusal refusal);
    }

    /** How a request to leave ends: empty when the node has left. */
    interface LeaveReply extends Consumer<Optional<Refusal>> {}

    private final NodeId self;
    private final AlgorithmNodeConfig config;
    private final MembershipClient membership;
    private final MembershipClient.NodeServices node;
    private final ArrayDeque<Request> queue = new ArrayDeque<>();
    private final Map<NodeId, Integer> knownViews = new HashMap<>(); // as the members report them
    private @Nullable Request current;
    private boolean isStarted;
    private boolean isAnnounced; // the current change
    private boolean isWelcomed; // the node that joins

    MembershipService(AlgorithmNodeConfig config, MembershipClient membership, MembershipClient.NodeServices node) {
        self = config.self();
        this.config = config;
        this.membership = membership;
        this.node = node;
    }

    /** A node asks to join. A member that has restarted asks again. */
    void join(MemberAddress member, JoinReply reply) {
        var join = new Request.Join(member, reply);
        if (current != null && current.node().equals(member.node())) {
            current = join;
            isWelcomed = false;
        } else if (membership.isMember(member.node())) {
            reply.welcome(membership.known(), liveMembers());
        } else {
            queue.removeIf(request -> request.node().equals(member.node())); // of an earlier incarnation
            queue.add(join);
        }
        advance();
    }

    void leave(NodeId leaver, LeaveReply reply) {
        queue.add(new Request.Leave(leaver, reply));
        advance();
    }

    void onKnown(NodeId member, int view) {
        knownViews.merge(member, view, Math::max);
        advance();
    }

    /** A peer has restarted: it may know less than before. */
    void onNewIncarnation(NodeId member) {
        knownViews.remove(member);
        advance();
    }

    void onDepartRefused(NodeId leaver, Refusal refusal) {
        if (current instanceof Request.Leave leave && leave.node.equals(leaver) && !isAnnounced) {
            current = null;
            leave.reply.accept(Optional.of(refusal));
            advance();
        }
    }

    /** The node has sent its last message, so the change begins. This service may have restarted since it asked. */
    void onDeparting(NodeId leaver) {
        if (current == null) {
            current = new Request.Leave(leaver, outcome -> {});
            isAnnounced = false;
        }
        if (!current.node().equals(leaver)) {
            leave(leaver, outcome -> {});
            return;
        }
        if (membership.isMember(leaver) && !isAnnounced) {
            announce(new Change(address(leaver), false));
        }
    }

    private MemberAddress address(NodeId member) {
        return membership.known().members().stream()
                .filter(any -> any.node().equals(member))
                .map(MemberAddress::of)
                .findFirst()
                .orElseThrow();
    }

    /** Changes begin from now on: the members have told the views that this node may have forgotten. */
    void start() {
        isStarted = true;
    }

    /** Continues the current change, or begins the next. Call it when a condition may have changed. */
    void advance() {
        while (isStarted && (current == null ? !queue.isEmpty() && isKnownBy(liveMembers()) : isOver())) {
            if (current == null) {
                begin(queue.remove());
            } else {
                end(current);
            }
        }
    }

    private NodeSet liveMembers() {
        var live = membership.known().nodes();
        for (NodeId member : live) {
            live = !member.equals(self) && node.isSuspected(member) ? live.without(member) : live;
        }
        return live;
    }

    private boolean isKnownBy(NodeSet members) {
        int view = membership.known().view();
        return members.toList().stream().allMatch(member -> knownViews.getOrDefault(member, -1) >= view);
    }

    private void begin(Request request) {
        isAnnounced = false;
        isWelcomed = false;
        switch (request) {
            case Request.Join join -> begin(join);
            case Request.Leave leave -> begin(leave);
        }
    }

    private void begin(Request.Join join) {
        if (node.isSuspected(join.node())) {
            return; // it asks again when it is back
        }
        var refusal = algorithmsRefuse(join.node(), true);
        if (refusal.isPresent()) {
            join.reply.refuse(refusal.get());
            return;
        }
        current = join;
        announce(new Change(join.member, true));
    }

    private Optional<Refusal> algorithmsRefuse(NodeId changed, boolean joins) {
        return Refusal.of(
                List.of(config.lockAlgorithm(), config.electionAlgorithm()),
                membership.known().first().size(),
                changed,
                joins);
    }

    private void begin(Request.Leave leave) {
        var refusal = refuse(leave.node);
        if (refusal.isPresent()) {
            leave.reply.accept(refusal);
            return;
        }
        current = leave;
        node.send(leave.node, new MembershipFrame.Depart());
    }

    private Optional<Refusal> refuse(NodeId leaver) {
        if (!membership.isMember(leaver)) {
            return Optional.of(new Refusal(
                    leaver + " is not a member",
                    "name one of " + membership.known().members()));
        }
        if (leaver.equals(self)) {
            return Optional.of(
                    new Refusal(self + " runs the membership service, and cannot leave", "let another node leave"));
        }
        return algorithmsRefuse(leaver, false)
                .or(() -> node.isSuspected(leaver) ? Optional.of(down(leaver)) : Optional.empty());
    }

    private static Refusal down(NodeId leaver) {
        return new Refusal(
                leaver + " is down (a node leaves while it is up)", "start " + leaver + " again, then let it leave");
    }

    private void announce(Change change) {
        isAnnounced = true;
        membership.announce(membership.known().with(change));
        var history = membership.known();
        history.nodes()
                .with(change.node())
                .without(self)
                .forEach(member -> node.send(member, new MembershipFrame.Views(history)));
        advance();
    }

    /** Whether the current change has ended. Welcomes the new member once all others know it. */
    private boolean isOver() {
        if (current instanceof Request.Leave leave && !isAnnounced) {
            return node.isSuspected(leave.node);
        }
        if (!isAnnounced) {
            return false;
        }
        if (current instanceof Request.Join join
                && !isWelcomed
                && isKnownBy(liveMembers().without(join.node()))) {
            isWelcomed = true;
            join.reply.welcome(membership.known(), liveMembers());
        }
        return isKnownBy(liveMembers());
    }

    private void end(Request request) {
        current = null;
        if (!isAnnounced) {
            ((Request.Leave) request).reply.accept(Optional.of(down(request.node())));
            return;
        }
        if (request instanceof Request.Leave leave) {
            leave.reply.accept(Optional.empty()); // before the node ends, if it has asked itself
        }
        int view = membership.known().view();
        membership
                .known()
                .nodes()
                .with(request.node())
                .without(self)
                .forEach(member -> node.send(member, new MembershipFrame.Settled(view)));
        membership.onSettled(view);
    }
}
