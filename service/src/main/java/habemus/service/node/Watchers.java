package habemus.service.node;

import habemus.protocol.NodeId;
import habemus.service.net.Peer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Who is told of changes: watchers here, and the peers that have watchers of their own. */
final class Watchers {

    private final List<Node.Watcher> here = new CopyOnWriteArrayList<>(); // of this node only
    private final List<Node.Watcher> everywhere = new CopyOnWriteArrayList<>();
    private final Set<NodeId> followers = ConcurrentHashMap.newKeySet();

    void add(Node.Watcher watcher, boolean ofAll) {
        (ofAll ? everywhere : here).add(watcher);
    }

    void remove(Node.Watcher watcher) {
        here.remove(watcher);
        everywhere.remove(watcher);
    }

    void follow(NodeId peer, boolean wanted) {
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
    boolean follows() {
        return !everywhere.isEmpty();
    }

    boolean isWatched() {
        return !here.isEmpty() || !everywhere.isEmpty() || !followers.isEmpty();
    }

    void present(List<Peer> peers) {
        here.forEach(watcher -> watcher.present(peers));
        everywhere.forEach(watcher -> watcher.present(peers));
    }

    void changedHere(NodeId self, Account account) {
        here.forEach(watcher -> watcher.changed(self, account));
        changedAt(self, account);
    }

    void changedAt(NodeId node, Account account) {
        everywhere.forEach(watcher -> watcher.changed(node, account));
    }
}
