package habemus.service.algorithm;

import habemus.protocol.NodeId;
import habemus.service.transport.PeerIncarnation;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Who is told of changes: watchers here, and the peers that have watchers of their own. */
final class ChangeListeners {

    private final List<AlgorithmNode.ChangeListener> localListeners = new CopyOnWriteArrayList<>(); // of this node only
    private final List<AlgorithmNode.ChangeListener> clusterListeners = new CopyOnWriteArrayList<>();
    private final Set<NodeId> followers = ConcurrentHashMap.newKeySet();

    void add(AlgorithmNode.ChangeListener changeListener, boolean ofAll) {
        (ofAll ? clusterListeners : localListeners).add(changeListener);
    }

    void remove(AlgorithmNode.ChangeListener changeListener) {
        localListeners.remove(changeListener);
        clusterListeners.remove(changeListener);
    }

    void setFollower(NodeId peer, boolean wanted) {
        if (wanted) {
            followers.add(peer);
        } else {
            followers.remove(peer);
        }
    }

    Set<NodeId> followers() {
        return Set.copyOf(followers);
    }

    /** Whether somebody here wants to know of changes at the peers. */
    boolean hasClusterListeners() {
        return !clusterListeners.isEmpty();
    }

    boolean hasListeners() {
        return !localListeners.isEmpty() || !clusterListeners.isEmpty() || !followers.isEmpty();
    }

    void notifyPeers(List<PeerIncarnation> peerIncarnations) {
        localListeners.forEach(changeListener -> changeListener.onPeersChanged(peerIncarnations));
        clusterListeners.forEach(changeListener -> changeListener.onPeersChanged(peerIncarnations));
    }

    void notifyLocalChange(NodeId self, GroupStatus groupStatus) {
        localListeners.forEach(changeListener -> changeListener.onGroupChanged(self, groupStatus));
        notifyChange(self, groupStatus);
    }

    void notifyChange(NodeId node, GroupStatus groupStatus) {
        clusterListeners.forEach(changeListener -> changeListener.onGroupChanged(node, groupStatus));
    }
}
