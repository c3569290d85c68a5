package habemus.client;

import habemus.client.environment.Endpoint;
import habemus.client.environment.NodeConnector;
import habemus.lockservice.protocol.ClientFrame;
import habemus.protocol.NodeId;
import java.time.Duration;

/** A connection to one node, and what the client knows of that node. Used by the driver only. */
final class NodeConnection {

    /** Called by any thread; must not block. */
    interface Listener {
        void onFrame(NodeConnection connection, ClientFrame.ToClient frame);

        void onBroken(NodeConnection connection, String reason);
    }

    private static final int MAX_UNANSWERED_FRAMES = 10_000;

    private final Endpoint endpoint;
    private final NodeConnector.Channel channel;
    private NodeId node;
    private boolean isDisconnected;
    private boolean isSilentSinceWelcome;
    private int unansweredFrames;

    /**
     * Starts a connection.
     *
     * @param node the number by which the session knows the node
     * @param delay before the attempt
     */
    NodeConnection(Endpoint endpoint, NodeId node, NodeConnector connector, Listener listener, Duration delay) {
        this.endpoint = endpoint;
        this.node = node;
        channel = connector.open(endpoint, delay, new NodeConnector.Receiver() {
            @Override
            public void onFrame(ClientFrame.ToClient frame) {
                listener.onFrame(NodeConnection.this, frame);
            }

            @Override
            public void onBroken(String reason) {
                listener.onBroken(NodeConnection.this, reason);
            }
        });
    }

    Endpoint endpoint() {
        return endpoint;
    }

    /** {@return the number by which the session knows the node} */
    NodeId node() {
        return node;
    }

    void setNode(NodeId next) {
        node = next;
    }

    void onWelcome() {
        isSilentSinceWelcome = true;
    }

    void onAnswer() {
        isSilentSinceWelcome = false;
        unansweredFrames = 0;
    }

    /** {@return whether so many frames are unanswered that a new connection is better} */
    boolean isBacklogFull() {
        return unansweredFrames > MAX_UNANSWERED_FRAMES;
    }

    /** {@return whether the node has sent nothing after its welcome: it is up, and may wait for a leader itself} */
    boolean isSilentSinceWelcome() {
        return isSilentSinceWelcome;
    }

    void send(ClientFrame.ToService frame) {
        unansweredFrames++;
        channel.send(frame);
    }

    /** Closes the connection. Its end is no failure then. */
    void disconnect() {
        isDisconnected = true;
        channel.close();
    }

    boolean isDisconnected() {
        return isDisconnected;
    }

    @Override
    public String toString() {
        return endpoint.toString();
    }
}
