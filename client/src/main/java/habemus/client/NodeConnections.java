package habemus.client;

import habemus.client.environment.ClientEnvironment;
import habemus.client.environment.Endpoint;
import habemus.lockservice.protocol.ClientFrame;
import habemus.lockservice.protocol.Message;
import habemus.protocol.NodeId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The connections of a client: the current one, those to silent nodes that may still answer, and possibly one that
 * probes the leader. It also maps the session's node numbers to real nodes, each time the session switches nodes. Used
 * by the driver only.
 */
final class NodeConnections {

    /** How long the client does not switch back to its previous node, if two nodes disagree about the leader. */
    private static final long SWITCH_BACK_DELAY_NANOS = Duration.ofSeconds(10).toNanos();

    private final String token;
    private final ClientEnvironment environment;
    private final NodeConnection.Listener listener;
    private final EndpointSelector endpoints;
    private final PendingQueries queries;
    private final Map<Endpoint, NodeConnection> silent = new LinkedHashMap<>(); // by endpoint
    private Optional<NodeConnection> current = Optional.empty();
    private Optional<NodeConnection> probe = Optional.empty();
    private Optional<Endpoint> previousEndpoint = Optional.empty();
    private long noSwitchBackUntilNanos;
    private String clusterId = ""; // of the session, as soon as a node has named it

    NodeConnections(
            ClientOptions options,
            ClientEnvironment environment,
            NodeConnection.Listener listener,
            PendingQueries queries) {
        token = options.token();
        endpoints = new EndpointSelector(options.endpoints(), environment);
        noSwitchBackUntilNanos = environment.loop().nanoTime();
        this.environment = environment;
        this.listener = listener;
        this.queries = queries;
    }

    private boolean isCurrent(NodeConnection other) {
        return current.equals(Optional.of(other));
    }

    /** {@return whether frames of this connection count} */
    boolean isOpen(NodeConnection other) {
        return isCurrent(other) || other.equals(silent.get(other.endpoint()));
    }

    /**
     * Sends to the node of this number. If the number is not that of the current connection, the client connects to
     * another node. The silent connection is kept: if all nodes are slow, closing early would lose every answer.
     */
    void send(NodeId node, ClientFrame.ToService frame) {
        if (current.filter(open -> open.node().equals(node)).isEmpty()) {
            var previous = current;
            previous.ifPresent(this::keepSilent);
            var endpoint = endpoints.next(previous.map(NodeConnection::endpoint));
            use(reuse(endpoint, node).orElseGet(() -> connect(endpoint, node)));
        }
        send(frame);
    }

    /** Reuses the connection to a silent node, unless its backlog is full. */
    private Optional<NodeConnection> reuse(Endpoint endpoint, NodeId node) {
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

    private void keepSilent(NodeConnection connection) {
        endpoints.onFailure(connection.endpoint(), !connection.isSilentSinceWelcome(), "no answer in time");
        silent.put(connection.endpoint(), connection);
    }

    /**
     * Makes the connection that answered first the current one.
     *
     * @param node the number by which the session knows the node from now on
     */
    void onAnswer(NodeConnection by, NodeId node) {
        by.onAnswer();
        if (!isCurrent(by)) {
            silent.remove(by.endpoint());
            current.ifPresent(NodeConnection::disconnect);
            by.setNode(node);
            use(by);
        }
        disconnectSilent();
    }

    private void disconnectSilent() {
        silent.values().forEach(NodeConnection::disconnect);
        silent.clear();
    }

    /** Sends on the current connection, if there is one. */
    void send(ClientFrame.ToService frame) {
        current.ifPresent(open -> open.send(frame));
    }

    private NodeConnection connect(Endpoint endpoint, NodeId node) {
        var delay = endpoints.backoffBefore(endpoint);
        var connection = new NodeConnection(endpoint, node, environment.connector(), listener, delay);
        connection.send(new ClientFrame.Hello(ClientFrame.VERSION, token, clusterId));
        return connection;
    }

    private void use(NodeConnection next) {
        current = Optional.of(next);
        if (queries.hasWatchers()) {
            next.send(new ClientFrame.Request(new Message.Watch()));
        }
        queries.unanswered().forEach(next::send);
        queries.notifyChangesMissed();
    }

    /** {@return whether it was the current connection} */
    boolean onBroken(NodeConnection connection, String reason) {
        endpoints.onFailure(connection.endpoint(), true, reason);
        probe = probe.filter(other -> !other.equals(connection));
        silent.remove(connection.endpoint(), connection);
        boolean wasCurrent = isCurrent(connection);
        current = current.filter(open -> !open.equals(connection));
        return wasCurrent;
    }

    /** {@return whether the node belongs to the cluster of the session} The first welcome names that cluster. */
    boolean isSameCluster(ClientFrame.Welcome welcome) {
        return clusterId.isEmpty() || clusterId.equals(welcome.clusterId());
    }

    void onWelcome(NodeConnection by, ClientFrame.Welcome welcome) {
        clusterId = welcome.clusterId();
        by.onWelcome();
        endpoints.onSuccess(by.endpoint());
        endpoints.refreshEndpoints(welcome);
    }

    /** Connects to the leader, if it is another node. The current connection stays in use until then. */
    void probeLeader(NodeId other) {
        if (current.isPresent() && probe.isEmpty()) {
            boolean maySwitchBack = environment.loop().nanoTime() - noSwitchBackUntilNanos >= 0;
            probe = endpoints
                    .betterThan(current.get().endpoint())
                    .filter(endpoint -> maySwitchBack || !previousEndpoint.equals(Optional.of(endpoint)))
                    .map(endpoint -> connect(endpoint, other));
        }
    }

    /**
     * Switches to the leader, if the connection is the one that probes it.
     *
     * @param other the number that the session uses for the next node
     * @return whether the client has switched
     */
    boolean switchToLeader(NodeConnection connection, NodeId other) {
        if (!probe.equals(Optional.of(connection))) {
            return false;
        }
        probe = Optional.empty();
        connection.setNode(other);
        previousEndpoint = current.map(NodeConnection::endpoint);
        noSwitchBackUntilNanos = environment.loop().nanoTime() + SWITCH_BACK_DELAY_NANOS;
        current.ifPresent(NodeConnection::disconnect);
        disconnectSilent();
        use(connection);
        return true;
    }

    void disconnectAll() {
        current.ifPresent(NodeConnection::disconnect);
        probe.ifPresent(NodeConnection::disconnect);
        disconnectSilent();
        current = Optional.empty();
        probe = Optional.empty();
        clusterId = "";
    }

    String describeFailures() {
        return endpoints.describeFailures();
    }
}
