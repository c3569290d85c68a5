package habemus.service.algorithm;

import habemus.protocol.NodeId;
import habemus.service.transport.PeerIncarnation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The listeners of a node, and the peers that follow its changes for listeners of their own. Only on the event loop.
 */
final class ChangeListeners {

    private final List<AlgorithmNode.ChangeListener> localListeners = new ArrayList<>();
    private final List<AlgorithmNode.ChangeListener> clusterListeners = new ArrayList<>();
    private final Set<NodeId> followers = new TreeSet<>();

    void add(AlgorithmNode.ChangeListener listener, boolean clusterWide) {
        (clusterWide ? clusterListeners : localListeners).add(listener);
    }

    void remove(AlgorithmNode.ChangeListener listener) {
        localListeners.remove(listener);
        clusterListeners.remove(listener);
    }

    void setFollower(NodeId peer, boolean isFollower) {
        if (isFollower) {
            followers.add(peer);
        } else {
            followers.remove(peer);
        }
    }

    Set<NodeId> followers() {
        return Set.copyOf(followers);
    }

    /** Whether a listener here needs the changes of the peers. */
    boolean hasClusterListeners() {
        return !clusterListeners.isEmpty();
    }

    boolean hasListeners() {
        return !localListeners.isEmpty() || !clusterListeners.isEmpty() || !followers.isEmpty();
    }

    void notifyPeers(List<PeerIncarnation> peers) {
        localListeners.forEach(listener -> listener.onPeersChanged(peers));
        clusterListeners.forEach(listener -> listener.onPeersChanged(peers));
    }

    void notifyLocalChange(NodeId self, GroupStatus status) {
        localListeners.forEach(listener -> listener.onGroupChanged(self, status));
        notifyChange(self, status);
    }

    void notifyChange(NodeId node, GroupStatus status) {
        clusterListeners.forEach(listener -> listener.onGroupChanged(node, status));
    }
}
