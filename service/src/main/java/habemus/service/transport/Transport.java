package habemus.service.transport;

import habemus.protocol.NodeId;
import java.util.List;

/**
 * Sends messages between the nodes of a cluster. Messages between two connected nodes are delivered exactly once and in
 * order. Thread-safe.
 */
public interface Transport extends AutoCloseable {

    /** Callbacks of the transport. Calls that concern the same peer never overlap. */
    interface Listener {

        void onMessage(PeerIncarnation from, byte[] bytes);

        /** @param peers all connected peers */
        void onPeersChanged(List<PeerIncarnation> peers);
    }

    /**
     * Starts to listen and to connect to the other nodes.
     *
     * @throws IllegalStateException if the address is in use
     */
    void start(Listener listener);

    /** Sends a message. It is dropped if the receiver is not connected. */
    void send(NodeId to, byte[] bytes);

    @Override
    void close();
}
