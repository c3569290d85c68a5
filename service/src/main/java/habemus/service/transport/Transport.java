package habemus.service.transport;

import habemus.protocol.NodeId;
import java.util.List;

/** Links between the nodes of a cluster. What is sent to one that is there arrives once, in order. */
public interface Transport extends AutoCloseable {

    /** Who is told. Calls about one peer come one after the other. */
    interface Listener {

        void onMessage(PeerIncarnation from, byte[] bytes);

        /** These are there now, and nobody else. */
        void onPeersChanged(List<PeerIncarnation> peerIncarnations);
    }

    /** Begins to listen, and to look for the others. */
    void start(Listener listener);

    /** It is lost if the node is not there. */
    void send(NodeId to, byte[] bytes);

    @Override
    void close();
}
