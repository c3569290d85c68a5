package habemus.client;

import habemus.lockservice.protocol.ClientFrame;
import habemus.lockservice.protocol.Message;
import habemus.protocol.NodeId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The connection to a node; those to nodes that were asked before and are silent; and maybe one to a better node that
 * is being tried. Which node the session's node numbers mean is decided here, each time it turns to another one. For
 * the driver's turn alone, but for {@link #flush}.
 */
final class NodeConnections {

    /** So long it does not go back to where it came from, when two nodes disagree on who leads. */
    private static final long SWITCH_BACK_DELAY_NANOS = Duration.ofSeconds(10).toNanos();

    private final NodeConnection.ConnectOptions connectOptions;
    private final NodeConnection.Listener listener;
    private final EndpointSelector endpointSelector;
    private final PendingQueries pendingQueries;
    private final Map<Endpoint, NodeConnection> silent = new HashMap<>(); // to nodes that may still answer
    private volatile Optional<NodeConnection> nodeConnection = Optional.empty();
    private Optional<NodeConnection> better = Optional.empty();
    private Optional<Endpoint> left = Optional.empty();
    private long calmUntil = System.nanoTime();

    NodeConnections(ClientOptions clientOptions, NodeConnection.Listener listener, PendingQueries pendingQueries) {
        connectOptions = NodeConnection.ConnectOptions.of(clientOptions);
        endpointSelector = new EndpointSelector(clientOptions.endpoints());
        this.listener = listener;
        this.pendingQueries = pendingQueries;
    }

    private boolean isCurrent(NodeConnection other) {
        return nodeConnection.equals(Optional.of(other));
    }

    /** Whether what is heard there counts. */
    boolean isOpen(NodeConnection other) {
        return isCurrent(other) || other.equals(silent.get(other.door()));
    }

    /**
     * To the node that the session calls so. If that is not the one at the other end, it is another one from now on.
     * The silent one is kept too: maybe all are slow, and whoever hangs up too soon hears nothing from any of them.
     */
    void send(NodeId node, ClientFrame.ToService parcel) {
        if (nodeConnection.filter(open -> open.node().equals(node)).isEmpty()) {
            var before = nodeConnection;
            before.ifPresent(this::keep);
            var endpoint = endpointSelector.next(before.map(NodeConnection::door));
            use(again(endpoint, node).orElseGet(() -> dial(endpoint, node)));
        }
        send(parcel);
    }

    /** Unless too much has been said there already. */
    private Optional<NodeConnection> again(Endpoint endpoint, NodeId node) {
        var known = silent.remove(endpoint);
        if (known == null) {
            return Optional.empty();
        }
        if (known.isBacklogFull()) {
            known.disconnect();
            return Optional.empty();
        }
        known.setNode(node);
        return Optional.of(known);
    }

    private void keep(NodeConnection unheard) {
        endpointSelector.onFailure(unheard.door(), !unheard.isSilentSinceWelcome(), "no answer in time");
        silent.put(unheard.door(), unheard);
    }

    /**
     * Whoever answers first is the one to talk to.
     *
     * @param node what the session calls it from now on
     */
    void onAnswer(NodeConnection by, NodeId node) {
        by.onAnswer();
        if (!isCurrent(by)) {
            silent.remove(by.door());
            nodeConnection.ifPresent(NodeConnection::disconnect);
            by.setNode(node);
            use(by);
        }
        dropSilent();
    }

    private void dropSilent() {
        silent.values().forEach(NodeConnection::disconnect);
        silent.clear();
    }

    /** If there is a line. */
    void send(ClientFrame.ToService parcel) {
        nodeConnection.ifPresent(open -> open.send(parcel));
    }

    /** After the turn, so that nothing that is due waits for it. */
    void flush() {
        nodeConnection.ifPresent(NodeConnection::flush);
    }

    private NodeConnection dial(Endpoint endpoint, NodeId node) {
        return NodeConnection.open(endpoint, node, connectOptions, listener, endpointSelector.backoffBefore(endpoint));
    }

    private void use(NodeConnection next) {
        nodeConnection = Optional.of(next);
        if (pendingQueries.hasWatchers()) {
            next.send(new ClientFrame.Request(new Message.Watch()));
        }
        pendingQueries.unanswered().forEach(next::send);
        pendingQueries.notifyChangesMissed();
    }

    /** {@return whether it is the one that was in use} */
    boolean onBroken(NodeConnection broken, String why) {
        endpointSelector.onFailure(broken.door(), true, why);
        better = better.filter(other -> !other.equals(broken));
        silent.remove(broken.door(), broken);
        boolean inUse = isCurrent(broken);
        nodeConnection = nodeConnection.filter(open -> !open.equals(broken));
        return inUse;
    }

    void onWelcome(NodeConnection by, ClientFrame.Welcome welcome) {
        by.onWelcome();
        endpointSelector.onSuccess(by.door());
        endpointSelector.refreshEndpoints(welcome);
    }

    /** Tries the leader's door, if this is another one. Until it works, nothing is given up. */
    void probeLeader(NodeId other) {
        if (nodeConnection.isPresent() && better.isEmpty()) {
            boolean calm = System.nanoTime() - calmUntil >= 0;
            better = endpointSelector
                    .betterThan(nodeConnection.get().door())
                    .filter(endpoint -> calm || !left.equals(Optional.of(endpoint)))
                    .map(endpoint -> dial(endpoint, other));
        }
    }

    /**
     * If it is the better node that was tried, it is used from now on.
     *
     * @param other what the session would call the next node
     */
    boolean switchToLeader(NodeConnection works, NodeId other) {
        if (!better.equals(Optional.of(works))) {
            return false;
        }
        better = Optional.empty();
        works.setNode(other);
        left = nodeConnection.map(NodeConnection::door);
        calmUntil = System.nanoTime() + SWITCH_BACK_DELAY_NANOS;
        nodeConnection.ifPresent(NodeConnection::disconnect);
        dropSilent();
        use(works);
        return true;
    }

    void disconnectAll() {
        nodeConnection.ifPresent(NodeConnection::disconnect);
        better.ifPresent(NodeConnection::disconnect);
        dropSilent();
        nodeConnection = Optional.empty();
        better = Optional.empty();
    }

    String describeFailures() {
        return endpointSelector.describeFailures();
    }
}
