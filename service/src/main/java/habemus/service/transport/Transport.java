package habemus.service.transport;

import habemus.protocol.NodeId;
import java.util.List;

/**
 * Sends messages between the nodes of a cluster. Messages of one sender are delivered in order and at most once.
 * Thread-safe.
 */
public interface Transport extends AutoCloseable {

    /** Callbacks of the transport. Calls that concern the same peer never overlap. */
    interface Listener {

        void onMessage(PeerIncarnation from, byte[] bytes);

        /** @param peers all connected peers */
        void onPeersChanged(List<PeerIncarnation> peers);

        /** A peer refuses this node, or this node refuses a peer. */
        default void onRejected(NodeId peer, String reason) {}

        /** The machine of a peer refuses the connection: no process listens at the address of the peer. */
        default void onRefused(NodeId peer) {}
    }

    /**
     * Starts to listen and to connect to the peers.
     *
     * @throws IllegalStateException if the address is in use
     */
    void start(Listener listener);

    /** Sets the peers to connect to. For other nodes that connect, the handshake decides. */
    void setPeers(List<Member> peers);

    /** Sends a message. It is dropped if the receiver is not connected. */
    void send(NodeId to, byte[] bytes);

    /** Closes all connections. The listener is not called any more. */
    @Override
    void close();
}
